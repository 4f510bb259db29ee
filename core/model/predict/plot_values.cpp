// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/base/distributions.h"
#include "core/model/fit/effects.h"
#include "core/model/predict/curves.h"
#include "core/study/space/constraint.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace quadric::model {

namespace {

/// Runs count as being at a corner when they are this near to it, coded.
constexpr double kNearCorner = 0.1;

PerturbationCurve perturbationOf(const Fit& fit, const study::Coding& coding, std::size_t factor,
                                 const study::CodedPoint& at, int points)
{
    const auto index = static_cast<Eigen::Index>(factor);
    PerturbationCurve curve;
    curve.factor = fit.factors[factor].name;
    curve.unit = fit.factors[factor].unit;
    study::CodedPoint point = at;
    for (const double coded : positionsAlong(fit, factor, points, Span::Region)) {
        point[index] = coded;
        const Prediction prediction = predict(fit, point);
        curve.coded.push_back(coded - at[index]);
        curve.actual.push_back(coding.toActual(factor, coded));
        curve.mean.push_back(prediction.mean);
        if (prediction.confidence) {
            curve.low.push_back(prediction.confidence->low);
            curve.high.push_back(prediction.confidence->high);
        }
    }
    if (curve.low.size() != curve.mean.size()) {
        curve.low.clear();
        curve.high.clear();
    }
    return curve;
}

void checkFactors(const Fit& fit, const std::array<std::size_t, 3>& factors)
{
    const bool isDifferent = factors[0] != factors[1] && factors[0] != factors[2] && factors[1] != factors[2];
    for (const std::size_t factor : factors) {
        if (factor >= fit.factors.size() || !isDifferent)
            throw std::invalid_argument("a cube needs three different factors of the study");
    }
}

double cornerLevel(const study::Factor& factor, bool isHigh)
{
    if (factor.isNumeric())
        return isHigh ? 1.0 : -1.0;
    return isHigh ? static_cast<double>(factor.categories.size()) - 1 : 0.0;
}

/// What the runs at the corner show there, factors besides the three held as in `point`.
std::optional<double> adjustedAt(const Fit& fit, const std::vector<ObservedRun>& runs,
                                 const std::array<std::size_t, 3>& factors, const CubeCorner& corner,
                                 const study::CodedPoint& point)
{
    std::vector<double> residuals;
    for (const ObservedRun& run : runs) {
        bool isHere = true;
        for (std::size_t i = 0; i < 3; ++i) {
            const double coded = run.point[static_cast<Eigen::Index>(factors[i])];
            isHere = isHere && std::abs(coded - corner.coded[i]) <= kNearCorner;
        }
        if (isHere)
            residuals.push_back(run.residual);
    }
    return residuals.empty() ? std::nullopt : std::optional(adjustedMean(fit, point, residuals));
}

/// Runs count as being at a level of a factor when they are this near to it, coded.
constexpr double kNearLevel = 0.1;

std::vector<double> levelsOf(const study::Factor& factor)
{
    if (factor.isNumeric())
        return {-1.0, 1.0};
    std::vector<double> levels;
    for (std::size_t i = 0; i < factor.categories.size(); ++i)
        levels.push_back(static_cast<double>(i));
    return levels;
}

std::string levelText(const study::Coding& coding, std::size_t factor, double coded)
{
    const study::Factor& source = coding.factors()[factor];
    const study::Value value = source.isNumeric()
                                   ? study::Value(coded < 0 ? source.low : source.high)
                                   : study::Value(source.categories[static_cast<std::size_t>(coded)]);
    return source.name + " = " + study::toText(value) + (source.unit.empty() ? "" : " " + source.unit);
}

/// Adjusted means of the runs at one level of the second factor, by level of the first.
void observeAt(const Fit& fit, const std::vector<ObservedRun>& runs, std::size_t factor, std::size_t by,
               const study::CodedPoint& at, InteractionLine& line)
{
    std::vector<ObservedRun> there;
    std::ranges::copy_if(runs, std::back_inserter(there), [&](const ObservedRun& run) {
        return std::abs(run.point[static_cast<Eigen::Index>(by)] - line.coded) <= kNearLevel;
    });
    addAdjustedMeans(fit, there, factor, at, line.curve);
}

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

std::vector<PerturbationCurve> perturbationPlot(const Fit& fit, const study::CodedPoint& at, int points)
{
    std::vector<PerturbationCurve> curves;
    if (!fit.isOk())
        return curves;
    const study::Coding coding(fit.factors);
    for (std::size_t i = 0; i < fit.factors.size(); ++i) {
        if (fit.factors[i].isNumeric())
            curves.push_back(perturbationOf(fit, coding, i, at, points));
    }
    return curves;
}

CubePlot cubePlot(const Fit& fit, const study::Study& study, const std::array<std::size_t, 3>& factors,
                  const study::CodedPoint& at)
{
    checkFactors(fit, factors);
    CubePlot plot;
    plot.response = fit.response;
    plot.responseUnit = fit.unit;
    for (std::size_t i = 0; i < 3; ++i)
        plot.factors[i] = fit.factors[factors[i]].name;
    if (!fit.isOk())
        return plot;
    const study::Coding coding(fit.factors);
    const std::vector<ObservedRun> runs = observedRuns(fit, study);
    for (unsigned corner = 0; corner < 8; ++corner) {
        CubeCorner each;
        study::CodedPoint point = at;
        for (std::size_t i = 0; i < 3; ++i) {
            each.coded[i] = cornerLevel(fit.factors[factors[i]], ((corner >> i) & 1U) != 0);
            each.actual[i] = actualAt(coding, factors[i], each.coded[i]);
            point[static_cast<Eigen::Index>(factors[i])] = each.coded[i];
        }
        each.prediction = predict(fit, point);
        each.adjusted = adjustedAt(fit, runs, factors, each, point);
        each.violation = study::findViolation(study, coding.toSettings(point));
        plot.corners.push_back(each);
    }
    return plot;
}

InteractionPlot interactionPlot(const Fit& fit, const study::Study& study, std::size_t factor, std::size_t by,
                                const study::CodedPoint& at, int points, Span span)
{
    InteractionPlot plot{fit.factors.at(factor).name, fit.factors.at(by).name, {}};
    if (!fit.isOk() || factor == by)
        return plot;
    const study::Coding coding(fit.factors);
    const std::vector<ObservedRun> runs = observedRuns(fit, study);
    for (const double coded : levelsOf(fit.factors[by])) {
        study::CodedPoint point = at;
        point[static_cast<Eigen::Index>(by)] = coded;
        InteractionLine line{levelText(coding, by, coded), coded,
                             effectCurve(fit, factor, point, points, span)};
        observeAt(fit, runs, factor, by, point, line);
        plot.lines.push_back(std::move(line));
    }
    return plot;
}

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
