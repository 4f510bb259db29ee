// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/base/thresholds.h"
#include "core/model/fit/diagnostics.h"
#include "core/model/fit/observations.h"
#include "core/model/predict/predict.h"
#include "core/model/select/boxcox.h"
#include "core/model/select/fit_checks.h"
#include "core/report/catalogue/fit_sentences.h"
#include "core/report/catalogue/measurement_sentences.h"
#include "core/report/findings/fit_findings.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <cmath>

namespace quadric::report {

namespace {

/// Largest over smallest result where a scatter that grows with them can matter: on the response's own scale.
double findWideRange(const model::Fit& fit)
{
    const bool isOwnScale = fit.transform.kind == study::TransformKind::None && fit.smallestObserved > 0.0;
    return isOwnScale ? fit.largestObserved / fit.smallestObserved : 1.0;
}

/// A run with more leverage is predicted by itself alone.
constexpr double kLeverageOfOne = 1.0 - 1e-9;

} // namespace

void addOutliers(const model::Fit& fit, Findings& findings)
{
    if (const std::optional<model::FarOutlier> far = model::findFarOutlier(fit)) {
        findings.push_back(makeFinding(catalogue::kFarOutlierRun,
                                       {{"r2 without", text::formatShare(far->r2Without, 3)},
                                        {"r2", text::formatShare(fit.r2.value_or(0.0), 3)},
                                        {"sigma without", text::formatBriefly(far->sigmaWithout)},
                                        {"sigma", text::formatBriefly(fit.sigma)}},
                                       {far->run}));
        return;
    }
    const std::optional<model::OutlierTest> test = model::testOutliers(fit);
    if (!test)
        return;
    findings.push_back(test->outliers.empty() ? makeFinding(catalogue::kNoOutliers)
                                              : makeFinding(catalogue::kOutliers, {}, test->outliers));
}

std::optional<double> findDriftP(const model::Fit& fit)
{
    return fit.dfResidual < model::kFewestDfOfOrder ? std::nullopt : fit.residualChecks.driftP;
}

std::optional<Finding> driftFinding(const model::Fit& fit)
{
    const std::optional<double> p = findDriftP(fit);
    if (!p)
        return std::nullopt;
    Finding finding = makeFinding(*p < model::kSignificance ? catalogue::kDrift : catalogue::kNoDrift,
                                  {{"p", text::formatPClause(*p)}});
    finding.severity = judgeP(*p);
    return finding;
}

void addDrift(const model::Fit& fit, Findings& findings)
{
    if (std::optional<Finding> finding = driftFinding(fit))
        findings.push_back(std::move(*finding));
}

void addEqualVariance(const model::Fit& fit, Findings& findings)
{
    const bool areResidualsShaped =
        fit.parameters > model::kMostTestedShare * fit.n || fit.maxLeverage > kLeverageOfOne;
    const std::optional<model::SpreadCheck> check =
        areResidualsShaped ? std::nullopt : model::checkSpread(fit);
    const bool isUnequal = check && check->p < model::kSignificance;
    const double factor = findWideRange(fit);
    if (!check && factor <= model::kWideRange)
        return;
    const bool isTurned = model::powerOf(fit.transform) < 0.0; // high on the model's scale is low in the unit
    const bool grows = check && (check->slope > 0) != isTurned;
    const Entry& entry = isUnequal                    ? catalogue::kUnequalVariance
                         : factor > model::kWideRange ? catalogue::kUnseenScatter
                                                      : catalogue::kEqualVariance;
    findings.push_back(makeFinding(entry, {{"response", fit.response},
                                           {"much", grows ? "high" : "low"},
                                           {"little", grows ? "low" : "high"},
                                           {"factor", text::formatBriefly(factor)},
                                           {"p", check ? text::formatPClause(check->p) : std::string()}}));
}

void addTransform(const model::Fit& fit, Findings& findings)
{
    if (fit.r2 && fit.transform.kind == study::TransformKind::BoxCox && !model::isLogarithm(fit.transform))
        findings.push_back(
            makeFinding(catalogue::kEstimatedPower, {{"power", text::formatExactly(fit.transform.lambda)}}));
}

void addImpossiblePredictions(const model::Fit& fit, Findings& findings)
{
    const std::vector<study::CodedPoint> corners = model::cornersOf(fit.factors);
    const auto negative = std::ranges::count_if(
        corners, [&fit](const study::CodedPoint& corner) { return model::predictMean(fit, corner) < 0.0; });
    if (negative > 0 && fit.smallestObserved > 0.0)
        findings.push_back(
            makeFinding(catalogue::kNegativePredictions,
                        {{"n", std::to_string(negative)}, {"all", std::to_string(corners.size())}}));
}

void addBlocks(const model::Fit& fit, Findings& findings)
{
    if (fit.blockVariance && !fit.blockVariance->terms.empty())
        findings.push_back(makeFinding(
            fit.blockVariance->isRandom() ? catalogue::kRandomBlocks : catalogue::kUnseenBlockTerms,
            {{"terms", text::formatList(fit.blockVariance->terms)},
             {"n", std::to_string(fit.blockVariance->blocks)},
             {"df", text::formatCount(fit.blockVariance->df, "degree") + " of freedom"}}));
}

} // namespace quadric::report
