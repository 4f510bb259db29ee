// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/base/distributions.h"
#include "core/model/fit/effect_ranking.h"
#include "core/model/predict/curves.h"

#include <algorithm>
#include <cmath>

namespace quadric::model {

namespace {

bool areStudentized(const Fit& fit)
{
    return std::ranges::all_of(fit.diagnostics,
                               [](const Diagnostic& d) { return d.internallyStudentized.has_value(); });
}

double shownResidual(const Diagnostic& diagnostic, bool isStudentized)
{
    return isStudentized ? *diagnostic.internallyStudentized : diagnostic.residual;
}

double scoreOf(std::size_t i, std::size_t count)
{
    return (static_cast<double>(i) + 0.5) / static_cast<double>(count);
}

} // namespace

HalfNormalPlot halfNormalPlot(const Fit& fit)
{
    HalfNormalPlot plot;
    plot.isStandardized = fit.effectLimit.method == "t";
    if (!fit.effectLimit.method.empty()) {
        plot.slope = plot.isStandardized ? 1.0 : fit.effectLimit.pse;
        plot.marginOfError = fit.effectLimit.value;
        plot.simultaneous = plot.isStandardized ? fit.effectLimit.bonferroni : fit.effectLimit.sme;
    }
    std::vector<RankedEffect> smallestFirst = rankEffects(fit);
    std::ranges::reverse(smallestFirst);
    for (const RankedEffect& ranked : smallestFirst) {
        const Effect& effect = fit.effects[ranked.index];
        ScorePoint point;
        point.label = effect.term;
        point.value = ranked.size;
        point.isActive = ranked.significance != Significance::None;
        point.sign = effect.effect < 0 ? -1 : 1;
        plot.points.push_back(std::move(point));
    }
    for (std::size_t i = 0; i < plot.points.size(); ++i)
        plot.points[i].score = normalQuantile(0.5 + 0.5 * scoreOf(i, plot.points.size()));
    return plot;
}

NormalPlot normalPlot(const Fit& fit)
{
    NormalPlot plot;
    plot.isStudentized = areStudentized(fit);
    for (const Diagnostic& diagnostic : fit.diagnostics) {
        ScorePoint point;
        point.label = std::to_string(diagnostic.run);
        point.run = diagnostic.run;
        point.value = shownResidual(diagnostic, plot.isStudentized);
        plot.points.push_back(std::move(point));
    }
    std::ranges::stable_sort(plot.points, {}, &ScorePoint::value);
    const double n = static_cast<double>(plot.points.size());
    for (std::size_t i = 0; i < plot.points.size(); ++i) {
        plot.points[i].score = normalQuantile(scoreOf(i, plot.points.size()));
        plot.mean += plot.points[i].value / n;
    }
    double squares = 0.0;
    for (const ScorePoint& point : plot.points)
        squares += (point.value - plot.mean) * (point.value - plot.mean);
    plot.sd = n > 1 ? std::sqrt(squares / (n - 1)) : 0.0;
    return plot;
}

OrderPlot orderPlot(const Fit& fit)
{
    OrderPlot plot;
    plot.isStudentized = areStudentized(fit);
    std::vector<const Diagnostic*> ordered;
    double meanOrder = 0.0;
    for (const Diagnostic& diagnostic : fit.diagnostics) {
        ordered.push_back(&diagnostic);
        meanOrder += static_cast<double>(diagnostic.order) / static_cast<double>(fit.diagnostics.size());
    }
    std::ranges::stable_sort(ordered, {}, &Diagnostic::order);
    for (const Diagnostic* diagnostic : ordered) {
        plot.runs.push_back(diagnostic->run);
        plot.orders.push_back(diagnostic->order);
        plot.residuals.push_back(shownResidual(*diagnostic, plot.isStudentized));
    }
    const std::optional<double> slope = fit.residualChecks.driftSlope;
    if (!slope || plot.orders.empty())
        return plot;
    const double scale = plot.isStudentized ? *slope / fit.sigma : *slope;
    plot.driftLow = scale * (plot.orders.front() - meanOrder);
    plot.driftHigh = scale * (plot.orders.back() - meanOrder);
    return plot;
}

} // namespace quadric::model
