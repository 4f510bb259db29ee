// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/opinion/opinion.h"
#include "widgets/base/job_runner.h"
#include "widgets/explore/views/view.h"

class QComboBox;
class QLabel;
class QStackedWidget;

namespace quadric::widgets {

class OpinionPlot;
class TextTableModel;

/// Whether another kind of model predicts a response better than the polynomial: in a sentence, predictions,
/// partial dependence and tables. Trained in the background, once for each model that is shown.
class OpinionView : public View {
    Q_OBJECT

public:
    OpinionView();
    ~OpinionView() override;

    void showFit(const study::Study& study, const model::Fit& fit) override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    explicit OpinionView(OpinionPlot* plot);
    QWidget* makeTables();
    void train();
    void refresh();
    void showVerdict();

    OpinionPlot* m_plot;
    QLabel* m_verdict;
    QComboBox* m_shown;
    QStackedWidget* m_stack;
    TextTableModel* m_errors;
    TextTableModel* m_importance;
    study::Study m_study;
    model::Fit m_fit;
    plan::Opinion m_opinion; ///< of both; without runs while it is computed
    JobRunner<plan::Opinion> m_job;
};

} // namespace quadric::widgets
