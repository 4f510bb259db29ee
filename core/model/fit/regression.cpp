// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fit/regression.h"

#include "core/algebra/factorizations.h"
#include "core/algebra/products.h"
#include "core/model/base/distributions.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace quadric::model {

namespace {

/// A quarter of the curvature: of a smooth curve the part of the third order is smaller than that of the
/// second.
constexpr double kThirdOrder = 0.25;
/// An exact fit has no residuals, but its unseen bends are divided by them.
constexpr double kSmallestShare = 1e-9;
/// Coded values this near are one setting.
constexpr double kSameLevel = 1e-6;

} // namespace

ErrorModelTerms makeErrorModel(const Regression& regression)
{
    const std::vector<Eigen::Index> positions = positionsOf(regression);
    return {regression.columns, regression.solution.beta(positions),
            regression.solution.covariance(positions, positions),
            std::sqrt(regression.variance().value_or(0.0)),
            regression.hasRandomBlocks() ? regression.betweenDf : regression.df};
}

PredictionError::PredictionError(const Fit& fit)
    : m_factors(&fit.factors)
    , m_columns(&fit.columns)
    , m_beta(&fit.beta)
    , m_covariance(&fit.unscaledCovariance)
    , m_bends(&fit.unseenBends)
    , m_sigma(fit.sigma)
    , m_df(fit.blockVariance && fit.blockVariance->isRandom() ? fit.blockVariance->df : fit.dfResidual)
{
    if (fit.data != nullptr && fit.data->chosenFrom) {
        const ErrorModelTerms& candidates = *fit.data->chosenFrom;
        m_columns = &candidates.columns;
        m_beta = &candidates.beta;
        m_covariance = &candidates.unscaledCovariance;
        if (candidates.sigma >= m_sigma) {
            m_sigma = candidates.sigma;
            m_df = candidates.df;
        }
    }
    for (const UnseenBend& bend : *m_bends)
        m_sigma = std::max(m_sigma, kSmallestShare * bend.deviation);
}

Eigen::VectorXd PredictionError::rowAt(const study::CodedPoint& point) const
{
    return model::rowAt(*m_columns, point, *m_factors);
}

double PredictionError::varianceFactorAt(const study::CodedPoint& point) const
{
    const Eigen::VectorXd row = rowAt(point);
    double factor = std::max(row.dot(*m_covariance * row), 0.0);
    for (const UnseenBend& bend : *m_bends) {
        double deviation = bend.deviation / m_sigma;
        for (const double level : bend.levels)
            deviation *= point[static_cast<Eigen::Index>(bend.factor)] - level;
        factor += deviation * deviation;
    }
    return factor;
}

std::vector<UnseenBend> findUnseenBends(const Fit& fit)
{
    std::vector<UnseenBend> bends;
    for (std::size_t j = 0; j < fit.columns.size(); ++j) {
        const std::vector<int>& powers = fit.columns[j].term.powers;
        const auto square = std::ranges::find(powers, 2);
        const auto factor = static_cast<std::size_t>(square - powers.begin());
        if (square == powers.end() || !fit.factors[factor].isNumeric())
            continue;
        std::set<double> levels;
        for (const study::CodedPoint& point : fit.data->observations.points)
            levels.insert(std::round(point[static_cast<Eigen::Index>(factor)] / kSameLevel) * kSameLevel);
        if (levels.size() != 3)
            continue;
        UnseenBend bend{factor, {}, kThirdOrder * std::abs(fit.beta[static_cast<Eigen::Index>(j)])};
        std::ranges::copy(levels, bend.levels.begin());
        bends.push_back(bend);
    }
    return bends;
}

double varianceOfNewRun(const Fit& fit)
{
    const double sigma = PredictionError(fit).sigma();
    return sigma * sigma;
}

double NewRunError::halfWidth(double confidence) const
{
    return tLimit(1 - confidence, df) * std::sqrt(variance);
}

NewRunError computeAverageBlockError(const Fit& fit, double leverage, int runs)
{
    const PredictionError error(fit);
    const double ofModel = error.sigma() * error.sigma() * leverage;
    return {varianceOfNewRun(fit) / runs + ofModel, static_cast<double>(error.df())};
}

namespace {

/// Relative size of what is left by rounding: some thousand times the precision of a double.
constexpr double kRounding = 1e-12;
/// Columns of unit length nearer than this are the same column.
constexpr double kSameDirection = 1e-9;

Eigen::MatrixXd blockMatrix(const Observations& data, const std::vector<int>& blocks)
{
    const Eigen::Index columns = blocks.empty() ? 0 : static_cast<Eigen::Index>(blocks.size()) - 1;
    Eigen::MatrixXd x = Eigen::MatrixXd::Zero(data.size(), columns);
    for (Eigen::Index i = 0; columns > 0 && i < x.rows(); ++i) {
        const int id = data.blocks[static_cast<std::size_t>(i)];
        for (Eigen::Index j = 0; j < columns; ++j) {
            if (id == blocks.back())
                x(i, j) = -1.0;
            else if (id == blocks[static_cast<std::size_t>(j)])
                x(i, j) = 1.0;
        }
    }
    return x;
}

void keepColumns(const std::vector<Column>& all, const std::vector<Term>& terms, Regression& regression)
{
    const Eigen::Index blocks = regression.blockColumns();
    for (const Eigen::Index position : regression.solution.kept) {
        if (position == 0 || position > blocks)
            regression.columns.push_back(
                all[static_cast<std::size_t>(position == 0 ? 0 : position - blocks)]);
    }
    for (const Eigen::Index position : regression.solution.aliased) {
        if (position > blocks)
            regression.aliased.push_back(all[static_cast<std::size_t>(position - blocks)].name);
    }
    for (const Term& term : terms) {
        const auto belongs = [&](const Column& column) { return column.term == term; };
        if (std::any_of(regression.columns.begin(), regression.columns.end(), belongs))
            regression.terms.push_back(term);
    }
}

void tellBetweenFromWithin(const Observations& data, Regression& regression)
{
    const std::vector<std::vector<Eigen::Index>> blocks = runsByBlock(data);
    const auto isConstant = [](const Eigen::VectorXd& values) {
        return values.maxCoeff() - values.minCoeff() <= kSameDirection * values.cwiseAbs().maxCoeff();
    };
    for (const auto& column : regression.x.colwise())
        regression.isBetween.push_back(std::ranges::all_of(
            blocks, [&](const std::vector<Eigen::Index>& runs) { return isConstant(column(runs)); }));
    const auto between = std::ranges::count(regression.isBetween, true);
    regression.betweenDf = std::max(static_cast<int>(std::ssize(blocks) - between), 1);
}

/// Below this part of 1 a direction of the model rests on one fold alone.
constexpr double kDecidesAlone = 1e-9;

/// Solves the symmetric system; empty where it is singular.
std::optional<Eigen::VectorXd> solve(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& right)
{
    const algebra::PivotedCholesky factor(matrix);
    if (factor.smallestPivot() <= kDecidesAlone)
        return std::nullopt;
    return factor.solve(right);
}

/// By the n_F × n_F or the p × p system, whichever is smaller (Woodbury).
std::optional<Eigen::VectorXd> deletedResidualsOfFold(const Eigen::MatrixXd& basis,
                                                      const Eigen::VectorXd& residuals)
{
    const Eigen::Index runs = basis.rows(), columns = basis.cols();
    if (runs == 1) {
        const double rest = 1 - basis.squaredNorm();
        return rest <= kDecidesAlone ? std::nullopt : std::optional<Eigen::VectorXd>(residuals / rest);
    }
    if (runs <= columns)
        return solve(Eigen::MatrixXd::Identity(runs, runs) - algebra::timesTransposed(basis, basis),
                     residuals);
    const std::optional<Eigen::VectorXd> inner = solve(
        Eigen::MatrixXd::Identity(columns, columns) - algebra::cross(basis), basis.transpose() * residuals);
    return inner ? std::optional<Eigen::VectorXd>(residuals + basis * *inner) : std::nullopt;
}

} // namespace

std::vector<std::vector<Eigen::Index>> runsByBlock(const Observations& data)
{
    std::map<int, std::vector<Eigen::Index>> runs;
    for (Eigen::Index i = 0; i < data.size(); ++i)
        runs[data.blocks[static_cast<std::size_t>(i)]].push_back(i);
    std::vector<std::vector<Eigen::Index>> result;
    result.reserve(runs.size());
    for (auto& [block, members] : runs)
        result.push_back(std::move(members));
    return result;
}

std::vector<int> blocksOf(const Observations& data)
{
    return data.blockRatio ? std::vector<int>{} : allBlocksOf(data);
}

std::vector<int> allBlocksOf(const Observations& data)
{
    const std::set<int> ids(data.blocks.begin(), data.blocks.end());
    return ids.size() > 1 ? std::vector<int>(ids.begin(), ids.end()) : std::vector<int>{};
}

double countBlockColumns(const Observations& data)
{
    return std::max(static_cast<double>(blocksOf(data).size()) - 1.0, 0.0);
}

Eigen::MatrixXd designMatrix(const Observations& data, const std::vector<int>& blocks,
                             const std::vector<Column>& columns, const std::vector<study::Factor>& factors)
{
    const Eigen::MatrixXd terms = modelMatrix(columns, data.points, factors);
    const Eigen::MatrixXd blockPart = blockMatrix(data, blocks);
    Eigen::MatrixXd x(data.size(), terms.cols() + blockPart.cols());
    x.leftCols(1) = terms.leftCols(1);
    x.middleCols(1, blockPart.cols()) = blockPart;
    x.rightCols(terms.cols() - 1) = terms.rightCols(terms.cols() - 1);
    return decorrelated(data, std::move(x));
}

Eigen::MatrixXd decorrelated(const Observations& data, Eigen::MatrixXd values)
{
    if (!data.blockRatio)
        return values;
    for (const std::vector<Eigen::Index>& runs : runsByBlock(data)) {
        const double part = 1 - 1 / std::sqrt(1 + static_cast<double>(runs.size()) * *data.blockRatio);
        const Eigen::RowVectorXd mean = values(runs, Eigen::all).colwise().mean();
        values(runs, Eigen::all).rowwise() -= part * mean;
    }
    return values;
}

double withoutRounding(double sumOfSquares, double magnitude, Eigen::Index count)
{
    const bool isRounding =
        std::isfinite(sumOfSquares) && sumOfSquares <= roundingSumOfSquares(magnitude, count);
    return isRounding ? 0.0 : sumOfSquares;
}

double roundingSumOfSquares(double magnitude, Eigen::Index count)
{
    return static_cast<double>(count) * (kRounding * magnitude) * (kRounding * magnitude);
}

Regression solveRegression(const Observations& data, const std::vector<study::Factor>& factors,
                           const std::vector<Term>& terms)
{
    Regression regression;
    regression.factors = factors;
    regression.blocks = blocksOf(data);
    regression.z = decorrelated(data, data.z);
    regression.n = static_cast<int>(data.size());

    const std::vector<Column> columns = columnsOf(terms, factors);
    const Eigen::MatrixXd x = designMatrix(data, regression.blocks, columns, factors);
    regression.solution = solveLeastSquares(x, regression.z, kAliasTolerance);
    regression.x = x(Eigen::all, regression.solution.kept);
    keepColumns(columns, terms, regression);

    const double magnitude = regression.z.cwiseAbs().maxCoeff();
    const Eigen::VectorXd centered = withoutMean(regression.z, x.col(0));
    regression.parameters = static_cast<int>(regression.x.cols());
    regression.df = regression.n - regression.parameters;
    regression.sst = withoutRounding(centered.squaredNorm(), magnitude, data.size());
    regression.sstInBlocks = regression.blocks.empty() ? regression.sst : totalInBlocks(data);
    regression.sse = regression.df == 0 ? 0.0
                                        : withoutRounding(regression.solution.residuals.squaredNorm(),
                                                          magnitude, data.size());
    if (data.blockRatio)
        tellBetweenFromWithin(data, regression);
    return regression;
}

double totalInBlocks(const Observations& data)
{
    std::map<int, std::pair<double, int>> sums;
    for (Eigen::Index i = 0; i < data.size(); ++i) {
        auto& [sum, count] = sums[data.blocks[static_cast<std::size_t>(i)]];
        sum += data.z[i];
        ++count;
    }
    double total = 0.0;
    for (Eigen::Index i = 0; i < data.size(); ++i) {
        const auto& [sum, count] = sums.at(data.blocks[static_cast<std::size_t>(i)]);
        total += std::pow(data.z[i] - sum / count, 2);
    }
    return withoutRounding(total, data.z.cwiseAbs().maxCoeff(), data.size());
}

int missingRuns(const Observations& data, const std::vector<study::Factor>& factors,
                const std::vector<Term>& terms)
{
    const std::vector<Column> columns = columnsOf(terms, factors);
    const Eigen::MatrixXd x = designMatrix(data, blocksOf(data), columns, factors);
    const auto isLinear = [](const Column& column) { return column.term.degree() <= 1; };
    const Eigen::Index linear = std::count_if(columns.begin(), columns.end(), isLinear);
    const Eigen::Index blocks = x.cols() - static_cast<Eigen::Index>(columns.size());

    const Eigen::Index directions = countDirections(x, kSameDirection);
    const bool isEnough = x.rows() >= std::max<Eigen::Index>({directions, linear + blocks, 2});
    return isEnough ? 0 : static_cast<int>(std::max<Eigen::Index>(x.cols() - x.rows(), 1));
}

int Regression::errorDf(const std::vector<Eigen::Index>& positions) const
{
    const bool between = hasRandomBlocks() && std::ranges::any_of(positions, [&](Eigen::Index j) {
                             return isBetween[static_cast<std::size_t>(j)];
                         });
    return between ? betweenDf : std::max(df - betweenDf, 1);
}

std::vector<Eigen::Index> positionsOf(const Regression& regression)
{
    std::vector<Eigen::Index> positions;
    for (std::size_t j = 0; j < regression.columns.size(); ++j)
        positions.push_back(regression.positionOf(j));
    return positions;
}

std::vector<Eigen::Index> positionsOf(const Regression& regression, const Term& term)
{
    std::vector<Eigen::Index> positions;
    for (std::size_t j = 0; j < regression.columns.size(); ++j) {
        if (regression.columns[j].term == term)
            positions.push_back(regression.positionOf(j));
    }
    return positions;
}

std::optional<Eigen::VectorXd> deletedResiduals(const Regression& regression, const std::vector<int>& foldOf)
{
    const int folds = foldOf.empty() ? 0 : *std::ranges::max_element(foldOf) + 1;
    std::vector<std::vector<Eigen::Index>> members(static_cast<std::size_t>(folds));
    for (std::size_t i = 0; i < foldOf.size(); ++i)
        members[static_cast<std::size_t>(foldOf[i])].push_back(static_cast<Eigen::Index>(i));

    Eigen::VectorXd deleted(regression.n);
    for (const std::vector<Eigen::Index>& fold : members) {
        const std::optional<Eigen::VectorXd> errors = deletedResidualsOfFold(
            regression.solution.basis(fold, Eigen::all), regression.solution.residuals(fold));
        if (!errors)
            return std::nullopt;
        for (std::size_t i = 0; i < fold.size(); ++i)
            deleted[fold[i]] = (*errors)[static_cast<Eigen::Index>(i)];
    }
    return deleted;
}

} // namespace quadric::model
