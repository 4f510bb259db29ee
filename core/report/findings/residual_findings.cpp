// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/base/distributions.h"
#include "core/model/base/thresholds.h"
#include "core/model/fit/diagnostics.h"
#include "core/model/fit/observations.h"
#include "core/model/predict/predict.h"
#include "core/model/select/boxcox.h"
#include "core/model/select/cross_validation.h"
#include "core/model/select/recommendation.h"
#include "core/report/catalogue/fit_sentences.h"
#include "core/report/catalogue/measurement_sentences.h"
#include "core/report/findings/fit_findings.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <cmath>

namespace quadric::report {

namespace {

/// Runs up to which the test of Shapiro & Wilk misses all but strong deviations.
constexpr int kFewForNormality = 30;

/// Durbin and Watson's d is near this without correlation.
constexpr double kUncorrelatedNeighbors = 2.0;

/// The drift over all runs, in residual standard deviations, that the test finds with 80 %: the quantiles of
/// both errors times the standard error of the slope.
std::optional<double> computeSeenDrift(const model::Fit& fit)
{
    const model::ResidualChecks& checks = fit.residualChecks;
    if (!checks.driftSlope || !checks.driftT || *checks.driftT == 0.0 || fit.dfResidual < 2 || fit.sigma <= 0)
        return std::nullopt;
    const double error = std::abs(*checks.driftSlope / *checks.driftT);
    const auto [first, last] = std::ranges::minmax(fit.diagnostics, {}, &model::Diagnostic::order);
    const double quantiles = model::tLimit(model::kSignificance, fit.dfResidual - 1) +
                             model::tLimit(2 * (1 - model::kUsualPower), fit.dfResidual - 1);
    return quantiles * error * (last.order - first.order) / fit.sigma;
}

/// Largest over smallest result where a scatter that grows with them can matter: on the response's own scale.
std::optional<double> findWideRange(const model::Fit& fit)
{
    if (fit.transform.kind != study::TransformKind::None || fit.smallestObserved <= 0.0)
        return std::nullopt;
    const double factor = fit.largestObserved / fit.smallestObserved;
    return factor > model::kWideRange ? std::optional(factor) : std::nullopt;
}

constexpr int kGainDecimals = 1;

/// A standard deviation on the model's scale: of a logarithm it is a share of the value.
std::string formatSd(const model::Fit& fit, double variance)
{
    const double sd = std::sqrt(variance);
    if (fit.transform.kind == study::TransformKind::Log)
        return text::formatPercent(sd);
    const bool hasUnit = !fit.unit.empty() && fit.transform.kind == study::TransformKind::None;
    return text::formatBriefly(sd) + (hasUnit ? " " + fit.unit : "");
}

std::string formatRatio(double ratio)
{
    return text::formatBriefly(ratio, ratio < 10 ? 2 : 3);
}

const Entry& entryOf(const model::VarianceComponents& components)
{
    const double inside = components.insideRuns.value_or(0.0),
                 blocks = components.betweenBlocks.value_or(0.0);
    if (inside > components.betweenRuns && inside > blocks)
        return catalogue::kRunLonger;
    return blocks > components.betweenRuns ? catalogue::kMoreBlocks : catalogue::kRunMoreOften;
}

} // namespace

void addOutliers(const model::Fit& fit, Findings& findings)
{
    const std::optional<model::OutlierTest> test = model::testOutliers(fit);
    if (!test)
        return;
    findings.push_back(test->outliers.empty() ? makeFinding(catalogue::kNoOutliers)
                                              : makeFinding(catalogue::kOutliers, {}, test->outliers));
}

void addInfluence(const model::Fit& fit, Findings& findings)
{
    std::vector<int> influential;
    for (const model::Diagnostic& row : fit.diagnostics)
        if (row.cooksDistance && *row.cooksDistance > model::kLargestCook)
            influential.push_back(row.run);
    if (!influential.empty())
        findings.push_back(makeFinding(catalogue::kInfluentialRuns,
                                       {{"limit", text::formatExactly(model::kLargestCook)}}, influential));
}

std::optional<Finding> driftFinding(const model::Fit& fit)
{
    if (!fit.residualChecks.driftP)
        return std::nullopt;
    const double p = *fit.residualChecks.driftP;
    const std::optional<double> size = computeSeenDrift(fit);
    const std::string seen =
        size ? fill(catalogue::kSeenDrift, {{"size", text::formatBriefly(*size, 2)}}) : "";
    Finding finding = makeFinding(p < model::kSignificance ? catalogue::kDrift : catalogue::kNoDrift,
                                  {{"p", text::formatPClause(p)}, {"seen", seen}});
    finding.severity = judgeP(p);
    return finding;
}

void addDrift(const model::Fit& fit, Findings& findings)
{
    if (std::optional<Finding> finding = driftFinding(fit))
        findings.push_back(std::move(*finding));
}

void addIndependence(const model::Fit& fit, Findings& findings)
{
    const auto& [d, p] = std::pair(fit.residualChecks.durbinWatson, fit.residualChecks.durbinWatsonP);
    if (!d || !p || fit.dfResidual < 2)
        return;
    const Entry& entry = *p >= model::kSignificance    ? catalogue::kIndependence
                         : *d < kUncorrelatedNeighbors ? catalogue::kSerialCorrelation
                                                       : catalogue::kAlternation;
    findings.push_back(makeFinding(entry, {{"d", text::formatBriefly(*d)}, {"p", text::formatPClause(*p)}}));
}

void addEqualVariance(const model::Fit& fit, Findings& findings)
{
    const std::optional<model::SpreadCheck> check = model::checkSpread(fit);
    if (!check)
        return;
    const bool isTurned = model::powerOf(fit.transform) < 0.0; // high on the model's scale is low in the unit
    const bool grows = (check->slope > 0) != isTurned;
    const std::optional<double> factor = findWideRange(fit);
    const Entry& entry = check->p < model::kSignificance
                             ? grows ? catalogue::kGrowingScatter : catalogue::kShrinkingScatter
                         : factor ? catalogue::kUnseenScatter
                                  : catalogue::kEqualVariance;
    findings.push_back(makeFinding(entry, {{"response", fit.response},
                                           {"factor", text::formatBriefly(factor.value_or(1.0))},
                                           {"p", text::formatPClause(check->p)}}));
}

void addNormality(const model::Fit& fit, Findings& findings)
{
    if (const std::optional<double> p = fit.residualChecks.normalityP)
        findings.push_back(makeFinding(
            *p < model::kSignificance ? catalogue::kDoubtfulNormality : catalogue::kNormality,
            {{"p", text::formatPClause(*p)},
             {"seen", fit.n < kFewForNormality
                          ? fill(catalogue::kSeenNormality, {{"n", text::formatCount(fit.n, "run")}})
                          : std::string()}}));
}

void addScales(const model::Fit& fit, const model::Recommendation& recommendation, Findings& findings)
{
    if (!fit.r2)
        return;
    const bool isFreePower =
        fit.transform.kind == study::TransformKind::BoxCox && !model::isLogarithm(fit.transform);
    const Entry& entry = recommendation.isRecommended ? catalogue::kOtherScales
                         : isFreePower                ? catalogue::kEstimatedPower
                                                      : catalogue::kPresentScales;
    if (recommendation.isRecommended || isFreePower || !recommendation.candidates.empty())
        findings.push_back(makeFinding(entry, {{"message", recommendation.message},
                                               {"power", text::formatExactly(fit.transform.lambda)}}));
}

void addExtrapolation(const model::Fit& fit, Findings& findings)
{
    const std::vector<study::CodedPoint> corners = model::cornersOf(fit.factors);
    const auto negative = std::ranges::count_if(
        corners, [&fit](const study::CodedPoint& corner) { return model::predictMean(fit, corner) < 0.0; });
    if (negative > 0 && fit.smallestObserved > 0.0)
        findings.push_back(
            makeFinding(catalogue::kNegativePredictions,
                        {{"n", std::to_string(negative)}, {"all", std::to_string(corners.size())}}));
    const model::CornerCover cover = model::findUncoveredCorners(fit);
    if (cover.corners > 0)
        findings.push_back(
            makeFinding(cover.outside == 0 ? catalogue::kCoveredRegion : catalogue::kExtrapolatedCorners,
                        {{"outside", std::to_string(cover.outside)},
                         {"all", std::to_string(cover.corners)},
                         {"model", cover.model}}));
}

void addWeights(const model::Fit& fit, Findings& findings)
{
    if (!fit.weightsProblem.empty()) {
        findings.push_back(makeFinding(catalogue::kUnusedWeights, {{"problem", fit.weightsProblem}}));
        return;
    }
    const std::optional<model::WeightAdvice> advice = model::adviseWeights(fit);
    if (!advice)
        return;
    const std::string gain = text::formatDecimals(std::abs(advice->gain), kGainDecimals);
    if (advice->isUsed)
        findings.push_back(advice->isHarmful()
                               ? makeFinding(catalogue::kWeightsLose, {{"gain", gain}})
                               : makeFinding(catalogue::kWeighted,
                                             {{"ratio", formatRatio(advice->heaviest / advice->lightest)}}));
    else if (advice->isRecommended)
        findings.push_back(makeFinding(
            catalogue::kOtherWeights,
            {{"ratio", formatRatio(advice->largestError / advice->smallestError)}, {"gain", gain}}));
}

void addBlocks(const model::Fit& fit, Findings& findings)
{
    if (fit.blockVariance && !fit.blockVariance->terms.empty())
        findings.push_back(makeFinding(catalogue::kUnseenBlockTerms,
                                       {{"terms", text::formatList(fit.blockVariance->terms)}}));
}

std::optional<Finding> varianceFinding(const model::Fit& fit)
{
    const std::optional<model::VarianceComponents> components = model::estimateVarianceComponents(fit);
    if (!components || (!components->insideRuns && !components->betweenBlocks))
        return std::nullopt;
    std::vector<std::string> parts;
    const auto add = [&](std::string_view pattern, double variance) {
        parts.push_back(fill(pattern, {{"sd", formatSd(fit, variance)}}));
    };
    if (components->insideRuns)
        add(catalogue::kInsideRuns, *components->insideRuns);
    add(components->insideRuns ? catalogue::kBetweenRuns : catalogue::kInsideAndBetweenRuns,
        components->betweenRuns);
    if (components->betweenBlocks)
        add(catalogue::kBetweenBlocks, *components->betweenBlocks);
    return makeFinding(entryOf(*components),
                       {{"response", fit.response}, {"parts", text::formatList(parts)}});
}

} // namespace quadric::report
