// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fit/weights.h"
#include "core/algebra/householder_qr.h"
#include "core/model/base/variance_search.h"
#include "core/model/fit/transform.h"
#include "core/text/numbers.h"

#include <cmath>

namespace quadric::model {

namespace {

/// No run counts more than this times as much as the one that counts least: a spread of 0 tells of too few
/// samples, not of a run without error.
constexpr double kMostTimes = 1e4;
/// Powers of ten times the variance of the results, over which τ² is searched for.
constexpr int kSmallestPower = -6, kLargestPower = 1;

Eigen::VectorXd variancesOf(const Eigen::VectorXd& inside, double between)
{
    const Eigen::VectorXd whole = inside.array() + between;
    return whole.cwiseMax(whole.maxCoeff() / kMostTimes);
}

/// Twice the negative restricted log likelihood for a variance between runs.
double deviance(const Eigen::MatrixXd& x, const Eigen::VectorXd& z, const Eigen::VectorXd& inside,
                double between)
{
    const Eigen::VectorXd variances = variancesOf(inside, between);
    const Eigen::VectorXd roots = variances.cwiseSqrt().cwiseInverse();
    const algebra::HouseholderQr qr(roots.asDiagonal() * x);
    const Eigen::VectorXd rotated = qr.rotated(roots.cwiseProduct(z));
    return variances.array().log().sum() + 2 * qr.factor().diagonal().array().abs().log().sum() +
           rotated.tail(z.size() - x.cols()).squaredNorm();
}

std::string problemOf(const std::string& why)
{
    return "All runs count the same: " + why;
}

/// Variance τ² between runs beyond that inside them, by REML: Var zᵢ = sᵢ² + τ² around the columns of `x`,
/// which are independent and fewer than the runs (the estimate of meta-regression, Viechtbauer 2005). ≥ 0.
double estimateBetweenRuns(const Eigen::MatrixXd& x, const Eigen::VectorXd& z, const Eigen::VectorXd& inside)
{
    const Eigen::VectorXd centered = z.array() - z.mean();
    const double unit = centered.squaredNorm() / static_cast<double>(z.size());
    if (!(unit > 0.0) || !std::isfinite(unit))
        return 0.0;
    return findVariance([&](double between) { return deviance(x, centered, inside, between); }, unit,
                        kSmallestPower, kLargestPower);
}

/// Runs without a spread, as ids.
std::vector<int> findRunsWithoutSpread(const Observations& data)
{
    std::vector<int> runs;
    for (Eigen::Index i = 0; i < data.size(); ++i) {
        if (std::isnan(data.errors[i]))
            runs.push_back(data.runs[static_cast<std::size_t>(i)]);
    }
    return runs;
}

} // namespace

std::optional<Eigen::VectorXd> variancesInside(const Observations& data, const study::Transform& transform)
{
    Eigen::VectorXd variances(data.size());
    for (Eigen::Index i = 0; i < data.size(); ++i)
        variances[i] = std::pow(data.errors[i] / inverseSlope(transform, data.z[i]), 2);
    return variances.allFinite() ? std::optional(variances) : std::nullopt;
}

std::string weighBySpread(const Fit& fit, const std::vector<Term>& terms, Observations& data,
                          std::optional<Weighting>& weighting)
{
    weighting.reset();
    data.rootWeights.resize(0);
    const std::vector<int> without = findRunsWithoutSpread(data);
    if (!without.empty())
        return problemOf(text::formatCount(without.size(), "run") + (without.size() == 1 ? " has" : " have") +
                         " no spread of " + fit.response + " (the first is run " +
                         std::to_string(without.front()) + ").");
    const std::optional<Eigen::VectorXd> inside = variancesInside(data, fit.transform);
    if (!inside || inside->maxCoeff() <= 0)
        return problemOf("the spreads of " + fit.response + " are 0.");
    const Regression regression = solveRegression(data, fit.factors, terms, FitOptions{}.rankTolerance);
    if (regression.df == 0)
        return problemOf("no degrees of freedom are left to estimate the variance between runs.");
    const double between = estimateBetweenRuns(regression.x, data.z, *inside);
    const Eigen::ArrayXd variances = variancesOf(*inside, between).array();
    const double typical = std::exp(variances.log().mean());
    data.rootWeights = (typical / variances).sqrt();
    weighting = Weighting{.withinRuns = inside->mean(),
                          .betweenRuns = between,
                          .lightest = typical / variances.maxCoeff(),
                          .heaviest = typical / variances.minCoeff(),
                          .newRun = variances.mean() / typical};
    return {};
}

} // namespace quadric::model
