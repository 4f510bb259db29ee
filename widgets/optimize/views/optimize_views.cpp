// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/views/optimize_views.h"

#include "core/model/feasibility/feasibility.h"
#include "core/optimize/merit/merit_plots.h"
#include "widgets/optimize/charts/best_plots.h"
#include "widgets/optimize/views/answer_figures.h"
#include "widgets/optimize/views/map_view.h"
#include "widgets/optimize/views/next_runs_view.h"
#include "widgets/optimize/views/robust_view.h"
#include "widgets/optimize/views/solutions_view.h"
#include "widgets/plots/base/plot.h"
#include "widgets/plots/scene/surface_view.h"
#include "widgets/text/wording.h"

#include <QVBoxLayout>

#include <algorithm>

namespace quadric::widgets {

void AnswerView::showWhole(const AnswerSource& source)
{
    m_waits = true;
    choose(source);
    showAnswer(source.answer, Change::Models);
}

void AnswerView::setPlot(Plot* plot)
{
    m_plot = plot;
    connect(plot, &Plot::runsPicked, this, &AnswerView::runsPicked);
}

AnswerPlotView::AnswerPlotView(Plot* plot, const char* name, Show show)
    : m_show(std::move(show))
{
    setPlot(plot);
    plot->setObjectName(QLatin1String(name));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 8, 0, 0);
    layout->addWidget(plot);
}

void AnswerPlotView::showAnswer(const Answer& answer, Change change)
{
    if (change != Change::Status)
        m_show(answer);
}

namespace {

template <typename View> AnswerView* makeView()
{
    return new View;
}

std::shared_ptr<Plot> drawBestSoFar(const AnswerSource& source)
{
    auto plot = std::make_shared<BestSoFarPlot>();
    plot->setRuns(optimize::findBestSoFar(source.answer.study(), source.answer.fits()));
    return plot;
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
                const std::shared_ptr<AnswerView> view(make());
                view->showWhole(source);
                return plotOf(view);
            }};
}

OptimizeView wordTab(const char* id, const QString& title, AnswerView* (*make)())
{
    return {{id, title, "optimize", ViewSubject::Study, 0, false}, make, {}};
}

std::shared_ptr<Plot> drawFront(const AnswerSource& source)
{
    const std::shared_ptr<AnswerView> view = std::make_shared<TradeOffView>();
    view->showWhole(source);
    return plotOf(view);
}

} // namespace

model::MarkedSurface computeAnswerSurface(const Answer& answer, const SurfaceSubject& subject,
                                          const AxisChoice& axes, int points)
{
    const auto [x, y] = *axes;
    const study::CodedPoint at = study::Coding(answer.study().factors).toCoded(answer.settings());
    model::MarkedSurface grid =
        subject ? model::marked(model::surfaceGrid(answer.fits()[*subject], answer.study(), x, y, at, points),
                                answer.study(), x, y, at)
                : optimize::desirabilityGrid(answer.study(), answer.fits(), x, y, at, points);
    if (optimize::readNearRuns(answer.study()) == optimize::NearRuns::Off)
        grid.isExtrapolation.setConstant(false);
    return grid;
}

void showSurface(SurfaceView& surface, const Answer& answer, const SurfaceSubject& subject,
                 const AxisChoice& axes, int points)
{
    if (!axes || !answer.context)
        return surface.clear(SurfaceView::tr("A surface needs two numeric factors."));
    if (subject && (*subject >= answer.fits().size() || !answer.fits()[*subject].isOk()))
        return surface.clear(*subject < answer.fits().size()
                                 ? QString::fromStdString(answer.fits()[*subject].message)
                                 : SurfaceView::tr("This response has no model."));
    const model::MarkedSurface grid = computeAnswerSurface(answer, subject, axes, points);
    if (grid.x.empty())
        return surface.clear(SurfaceView::tr("No response has a goal and a weight above 0."));
    surface.setGrid(grid);
    surface.setSetting(projectSetting(answer, axes->first, axes->second));
    surface.setSource({nameText(answer.study().name),
                       {subject ? nameText(answer.study().responses[*subject].name) : QString()}});
    surface.setHeld(describeHeldFactors(answer, axes->first, axes->second));
}

const std::vector<OptimizeView>& optimizeViews()
{
    static const std::vector<OptimizeView> views{
        placedRow("profiler", tr("Prediction profiler"), &drawProfiler),
        placedRow("desirability", tr("Desirability"), &drawDesirability, ViewSubject::Response),
        placedRow("best-surface", tr("Response surface through the best setting"), &drawResponse,
                  ViewSubject::Response, 2),
        placedRow(
            "overall-surface", tr("Overall desirability"),
            [](const AnswerSource& source) { return drawSurface(source, {}); }, ViewSubject::Study, 2),
        placedRow("limits", tr("Overlay plot (sweet spot)"), &drawLimits, ViewSubject::Study, 2),
        placedRow("map", tr("Map"), &drawMap, ViewSubject::Study, 2),
        placedRow("best-so-far", tr("Best so far"), &drawBestSoFar),
        {{"trade-off", tr("Pareto front"), "optimize", ViewSubject::TwoResponses, 0}, {}, &drawFront},
        wordTab("solutions", tr("Solutions"), &makeView<SolutionsView>),
        wordTab("next-runs", tr("Next runs"), &makeView<NextRunsView>),
        plotTab("robustness", tr("Probability of meeting limits"), &makeView<RobustView>)};
    return views;
}

} // namespace quadric::widgets
