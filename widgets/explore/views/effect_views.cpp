// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/base/term.h"
#include "core/model/fit/reduce.h"
#include "core/model/select/term_choice.h"
#include "widgets/explore/views/cube_view.h"
#include "widgets/explore/views/explore_views.h"
#include "widgets/explore/views/interaction_view.h"
#include "widgets/explore/views/slice_view.h"
#include "widgets/plots/half_normal_plot.h"
#include "widgets/plots/pareto_chart.h"
#include "widgets/text/translate.h"
#include "widgets/text/wording.h"

#include <algorithm>
#include <memory>

namespace quadric::widgets {

namespace {

QString messageOf(const model::Fit& fit)
{
    return QString::fromStdString(fit.message);
}

/// The model of a fit without a term and those that contain it.
QString formulaWithout(const model::Fit& fit, const std::string& name)
{
    const auto term = std::ranges::find(
        fit.terms, name, [&fit](const model::Term& each) { return model::nameOf(each, fit.factors); });
    return term == fit.terms.end()
               ? QString()
               : QString::fromStdString(model::formulaOf(model::withoutTerm(fit.terms, *term), fit.factors));
}

View* makeParetoView()
{
    auto* plot = new ParetoChart;
    const auto shown = std::make_shared<model::Fit>();
    auto* view = new PlotView(plot, [plot, shown](const study::Study&, const model::Fit& fit) {
        *shown = fit;
        plot->setFit(fit);
    });
    QObject::connect(plot, &ParetoChart::dropRequested, view, [view, shown](const QString& term) {
        if (const QString formula = formulaWithout(*shown, term.toStdString()); !formula.isEmpty())
            emit view->modelRequested(formula);
    });
    return view;
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
            plotRow("speed-up", tr("Speed-up over GPUs"), &makeSpeedUpView),
            levelRow()};
}

} // namespace quadric::widgets
