// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/words/comparison_tables.h"
#include "core/study/shown_study.h"
#include "widgets/base/job_runner.h"
#include "widgets/explore/views/explore_views.h"

namespace quadric::widgets {

namespace {

/// Errors of several kinds of models at settings left out. They are trained in the background, once for each
/// model of the study that is shown.
class OpinionView : public TableView {
public:
    OpinionView()
        : TableView([this](const study::Study&, const model::Fit&) { return m_table; },
                    [](const model::Fit&) { return QString(); })
    {
    }

    void showFit(const study::Study& study, const model::Fit& fit) override
    {
        const bool isSame = m_fit.isOk() && fit.isOk() && m_fit.response == fit.response &&
                            study::differInViewOnly(m_study, study);
        m_study = study;
        m_fit = fit;
        if (!isSame)
            train();
        TableView::showFit(study, fit);
    }

private:
    void train()
    {
        m_job.cancel();
        if (!m_fit.isOk())
            return;
        m_table = {.note = tr("Training other kinds of models …").toStdString()};
        m_job.start([study = m_study, fit = m_fit](
                        const std::stop_token& stop) { return plan::secondOpinion(study, fit, stop); },
                    [this](const plan::Opinion& opinion) {
                        m_table = plan::makeOpinionTable(opinion);
                        TableView::showFit(m_study, m_fit);
                    });
    }

    study::Study m_study;
    model::Fit m_fit;
    report::Table m_table; ///< of both; a note alone while it is computed
    JobRunner<plan::Opinion> m_job;
};

} // namespace

ExploreView opinionRow()
{
    return wordRow("opinion", OpinionView::tr("Other models"), &makeView<OpinionView>);
}

} // namespace quadric::widgets
