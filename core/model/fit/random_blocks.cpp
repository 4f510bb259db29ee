// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fit/random_blocks.h"
#include "core/algebra/products.h"
#include "core/algebra/symmetric_eigen.h"
#include "core/model/base/variance_search.h"

#include <algorithm>
#include <cmath>

namespace quadric::model {

namespace {

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

/// σ_b²/σ² where the deviance is smallest, 0 included.
double findRatio(const BlockDirections& blocks, const Regression& regression)
{
    return findVariance([&](double ratio) { return deviance(blocks, regression, ratio); },
                        1 / blocks.lambda.maxCoeff(), kSmallestRatio, kLargestRatio);
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

std::optional<BlockVariance> estimateBlockVariance(const Observations& data, const Regression& regression)
{
    if (regression.blocks.empty() || regression.blockColumns() == 0 || regression.df == 0 ||
        regression.sse <= 0)
        return std::nullopt;
    const BlockDirections blocks = directionsOf(data, regression);
    if (!(blocks.lambda.minCoeff() > kBlockIsExplained))
        return std::nullopt;
    const double ratio = findRatio(blocks, regression);
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
