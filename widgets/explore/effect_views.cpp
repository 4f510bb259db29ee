// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/cube_view.h"
#include "widgets/explore/explore_views.h"
#include "widgets/explore/interaction_view.h"
#include "widgets/explore/slice_view.h"
#include "widgets/plots/half_normal_plot.h"
#include "widgets/plots/pareto_chart.h"
#include "widgets/text/translate.h"

namespace quadric::widgets {

namespace {

QString messageOf(const model::Fit& fit)
{
    return QString::fromStdString(fit.message);
}

View* makeParetoView()
{
    auto* plot = new ParetoChart;
    return new PlotView(plot, [plot](const study::Study&, const model::Fit& fit) { plot->setFit(fit); });
}

View* makeHalfNormalView()
{
    auto* plot = new HalfNormalPlot;
    return new PlotView(plot, [plot](const study::Study&, const model::Fit& fit) {
        if (!fit.isOk())
            return plot->clear(messageOf(fit));
        const bool isTransformed = fit.transform.kind != study::TransformKind::None;
        plot->setPoints(model::halfNormalPlot(fit), nameText(fit.response),
                        isTransformed ? std::string() : fit.unit);
    });
}

} // namespace

std::vector<ExploreView> effectViews()
{
    return {plotRow("pareto", tr("Pareto chart of effects"), &makeParetoView),
            plotRow("half-normal", tr("Half-normal plot"), &makeHalfNormalView),
            plotRow("main-effects", tr("Main effects"), &makeMainEffectsView),
            plotRow("interactions", tr("Interactions"), &makeInteractionView, 2, true),
            plotRow("interaction-profiler", tr("Interaction profiler"), &makeInteractionProfiler),
            plotRow("perturbation", tr("Perturbation"), &makePerturbationView),
            plotRow("cube", tr("Cube"), &makeCubeView, 3, true),
            levelRow()};
}

} // namespace quadric::widgets
