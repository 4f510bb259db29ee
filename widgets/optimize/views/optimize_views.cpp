// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/views/optimize_views.h"

#include "widgets/optimize/charts/best_so_far_plot.h"
#include "widgets/optimize/views/answer_surface.h"
#include "widgets/optimize/views/contour_profiler_view.h"
#include "widgets/optimize/views/next_runs_view.h"
#include "widgets/optimize/views/profiler_data.h"
#include "widgets/optimize/views/ramps.h"
#include "widgets/optimize/views/robust_view.h"
#include "widgets/optimize/views/sensitivity_view.h"
#include "widgets/optimize/views/solutions_view.h"
#include "widgets/optimize/views/trade_off_view.h"
#include "widgets/plots/scene/surface_view.h"
#include "widgets/text/translate.h"
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

AnswerView* makeBestSoFar()
{
    auto* plot = new BestSoFarPlot;
    return new AnswerPlotView(plot, "bestSoFar", [plot](const Answer& answer) {
        plot->setRuns(optimize::findBestSoFar(answer.study(), answer.fits()));
    });
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
    const study::Response* response = study::findResponse(answer.study(), name);
    const auto fit = std::ranges::find(answer.fits(), name, &model::Fit::response);
    if (response == nullptr || fit == answer.fits().end())
        return plot;
    plot->setAccessibleName(nameWithUnit(response->name, response->unit));
    const auto& shown = answer.shown.responses;
    const auto at = std::ranges::find(shown, name, &optimize::ResponseAtOptimum::response);
    plot->setDesirability(optimize::desirabilityOf(*response, *fit),
                          at == shown.end()
                              ? std::nullopt
                              : std::optional(CurveMark(at->predicted.mean, at->predicted.ofNewRuns())));
    return plot;
}

std::shared_ptr<Plot> drawSurface(const AnswerSource& source, const SurfaceSubject& subject)
{
    constexpr int kSurfacePoints = 41;
    auto surface = std::make_shared<SurfaceView>();
    showSurface(*surface, source.answer, subject, source.axes, kSurfacePoints);
    return surface;
}

std::shared_ptr<Plot> drawResponse(const AnswerSource& source)
{
    const auto& all = source.answer.study().responses;
    const std::string name = source.responses.empty() ? std::string() : source.responses.front();
    const auto found = std::ranges::find(all, name, &study::Response::name);
    return drawSurface(source, static_cast<std::size_t>(found - all.begin()));
}

std::shared_ptr<Plot> drawOverall(const AnswerSource& source)
{
    return drawSurface(source, {});
}

/// A view that has a place of its own on the page.
OptimizeView placedRow(const char* id, const QString& title,
                       std::shared_ptr<Plot> (*draw)(const AnswerSource&),
                       ViewSubject subject = ViewSubject::Study, int axes = 0)
{
    return {{id, title, "optimize", subject, axes}, {}, draw};
}

OptimizeView plotTab(const char* id, const QString& title, AnswerView* (*make)(),
                     ViewSubject subject = ViewSubject::Study)
{
    return {{id, title, "optimize", subject, 0}, make, [make](const AnswerSource& source) {
                return drawView(make(), source);
            }};
}

OptimizeView contourTab()
{
    return {{"contour-profiler", tr("Contour profiler"), "optimize", ViewSubject::Study, 2},
            &makeView<ContourProfilerView>,
            &drawContourProfiler};
}

OptimizeView wordTab(const char* id, const QString& title, AnswerView* (*make)())
{
    return {{id, title, "optimize", ViewSubject::Study, 0, false}, make, {}};
}

/// With a shorter name on its tab, so that all tabs fit.
OptimizeView named(OptimizeView row, const QString& tab)
{
    row.tab = tab;
    return row;
}

} // namespace

const std::vector<OptimizeView>& optimizeViews()
{
    static const std::vector<OptimizeView> views{
        placedRow("profiler", tr("Prediction profiler"), &drawProfiler),
        placedRow("desirability", tr("Desirability"), &drawDesirability, ViewSubject::Response),
        placedRow("best-surface", tr("Response surface through the best setting"), &drawResponse,
                  ViewSubject::Response, 2),
        placedRow("overall-surface", tr("Overall desirability"), &drawOverall, ViewSubject::Study, 2),
        placedRow("limits", tr("Overlay plot (sweet spot)"), &drawLimits, ViewSubject::Study, 2),
        contourTab(),
        plotTab("trade-off", tr("Pareto front"), &makeView<TradeOffView>, ViewSubject::TwoResponses),
        wordTab("solutions", tr("Solutions"), &makeView<SolutionsView>),
        plotTab("ramps", tr("Ramps"), &makeRamps),
        named(plotTab("robustness", tr("Probability of meeting limits"), &makeView<RobustView>),
              tr("Probability")),
        plotTab("sensitivity", tr("Sensitivity"), &makeView<SensitivityView>),
        wordTab("next-runs", tr("Next runs"), &makeView<NextRunsView>),
        plotTab("best-so-far", tr("Best so far"), &makeBestSoFar)};
    return views;
}

} // namespace quadric::widgets
