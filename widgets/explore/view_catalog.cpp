// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/view_catalog.h"

#include "widgets/explore/effect_views.h"
#include "widgets/explore/fit_views.h"
#include "widgets/explore/plane_views.h"

#include <QCoreApplication>

#include <algorithm>

namespace quadric::widgets {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("Views", text);
}

ViewType type(const char* name, const QString& title, const QString& text, View* (*make)())
{
    return {name, title, {title, text, QStringLiteral("Models")}, make};
}

ViewType wordType(const char* name, const QString& title, const QString& text, View* (*make)())
{
    ViewType words = type(name, title, text, make);
    words.isPlot = false;
    return words;
}

std::vector<ViewType> effectTypes()
{
    return {
        type("pareto", tr("Pareto chart of effects"),
             tr("One bar per term of the model, the largest on top. Its length is the effect measured in its "
                "own "
                "standard errors, **|t|**. Solid bars raise the response, hatched ones lower it.\n\nA bar "
                "beyond "
                "the solid line is unlikely to be chance; beyond the dashed line (Bonferroni) it stays "
                "unlikely "
                "although many terms were tested at once. When no run is left to measure the error, the bars "
                "are "
                "the effects themselves and the lines are Lenth's limits ME and SME."),
             &makeParetoView),
        type("half-normal", tr("Half-normal plot"),
             tr("The sizes of all effects, sorted, against where pure noise of the same rank would lie. "
                "Noise follows "
                "the line through the origin; real effects leave it to the right. The limits are Lenth's "
                "margin of "
                "error **ME** and, for many effects at once, **SME**; they need no repeated runs."),
             &makeHalfNormalView),
        type("main-effects", tr("Main effects"),
             tr("The fitted response along each factor, all other factors at their centre. The band holds "
                "the mean "
                "with 95 % confidence; dots are means of the runs at that value. A hatched band with a "
                "dashed line "
                "is extrapolated: no run lies near."),
             &makeMainEffectsView),
        type("interactions", tr("Interactions"),
             tr("A panel per pair of factors: the fitted response along the first, with the second held at "
                "its low "
                "and its high end. Parallel lines: each factor does the same whatever the other is. Lines "
                "that "
                "run apart or cross: the effect of one depends on the other."),
             &makeInteractionView),
        type("perturbation", tr("Perturbation"),
             tr("How the fitted response answers when one factor alone is moved from the centre, all factors "
                "on one "
                "coded axis from −1 (low) to +1 (high). Steep curves matter, flat ones do not."),
             &makePerturbationView),
        type("cube", tr("Cube"),
             tr("Predictions at the corners of the three factors that explain most, the others at their "
                "centre. A "
                "question mark says that no run supports the corner. Drag or use the arrow keys to turn it."),
             &makeCubeView),
    };
}

std::vector<ViewType> planeTypes()
{
    return {
        type("surface", tr("Response surface"),
             tr("The fitted response over two factors; the sliders hold the others. Dots are observed runs, "
                "their "
                "stems end on the surface: the stem is the residual. Pale dots were measured with other "
                "factors "
                "set differently. Crossed-out parts are extrapolated.\n\nDrag or use the arrow keys to turn, "
                "the "
                "wheel or + and − to zoom, Home to return."),
             &makeSurfaceView),
        type(
            "contour", tr("Contour map"),
            tr("The fitted response over two factors seen from above, with lines of equal response. Dots are "
               "observed runs. In the hatched region the prediction is an extrapolation: no run supports "
               "it."),
            &makeContourView),
    };
}

std::vector<ViewType> fitTypes()
{
    return {
        wordType("report-card", tr("Report card"),
                 tr("What speaks for the model and what against it, each with what to do about it."),
                 &makeReportCardView),
        wordType(
            "coefficients", tr("Coefficients"),
            tr("The numbers of the model in coded units, where every factor goes from −1 to +1. An estimate "
               "is the "
               "change of the response over half the range of the factor. **VIF** is 1 where a term is "
               "independent "
               "of all others; from 10 on the runs hardly tell them apart."),
            &makeCoefficientView),
        wordType(
            "anova", tr("Analysis of variance"),
            tr("Where the variation between the runs comes from. Groups of terms enter one after another. "
               "The "
               "residual splits into **pure error**, which repeated runs show among themselves, and **lack "
               "of "
               "fit**, what the model misses beyond that."),
            &makeAnovaView),
        wordType(
            "fit-summary", tr("Fit summary"),
            tr("The orders of the model side by side: a constant, straight lines, interactions, squares. "
               "**R² "
               "predicted** says how well new runs would be met; the suggested order is marked."),
            &makeSummaryView),
        type("predicted", tr("Predicted against observed"),
             tr("One dot per run. On the diagonal the model is right; far from it, it is wrong about that "
                "run. Click "
                "a dot to find the run everywhere."),
             &makePredictedView),
        type("residuals", tr("Residuals, four views"),
             tr("What the model leaves over, four times. **Normal plot**: dots along the line are ordinary "
                "noise, one "
                "far off is an outlier. **Against fitted values**: a funnel asks for a transform, a curve "
                "for more "
                "terms. **Histogram**: one hump is expected. **In run order**: a trend is drift."),
             &makeResidualView),
        type(
            "run-order", tr("Residuals in run order"),
            tr("What the model leaves over, in the order in which the runs were made. A trend means that "
               "something "
               "changed meanwhile: temperature, other users, software. The dashed line is the fitted drift."),
            &makeRunOrderView),
        type("box-cox", tr("Box–Cox"),
             tr("How well each power of the response, λ, would suit the model: 1 is no transform, 0 the "
                "logarithm, "
                "−1 the inverse. Powers in the band fit about equally well (95 % interval). Where 1 is in "
                "the band "
                "no transform is needed."),
             &makeBoxCoxView),
    };
}

std::vector<ViewType> makeCatalog()
{
    std::vector<ViewType> all = effectTypes();
    for (const auto& more : {planeTypes(), fitTypes()})
        all.insert(all.end(), more.begin(), more.end());
    return all;
}

} // namespace

const std::vector<ViewType>& viewCatalog()
{
    static const std::vector<ViewType> catalog = makeCatalog();
    return catalog;
}

const ViewType* findView(std::string_view name)
{
    const auto found = std::ranges::find(viewCatalog(), name, &ViewType::name);
    return found == viewCatalog().end() ? nullptr : &*found;
}

} // namespace quadric::widgets
