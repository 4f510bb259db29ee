// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/optimize_views.h"

#include "widgets/optimize/limits_view.h"
#include "widgets/optimize/next_runs_view.h"
#include "widgets/optimize/profiler_data.h"
#include "widgets/optimize/ramps.h"
#include "widgets/optimize/response_map_view.h"
#include "widgets/optimize/robust_view.h"
#include "widgets/optimize/sensitivity_view.h"
#include "widgets/optimize/solutions_view.h"
#include "widgets/optimize/trade_off_view.h"
#include "widgets/text/wording.h"

#include <algorithm>

namespace quadric::widgets {

namespace {

template <typename View> AnswerView* makeView()
{
    return new View;
}

AnswerView* makeRamps()
{
    auto* plot = new RampsPlot;
    return new AnswerPlotView(plot, "ramps",
                              [plot](const Answer& answer) { plot->setRamps(rampsOf(answer)); });
}

std::shared_ptr<Plot> drawView(AnswerView* made, const AnswerSource& source)
{
    const std::shared_ptr<AnswerView> view(made);
    view->showWhole(source);
    return plotOf(view);
}

std::shared_ptr<Plot> drawProfiler(const AnswerSource& source)
{
    auto plot = std::make_shared<Profiler>();
    plot->setData(profilerData(source.answer));
    return plot;
}

std::shared_ptr<Plot> drawDesirability(const AnswerSource& source)
{
    auto plot = std::make_shared<DesirabilityCurve>();
    const Answer& answer = source.answer;
    const std::string name = source.responses.empty() ? std::string() : source.responses.front();
    const study::Response* response = study::findResponse(answer.study, name);
    const auto fit = std::ranges::find(answer.fits(), name, &model::Fit::response);
    if (response == nullptr || fit == answer.fits().end())
        return plot;
    plot->setAccessibleName(nameWithUnit(response->name, response->unit));
    const auto& shown = answer.shown.responses;
    const auto at = std::ranges::find(shown, name, &optimize::ResponseAtOptimum::response);
    plot->setDesirability(optimize::desirabilityOf(*response, *fit),
                          at == shown.end()
                              ? std::nullopt
                              : std::optional(CurveMark(at->predicted.mean, at->predicted.prediction)));
    return plot;
}

std::shared_ptr<Plot> drawResponse(const AnswerSource& source)
{
    return drawView(new ResponseMapView, source);
}

/// A view that has a place of its own on the page.
OptimizeView placedRow(ViewKind kind, std::shared_ptr<Plot> (*draw)(const AnswerSource&))
{
    kind.page = "optimize";
    return {std::move(kind), {}, draw};
}

OptimizeView plotTab(ViewKind kind, AnswerView* (*make)())
{
    kind.page = "optimize";
    return {std::move(kind), make, [make](const AnswerSource& source) { return drawView(make(), source); }};
}

OptimizeView wordTab(const char* id, const QString& title, AnswerView* (*make)())
{
    return {{id, title, "optimize", ViewSubject::Study, 0, false}, make, {}};
}

} // namespace

const std::vector<OptimizeView>& optimizeViews()
{
    using enum ViewSubject;
    static const std::vector<OptimizeView> views{
        placedRow({"profiler", AnswerView::tr("Prediction profiler"), {}, Study}, &drawProfiler),
        placedRow({"desirability", AnswerView::tr("Desirability"), {}, Response}, &drawDesirability),
        placedRow(
            {"best-surface", AnswerView::tr("Response surface through the best setting"), {}, Response, 2},
            &drawResponse),
        plotTab({"overall-surface",
                 AnswerView::tr("Overall desirability"),
                 {},
                 Study,
                 2,
                 true,
                 AnswerView::tr("Surface")},
                &makeView<ResponseMapView>),
        plotTab({"limits",
                 AnswerView::tr("Limits of all responses"),
                 {},
                 Study,
                 2,
                 true,
                 AnswerView::tr("Limits")},
                &makeView<LimitsView>),
        plotTab({"trade-off",
                 AnswerView::tr("Trade-off front"),
                 {},
                 TwoResponses,
                 0,
                 true,
                 AnswerView::tr("Trade-off")},
                &makeView<TradeOffView>),
        wordTab("solutions", AnswerView::tr("Ranked settings"), &makeView<SolutionsView>),
        plotTab({"ramps",
                 AnswerView::tr("The best setting at a glance"),
                 {},
                 Study,
                 0,
                 true,
                 AnswerView::tr("Ramps")},
                &makeRamps),
        plotTab({"robustness",
                 AnswerView::tr("Probability of keeping each limit"),
                 {},
                 Study,
                 0,
                 true,
                 AnswerView::tr("Robust")},
                &makeView<RobustView>),
        plotTab({"sensitivity",
                 AnswerView::tr("Sensitivity to weights and limits"),
                 {},
                 Study,
                 0,
                 true,
                 AnswerView::tr("Sensitivity")},
                &makeView<SensitivityView>),
        wordTab("next-runs", AnswerView::tr("Next runs"), &makeView<NextRunsView>)};
    return views;
}

} // namespace quadric::widgets
