// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/base/thresholds.h"
#include "core/model/fit/diagnostics.h"
#include "core/model/fit/observations.h"
#include "core/model/select/boxcox.h"
#include "core/model/select/fit_checks.h"
#include "core/report/catalogue/fit_sentences.h"
#include "core/report/catalogue/measurement_sentences.h"
#include "core/report/findings/fit_findings.h"
#include "core/text/numbers.h"

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

std::optional<Finding> checkOutliers(const model::Fit& fit)
{
    if (const std::optional<model::FarOutlier> far = model::findFarOutlier(fit))
        return makeFinding(catalogue::kFarOutlierRun,
                           {{"r2 without", text::formatShare(far->r2Without, 3)},
                            {"r2", text::formatShare(fit.r2.value_or(0.0), 3)},
                            {"sigma without", text::formatBriefly(far->sigmaWithout)},
                            {"sigma", text::formatBriefly(fit.sigma)}},
                           {far->run});
    const std::optional<model::OutlierTest> test = model::testOutliers(fit);
    if (!test)
        return std::nullopt;
    return test->outliers.empty() ? makeFinding(catalogue::kNoOutliers)
                                  : makeFinding(catalogue::kOutliers, {}, test->outliers);
}

Finding describeDrift(const std::string& response, double p)
{
    Finding finding = makeFinding(p < model::kSignificance ? catalogue::kDrift : catalogue::kNoDrift,
                                  {{"response", response}, {"p", text::formatPClause(p)}});
    finding.severity = findSeverity(p);
    return finding;
}

std::optional<double> findDriftP(const model::Fit& fit)
{
    return fit.dfResidual < model::kFewestDfOfOrder ? std::nullopt : fit.residualChecks.driftP;
}

std::optional<Finding> checkDrift(const model::Fit& fit)
{
    const std::optional<double> p = findDriftP(fit);
    return p ? std::optional(describeDrift(fit.response, *p)) : std::nullopt;
}

std::optional<Finding> checkEqualVariance(const model::Fit& fit)
{
    const bool areResidualsShaped =
        fit.parameters > model::kMostTestedShare * fit.n || fit.maxLeverage > kLeverageOfOne;
    const std::optional<model::SpreadCheck> check =
        areResidualsShaped ? std::nullopt : model::checkSpread(fit);
    const bool isUnequal = check && check->p < model::kSignificance;
    const double factor = findWideRange(fit);
    if (!check && factor <= model::kWideRange)
        return std::nullopt;
    const bool isTurned = model::powerOf(fit.transform) < 0.0; // high on the model's scale is low in the unit
    const bool grows = check && (check->slope > 0) != isTurned;
    const Entry& entry = isUnequal                    ? catalogue::kUnequalVariance
                         : factor > model::kWideRange ? catalogue::kUnseenScatter
                                                      : catalogue::kEqualVariance;
    return makeFinding(entry, {{"response", fit.response},
                               {"much", grows ? "high" : "low"},
                               {"little", grows ? "low" : "high"},
                               {"factor", text::formatBriefly(factor)},
                               {"p", check ? text::formatPClause(check->p) : std::string()}});
}

std::optional<Finding> checkBlocks(const model::Fit& fit)
{
    if (!fit.blockVariance || fit.blockVariance->terms.empty())
        return std::nullopt;
    return makeFinding(fit.blockVariance->isRandom() ? catalogue::kRandomBlocks
                                                     : catalogue::kUnseenBlockTerms,
                       {{"terms", text::formatList(fit.blockVariance->terms)},
                        {"n", std::to_string(fit.blockVariance->blocks)},
                        {"df", text::formatCount(fit.blockVariance->df, "degree") + " of freedom"}});
}

} // namespace quadric::report
