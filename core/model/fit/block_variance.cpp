// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fit/block_variance.h"

#include "core/algebra/factorizations.h"
#include "core/algebra/products.h"
#include "core/model/base/least_squares.h"
#include "core/model/fit/observations.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace quadric::model {

namespace {

/// Coded settings nearer to each other than this are the same setting.
constexpr double kSameWithinBlock = 1e-9;
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

/// 1 in the column of each run's block.
Eigen::MatrixXd incidenceOf(const Observations& data, const std::vector<int>& blocks)
{
    Eigen::MatrixXd z = Eigen::MatrixXd::Zero(data.size(), std::ssize(blocks));
    for (Eigen::Index i = 0; i < z.rows(); ++i)
        z(i, std::ranges::lower_bound(blocks, data.blocks[static_cast<std::size_t>(i)]) - blocks.begin()) = 1;
    return z;
}

/// `regression` has fixed blocks beside the columns `terms`, or beside those of them that it can tell.
BlockDirections directionsOf(const Observations& data, const Regression& regression,
                             const Eigen::MatrixXd& terms)
{
    const Eigen::MatrixXd basis = orthogonalBasis(terms, kBlockIsExplained).vectors;
    Eigen::MatrixXd rest = incidenceOf(data, regression.blocks);
    rest -= algebra::times(basis, algebra::transposedTimes(basis, rest));
    const algebra::SymmetricEigen eigen = algebra::symmetricEigen(algebra::cross(rest));
    // The blocks add as many directions as the regression has beyond the terms; the others are rounding.
    const Eigen::Index count = regression.x.cols() - basis.cols();
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

std::optional<BlockVariance> estimate(const Observations& data, const Regression& regression,
                                      const Eigen::MatrixXd& terms)
{
    if (regression.blocks.empty() || regression.df == 0 || regression.sse <= 0)
        return std::nullopt;
    const BlockDirections blocks = directionsOf(data, regression, terms);
    if (blocks.lambda.size() == 0 || !(blocks.lambda.minCoeff() > kBlockIsExplained))
        return std::nullopt;
    // σ_b²/σ² where the deviance is smallest, 0 included.
    const double ratio = findVariance([&](double at) { return deviance(blocks, regression, at); },
                                      1 / blocks.lambda.maxCoeff(), kSmallestRatio, kLargestRatio);
    const double df = regression.df + static_cast<double>(blocks.lambda.size());
    const double residual = ((blocks.squares / (1 + ratio * blocks.lambda)).sum() + regression.sse) / df;
    BlockVariance result;
    result.blocks = static_cast<int>(regression.blocks.size());
    result.ratio = ratio;
    result.between = ratio * residual;
    fillSampling(blocks, regression, result);
    return result;
}

bool isSameInAllRuns(const Observations& data, std::size_t factor)
{
    const auto axis = static_cast<Eigen::Index>(factor);
    return std::ranges::all_of(data.points, [&](const study::CodedPoint& point) {
        return std::abs(point[axis] - data.points.front()[axis]) <= kSameWithinBlock;
    });
}

} // namespace

std::optional<BlockVariance> estimateBlockVariance(const Observations& data, const Regression& regression)
{
    return estimate(data, regression, regression.x(Eigen::all, positionsOf(regression)));
}

std::optional<BlockVariance> estimateRandomBlocks(Observations data,
                                                  const std::vector<study::Factor>& factors,
                                                  const std::vector<Term>& terms)
{
    data.blockRatio.reset();
    const Regression regression = solveRegression(data, factors, terms);
    std::optional<BlockVariance> result =
        estimate(data, regression, modelMatrix(columnsOf(terms, factors), data.points, factors));
    if (!result)
        return std::nullopt;
    result->terms = findTermsBetweenBlocks(data, regression, terms);
    data.blockRatio = result->ratio;
    result->df = solveRegression(data, factors, terms).betweenDf;
    return result;
}

bool isSameWithinBlocks(const Observations& data, std::size_t factor)
{
    std::map<int, double> ofBlock;
    for (std::size_t i = 0; i < data.points.size(); ++i) {
        const double value = data.points[i][static_cast<Eigen::Index>(factor)];
        const auto [known, isNew] = ofBlock.try_emplace(data.blocks[i], value);
        if (std::abs(known->second - value) > kSameWithinBlock)
            return false;
    }
    return true;
}

bool hasFactorBetweenBlocks(const Observations& data, const std::vector<study::Factor>& factors)
{
    if (allBlocksOf(data).empty())
        return false;
    for (std::size_t i = 0; i < factors.size(); ++i) {
        if (isSameWithinBlocks(data, i) && !isSameInAllRuns(data, i))
            return true;
    }
    return false;
}

std::vector<std::string> findTermsBetweenBlocks(const Observations& data, const Regression& regression,
                                                const std::vector<Term>& terms)
{
    Observations single = data;
    std::ranges::fill(single.blocks, 1);
    const std::vector<std::string> otherwise = solveRegression(single, regression.factors, terms).aliased;
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
    const double ofRuns = 1.0 / runs + leverage;
    if (blocks.isRandom()) // the leverage contains the average of the blocks
        return NewRunError{share * blocks.between + ofRuns * residual, static_cast<double>(blocks.df)};
    const double ofBlocks = share + 1.0 / blocks.blocks;
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
