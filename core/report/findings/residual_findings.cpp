// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fit/distributions.h"
#include "core/model/fit/thresholds.h"
#include "core/model/predict/corner_cover.h"
#include "core/model/select/recommendation.h"
#include "core/report/catalogue/fit_sentences.h"
#include "core/report/findings/fit_parts.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <cmath>

namespace quadric::report {

namespace {

/// Runs up to which the test of Shapiro & Wilk misses all but strong deviations.
constexpr int kFewForNormality = 30;

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

std::string describeSeenDrift(const model::Fit& fit)
{
    const std::optional<double> seen = computeSeenDrift(fit);
    return seen ? fill(catalogue::kSeenDrift, {{"size", text::formatBriefly(*seen, 2)}}) : std::string();
}

} // namespace

void addOutliers(const model::Fit& fit, Findings& findings)
{
    if (fit.dfResidual < 2 || std::ranges::none_of(fit.diagnostics, [](const model::Diagnostic& row) {
            return row.externallyStudentized.has_value();
        }))
        return;
    const double limit = model::tLimit(model::kSignificance / fit.n, fit.dfResidual - 1);
    std::vector<int> outliers;
    for (const model::Diagnostic& row : fit.diagnostics)
        if (row.externallyStudentized && std::abs(*row.externallyStudentized) > limit)
            outliers.push_back(row.run);
    findings.push_back(outliers.empty() ? makeFinding(catalogue::kNoOutliers)
                                        : makeFinding(catalogue::kOutliers, {}, outliers));
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
    Finding finding = makeFinding(p < model::kSignificance ? catalogue::kDrift : catalogue::kNoDrift,
                                  {{"p", text::formatPClause(p)}, {"seen", describeSeenDrift(fit)}});
    finding.severity = judgeP(p);
    return finding;
}

void addDrift(const model::Fit& fit, Findings& findings)
{
    if (std::optional<Finding> finding = driftFinding(fit))
        findings.push_back(std::move(*finding));
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

void addScales(const model::Fit& fit, Findings& findings)
{
    if (!fit.r2)
        return;
    const model::Recommendation recommendation = model::recommendScales(fit);
    if (recommendation.isRecommended || !recommendation.candidates.empty())
        findings.push_back(
            makeFinding(recommendation.isRecommended ? catalogue::kOtherScales : catalogue::kPresentScales,
                        {{"message", recommendation.message}}));
}

void addExtrapolation(const model::Fit& fit, Findings& findings)
{
    const model::CornerCover cover = model::findUncoveredCorners(fit);
    if (cover.corners > 0)
        findings.push_back(
            makeFinding(cover.outside == 0 ? catalogue::kCoveredRegion : catalogue::kExtrapolatedCorners,
                        {{"outside", std::to_string(cover.outside)},
                         {"all", std::to_string(cover.corners)},
                         {"model", cover.model}}));
}

} // namespace quadric::report
