// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/base/design.h"
#include "core/study/study.h"
#include "widgets/text/text_table.h"

#include <QString>
#include <QWidget>

class QGridLayout;
class QLabel;
class QTableView;

namespace quadric::widgets {

/// "Box–Behnken", "Central composite", …; "Custom runs" for runs from elsewhere, "No design" for none.
QString designName(std::string_view type);

/// One sentence: what the design is good for.
QString designPurpose(std::string_view type);

/// A column's heading: the name, broken after underscores where it is long, and the unit under it.
QString columnHeading(std::string_view name, std::string_view unit);

/// The text of numbers with "−" instead of "-".
QString withMinusSigns(QString numbers);

/// Range of a factor in its own unit: "8 … 64 images", or the level names.
QString rangeWords(const study::Factor& factor);

/// "Box–Behnken · 3 factors · 15 runs, 3 of them at the center · random order, seed 42".
QString designWords(const study::Study& study);

/// One number that judges a design, and what it means in one plain sentence.
struct QualityFact {
    QString name, value, explanation;
};

/// Model, degrees of freedom, efficiencies, leverage, overlap and power.
std::vector<QualityFact> qualityFacts(const design::Evaluation& evaluation);

/// What is found about the runs, a sentence each.
QStringList qualityRemarks(const design::Evaluation& evaluation);

/// How good the runs of a study are before anything is measured: degrees of freedom, efficiencies, leverage,
/// power, and what was checked.
class QualityCard : public QWidget {
    Q_OBJECT

public:
    explicit QualityCard(QWidget* parent = nullptr);

    void setEvaluation(const design::Evaluation& evaluation);

    /// Nothing to judge; says why.
    void clear(const QString& reason);

private:
    void empty();
    void addRow(const QString& name, const QString& value, const QString& explanation);
    void addCheck(const design::Check& check);

    QLabel* m_message;
    QWidget* m_box = nullptr;      ///< of the rows
    QGridLayout* m_rows = nullptr; ///< name and number, or a check over both columns
};

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
