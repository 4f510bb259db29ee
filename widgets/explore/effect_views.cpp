// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/explore_views.h"
#include "widgets/plots/half_normal_plot.h"
#include "widgets/plots/interaction_plot.h"
#include "widgets/plots/main_effects_plot.h"
#include "widgets/plots/pareto_chart.h"
#include "widgets/plots/perturbation_plot.h"
#include "widgets/plots/scene/cube_plot.h"
#include "widgets/text/translate.h"
#include "widgets/text/wording.h"

#include <algorithm>
#include <numeric>

namespace quadric::widgets {

namespace {

QString messageOf(const model::Fit& fit)
{
    return QString::fromStdString(fit.message);
}

/// Each factor has a panel; more than these, which explain most, have none.
constexpr std::size_t kMostCurves = 60;
/// Each pair of them has a panel.
constexpr std::size_t kMostPaired = 12;

/// All factors, or as many as are wanted of those that explain most, in the study's order.
std::vector<std::size_t> leadingFactors(const model::Fit& fit, std::size_t most)
{
    std::vector<std::size_t> order(fit.factors.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (order.size() <= most)
        return order;
    const auto share = [&fit](std::size_t factor) {
        const auto found =
            std::ranges::find(fit.importance, fit.factors[factor].name, &model::Importance::factor);
        return found == fit.importance.end() ? 0.0 : found->total;
    };
    std::ranges::stable_sort(order, std::ranges::greater{}, share);
    order.resize(most);
    std::ranges::sort(order);
    return order;
}

/// One curve per factor through the center.
std::vector<model::EffectCurve> curvesThroughCenter(const study::Study& study, const model::Fit& fit)
{
    const study::CodedPoint center = study::Coding(fit.factors).center();
    std::vector<model::EffectCurve> curves;
    for (const std::size_t factor : leadingFactors(fit, kMostCurves))
        curves.push_back(model::effectCurve(fit, study, factor, center));
    return curves;
}

std::vector<model::InteractionPlot> pairsOf(const study::Study& study, const model::Fit& fit)
{
    const study::CodedPoint center = study::Coding(fit.factors).center();
    const std::vector<std::size_t> factors = leadingFactors(fit, kMostPaired);
    std::vector<model::InteractionPlot> pairs;
    for (std::size_t i = 0; i < factors.size(); ++i)
        for (std::size_t j = i + 1; j < factors.size(); ++j)
            pairs.push_back(model::interactionPlot(fit, study, factors[i], factors[j], center));
    return pairs;
}

/// The three factors that explain most, in the study's order.
std::optional<std::array<std::size_t, 3>> cubeFactors(const model::Fit& fit)
{
    const std::vector<std::size_t> leading = leadingFactors(fit, 3);
    return leading.size() < 3 ? std::nullopt : std::optional(std::array{leading[0], leading[1], leading[2]});
}

void showCube(CubePlot& plot, const study::Study& study, const model::Fit& fit)
{
    const auto factors = cubeFactors(fit);
    if (!fit.isOk())
        return plot.clear(messageOf(fit));
    if (!factors)
        return plot.clear(CubePlot::tr("A cube needs three factors."));
    const study::CodedPoint center = study::Coding(fit.factors).center();
    plot.setCube(model::cubePlot(fit, study, *factors, center), fit.factors);
}

View* makeParetoView()
{
    auto* plot = new ParetoChart;
    return new PlotView(plot, [plot](const study::Study&, const model::Fit& fit) { plot->setFit(fit); });
}

View* makeMainEffectsView()
{
    auto* plot = new MainEffectsPlot;
    return new PlotView(plot, [plot](const study::Study& study, const model::Fit& fit) {
        fit.isOk() ? plot->setCurves(curvesThroughCenter(study, fit)) : plot->clear(messageOf(fit));
    });
}

View* makeInteractionView()
{
    auto* plot = new InteractionPlot;
    return new PlotView(plot, [plot](const study::Study& study, const model::Fit& fit) {
        fit.isOk() ? plot->setPairs(pairsOf(study, fit)) : plot->clear(messageOf(fit));
    });
}

View* makePerturbationView()
{
    auto* plot = new PerturbationPlot;
    return new PlotView(plot, [plot](const study::Study&, const model::Fit& fit) {
        if (!fit.isOk())
            return plot->clear(messageOf(fit));
        const study::CodedPoint center = study::Coding(fit.factors).center();
        plot->setCurves(model::perturbationPlot(fit, center), nameWithUnit(fit.response, fit.unit));
    });
}

View* makeHalfNormalView()
{
    auto* plot = new HalfNormalPlot;
    return new PlotView(plot, [plot](const study::Study&, const model::Fit& fit) {
        if (!fit.isOk())
            return plot->clear(messageOf(fit));
        const bool isTransformed = fit.transform.kind != study::TransformKind::None;
        plot->setPoints(model::halfNormalPlot(fit), isTransformed ? std::string() : fit.unit);
    });
}

View* makeCubeView()
{
    auto* plot = new CubePlot;
    return new PlotView(
        plot, [plot](const study::Study& study, const model::Fit& fit) { showCube(*plot, study, fit); });
}

} // namespace

std::vector<ExploreView> effectViews()
{
    return {plotRow("pareto", tr("Pareto chart of effects"), &makeParetoView),
            plotRow("half-normal", tr("Half-normal plot"), &makeHalfNormalView),
            plotRow("main-effects", tr("Main effects"), &makeMainEffectsView),
            plotRow("interactions", tr("Interactions"), &makeInteractionView),
            plotRow("perturbation", tr("Perturbation"), &makePerturbationView),
            plotRow("cube", tr("Cube"), &makeCubeView),
            levelRow()};
}

} // namespace quadric::widgets
