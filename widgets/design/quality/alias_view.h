// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/base/design.h"
#include "widgets/text/text_table.h"

#include <QWidget>

class QLabel;
class QTableView;

namespace quadric::widgets {

class TextTableModel;

/// Which effects of a design are aliased: the defining relation and the alias chains of a fraction, and
/// what left-out terms would add to each coefficient.
class AliasView : public QWidget {
    Q_OBJECT

public:
    explicit AliasView(QWidget* parent = nullptr);
    void setEvaluation(const design::Evaluation& evaluation);
    void clear(const QString& reason);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitNames();

    QLabel* m_words;
    TextTableModel* m_model;
    QTableView* m_table;
};

/// "Resolution IV · I = A × B × C × D": empty for a design that is no regular fraction.
QString fractionWords(const design::Evaluation& evaluation);

/// A row for each coefficient that an omitted effect would bias: "A | B × C × D + 0.5 C²".
TextTable aliasTable(const design::Evaluation& evaluation);

} // namespace quadric::widgets
