// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fit/distributions.h"
#include "core/model/fit/thresholds.h"
#include "core/model/predict/predict.h"
#include "core/model/select/recommendation.h"
#include "core/report/catalogue/fit_sentences.h"
#include "core/report/findings/fit_parts.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <cmath>

namespace quadric::report {

namespace {

/// With more numeric factors the corners are too many to predict at each of them.
constexpr std::size_t kMostCornerFactors = 12;

/// How many corners of the region are extrapolations, and how many there are.
std::pair<int, int> countExtrapolatedCorners(const model::Fit& fit)
{
    std::vector<std::size_t> numeric;
    for (std::size_t i = 0; i < fit.factors.size(); ++i) {
        if (fit.factors[i].isNumeric())
            numeric.push_back(i);
    }
    if (numeric.empty() || numeric.size() > kMostCornerFactors)
        return {0, 0};
    const int corners = 1 << numeric.size();
    int extrapolated = 0;
    study::CodedPoint point(Eigen::VectorXd::Zero(std::ssize(fit.factors)));
    for (int corner = 0; corner < corners; ++corner) {
        for (std::size_t i = 0; i < numeric.size(); ++i)
            point[static_cast<Eigen::Index>(numeric[i])] = ((corner >> i) & 1) != 0 ? 1.0 : -1.0;
        extrapolated += model::predict(fit, point).isExtrapolation ? 1 : 0;
    }
    return {extrapolated, corners};
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
                                  {{"p", text::formatPClause(p)}});
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
        findings.push_back(
            makeFinding(*p < model::kSignificance ? catalogue::kDoubtfulNormality : catalogue::kNormality,
                        {{"p", text::formatPClause(*p)}}));
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
    const auto [outside, corners] = countExtrapolatedCorners(fit);
    if (corners > 0)
        findings.push_back(
            makeFinding(outside == 0 ? catalogue::kCoveredRegion : catalogue::kExtrapolatedCorners,
                        {{"outside", std::to_string(outside)}, {"all", std::to_string(corners)}}));
}

} // namespace quadric::report
