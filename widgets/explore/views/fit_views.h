// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"
#include "widgets/base/job_runner.h"
#include "widgets/explore/views/explore_views.h"

class QLineEdit;
class QPushButton;
class QSpinBox;
class QGridLayout;
class QLabel;

namespace quadric::widgets {

/// The coefficients in coded units, and under them the equation in actual units to copy.
class CoefficientView : public TableView {
    Q_OBJECT

public:
    CoefficientView();

    void showFit(const study::Study& study, const model::Fit& fit) override;

protected:
    void addCopyAction(QMenu& menu) override;

private:
    void copyEquation();

    QLineEdit* m_equation;
    QPushButton* m_copy;
};

/// The models of rising order side by side, and a cross-validation of the one that is shown, in folds that
/// the user chooses.
class SummaryView : public TableView {
    Q_OBJECT

public:
    SummaryView();

    void showFit(const study::Study& study, const model::Fit& fit) override;

private:
    void validate();

    QSpinBox* m_folds;
    QLabel* m_outcome;
    model::Fit m_fit;
};

class FindingsList;

/// What speaks for the model of a response and what against it, in words, each with a mark that does not need
/// colors and with what to do; below it the numbers that judge it.
class ReportCard : public View {
    Q_OBJECT

public:
    ReportCard();

    void showFit(const study::Study& study, const model::Fit& fit) override;

signals:
    /// The verdict is there.
    void judged();

protected:
    void addCopyAction(QMenu& menu) override;

private:
    void showVerdict(const model::Fit& fit);
    void showStatistics(const model::Fit& fit);

    JobRunner<bool> m_job; ///< tests a chosen model
    QString m_text;        ///< the card as it is copied
    QLabel* m_verdict = nullptr;
    FindingsList* m_findings = nullptr;
    QWidget* m_statistics = nullptr;
    QGridLayout* m_statisticGrid = nullptr;
};

} // namespace quadric::widgets
