// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plan_views.h"

#include "widgets/plan/cost_view.h"
#include "widgets/plan/deadline_plot.h"
#include "widgets/plan/deadline_view.h"
#include "widgets/plan/queue_view.h"
#include "widgets/plan/scaling_view.h"
#include "widgets/text/translate.h"
#include "widgets/text/wording.h"

#include <algorithm>

namespace quadric::widgets {

namespace {

template <typename View> PlanView* makePlanView()
{
    return new View;
}

PlanViewRow planTab(const char* id, const QString& title, PlanView* (*make)(), const QString& tab)
{
    PlanViewRow row{{id, title, "plan", ViewSubject::Study, 0}, make, [make](const PlanSource& source) {
                        const std::shared_ptr<PlanView> view(make());
                        view->showWhole(source);
                        return plotOf(view);
                    }};
    row.tab = tab;
    return row;
}

} // namespace

const std::vector<PlanViewRow>& planViews()
{
    static const std::vector<PlanViewRow> views{
        planTab("deadline", tr("Probability of being done in time"), &makePlanView<DeadlineView>,
                tr("Deadline")),
        planTab("queue", tr("Mean response of one fast and of several slow machines"),
                &makePlanView<QueueView>, tr("Queue")),
        planTab("scaling", tr("Speed of larger clusters"), &makePlanView<ScalingView>, tr("Scale")),
        planTab("cost", tr("Cost of a run"), &makePlanView<CostView>, tr("Cost"))};
    return views;
}

std::vector<PlanAnswer> planAnswers(const PlanSource& source)
{
    std::vector<PlanAnswer> answers;
    if (!source.isReady())
        return answers;
    const std::vector<std::string> asked = plan::askedQuestions(source.choices);
    for (const PlanViewRow& row : planViews()) {
        if (std::ranges::count(asked, row.id) == 0)
            continue;
        const std::shared_ptr<PlanView> view(row.make());
        view->showWhole(source);
        answers.push_back({row.title, view->sentence(), view->remark(), plotOf(view), view->tables()});
    }
    return answers;
}

QString describeWork(const PlanSource& source)
{
    const model::Fit& fit = *source.fit();
    const plan::Work work = plan::workOf(fit, source.choices);
    const QString name = nameText(fit.response);
    const QString text = work.kind == plan::WorkKind::Whole
                             ? tr("One run, whose time is %1.").arg(name)
                             : tr("One run of %1, timed by %2.").arg(amountText(fit, work.amount), name);
    return work.fixedSeconds > 0.0
               ? text + tr(" Fixed time on top: %1.").arg(formatDuration(work.fixedSeconds))
               : text;
}

} // namespace quadric::widgets
