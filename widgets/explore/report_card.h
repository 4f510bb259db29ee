// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit.h"

#include <QWidget>

class QGridLayout;
class QLabel;
class QTabWidget;

namespace quadric::widgets {

class TextTableModel;

/// Everything that is said of one model: verdict, warnings, statistics, analysis of variance, coefficients.
class ReportCard : public QWidget {
    Q_OBJECT

public:
    explicit ReportCard(QWidget* parent = nullptr);
    void setFit(const model::Fit& fit);

private:
    QWidget* makeSummary();
    QWidget* makeTable(TextTableModel& model);
    void showStatistics(const model::Fit& fit);

    QTabWidget* m_tabs = nullptr;
    QLabel* m_verdict = nullptr;
    QLabel* m_warnings = nullptr;
    QWidget* m_statistics = nullptr;
    QGridLayout* m_grid = nullptr;
    TextTableModel* m_anova = nullptr;
    TextTableModel* m_coefficients = nullptr;
};

} // namespace quadric::widgets
