// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/answer/varying_settings.h"

#include <QWidget>

class QGridLayout;
class QLabel;

namespace quadric::widgets {

class ValueField;

/// How much the settings of numeric factors vary in use: a standard deviation each, which is typed in its
/// place.
class VariationColumn : public QWidget {
    Q_OBJECT

public:
    explicit VariationColumn(QWidget* parent = nullptr);
    void setVariation(const study::Study& study);

signals:
    /// 0: the factor is set exactly.
    void deviationRequested(const QString& factor, double sd);

private:
    struct Row {
        QLabel* name = nullptr;
        ValueField* value = nullptr;
    };
    void makeRows();
    QString take(const study::Factor& factor, const QString& typed);

    QGridLayout* m_grid;
    std::vector<study::Factor> m_factors; ///< the numeric ones
    std::vector<Row> m_rows;
};

} // namespace quadric::widgets
