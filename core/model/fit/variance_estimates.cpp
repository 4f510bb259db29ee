// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fit/variance_estimates.h"

#include "core/algebra/factorizations.h"
#include "core/algebra/products.h"
#include "core/model/base/least_squares.h"
#include "core/model/fit/observations.h"
#include "core/text/numbers.h"

#include <algorithm>
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

/// Directions of the blocks that the terms leave less than this of are explained by them.
constexpr double kBlockIsExplained = 1e-9;
/// Ratios of variances from which the search starts: powers of ten times the ratio at which both count the
/// same.
constexpr int kSmallestRatio = -4, kLargestRatio = 10;

/// What the terms leave of the blocks: squared response along each direction, and how much of the variance
/// between blocks that direction has (Var = σ² + λ σ_b²).
struct BlockDirections {
    Eigen::ArrayXd lambda, squares;
};

/// 1 in the column of each run's block, weighted.
Eigen::MatrixXd incidenceOf(const Observations& data, const std::vector<int>& blocks)
{
    Eigen::MatrixXd z = Eigen::MatrixXd::Zero(data.size(), std::ssize(blocks));
    for (Eigen::Index i = 0; i < z.rows(); ++i)
        z(i, std::ranges::lower_bound(blocks, data.blocks[static_cast<std::size_t>(i)]) - blocks.begin()) = 1;
    return weighted(data, std::move(z));
}

BlockDirections directionsOf(const Observations& data, const Regression& regression)
{
    const Eigen::Index blocks = regression.blockColumns();
    Eigen::MatrixXd terms(regression.x.rows(), regression.x.cols() - blocks);
    terms.leftCols(1) = regression.x.leftCols(1);
    terms.rightCols(terms.cols() - 1) = regression.x.rightCols(terms.cols() - 1);
    const Eigen::MatrixXd basis = orthogonalBasis(terms, kBlockIsExplained).vectors;
    Eigen::MatrixXd rest = incidenceOf(data, regression.blocks);
    rest -= algebra::times(basis, algebra::transposedTimes(basis, rest));
    const algebra::SymmetricEigen eigen = algebra::symmetricEigen(algebra::cross(rest));
    // The blocks add as many directions as they have columns in the regression; the others are rounding.
    const Eigen::Index count = std::min(blocks, rest.cols());
    const Eigen::VectorXd along =
        eigen.vectors.rightCols(count).transpose() * (rest.transpose() * regression.z);
    const Eigen::ArrayXd lambda = eigen.values.tail(count).array();
    return {lambda, along.array().square() / lambda};
}

/// Twice the negative restricted log likelihood, σ² at its best for the ratio.
double deviance(const BlockDirections& blocks, const Regression& regression, double ratio)
{
    const Eigen::ArrayXd scale = 1 + ratio * blocks.lambda;
    const double df = regression.df + static_cast<double>(blocks.lambda.size());
    return scale.log().sum() + df * std::log((blocks.squares / scale).sum() + regression.sse);
}

/// Inverse of the expected information on σ_b² and σ².
void fillSampling(const BlockDirections& blocks, const Regression& regression, BlockVariance& result)
{
    const double residual = *regression.variance();
    const Eigen::ArrayXd d = (residual + 2 * result.between * blocks.lambda).square();
    const double bb = (blocks.lambda.square() / d).sum() / 2, be = (blocks.lambda / d).sum() / 2;
    const double ee = ((1 / d).sum() + regression.df / (residual * residual)) / 2;
    const double determinant = bb * ee - be * be;
    result.ofBetween = ee / determinant;
    result.ofResidual = bb / determinant;
    result.covariance = -be / determinant;
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

std::optional<BlockVariance> estimateBlockVariance(const Observations& data, const Regression& regression)
{
    if (regression.blocks.empty() || regression.blockColumns() == 0 || regression.df == 0 ||
        regression.sse <= 0)
        return std::nullopt;
    const BlockDirections blocks = directionsOf(data, regression);
    if (!(blocks.lambda.minCoeff() > kBlockIsExplained))
        return std::nullopt;
    // σ_b²/σ² where the deviance is smallest, 0 included.
    const double ratio = findVariance([&](double at) { return deviance(blocks, regression, at); },
                                      1 / blocks.lambda.maxCoeff(), kSmallestRatio, kLargestRatio);
    const double df = regression.df + static_cast<double>(blocks.lambda.size());
    const double residual = ((blocks.squares / (1 + ratio * blocks.lambda)).sum() + regression.sse) / df;
    BlockVariance result;
    result.blocks = static_cast<int>(regression.blocks.size());
    result.between = ratio * residual;
    fillSampling(blocks, regression, result);
    return result;
}

std::vector<std::string> findTermsBetweenBlocks(const Observations& data, const Regression& regression,
                                                const std::vector<Term>& terms, double rankTolerance)
{
    Observations single = data;
    std::ranges::fill(single.blocks, 1);
    const std::vector<std::string> otherwise =
        solveRegression(single, regression.factors, terms, rankTolerance).aliased;
    std::vector<std::string> names;
    std::ranges::copy_if(regression.aliased, std::back_inserter(names), [&](const std::string& name) {
        return std::ranges::find(otherwise, name) == otherwise.end();
    });
    return names;
}

std::optional<NewRunError> computeNewBlockError(const Fit& fit, double leverage, int runs, double share)
{
    if (!fit.blockVariance)
        return std::nullopt;
    const BlockVariance& blocks = *fit.blockVariance;
    const double sigma = PredictionError(fit).sigma();
    const double residual = sigma * sigma;
    const double ofBlocks = share + 1.0 / blocks.blocks;
    const double ofRuns = (fit.weighting ? fit.weighting->newRun : 1.0) / runs + leverage;
    const auto varianceAt = [&](double between) { return ofBlocks * between + ofRuns * residual; };
    const double sampling = ofBlocks * ofBlocks * blocks.ofBetween + ofRuns * ofRuns * blocks.ofResidual +
                            2 * ofBlocks * ofRuns * blocks.covariance;
    const double atTwice = varianceAt(2 * blocks.between);
    return NewRunError{varianceAt(blocks.between), 2 * atTwice * atTwice / sampling};
}

NewRunError computeNewRunError(const Fit& fit, double leverage, int runs, double share)
{
    return computeNewBlockError(fit, leverage, runs, share)
        .value_or(computeAverageBlockError(fit, leverage, runs));
}

} // namespace quadric::model
