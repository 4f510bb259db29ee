// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/opinion/opinion.h"
#include "widgets/base/job_runner.h"
#include "widgets/explore/views/explore_views.h"
#include "widgets/plots/panel/panel_plot.h"

class QComboBox;
class QLabel;
class QStackedWidget;

namespace quadric::widgets {

/// What other kinds of models say of a response. An opinion without scores shows its message.
class OpinionPlot : public PanelPlot {
    Q_OBJECT

public:
    explicit OpinionPlot(QWidget* parent = nullptr);

    /// Predicted vs. observed values of the runs left out, a panel for each kind of model.
    void setPredictions(const plan::Opinion& opinion);
    /// The mean prediction along each factor, a panel for each, a line for each kind of model. `fit`: the one
    /// that the opinion is of.
    void setDependence(const plan::Opinion& opinion, const model::Fit& fit);
};

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
