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

ErrorModelTerms makeErrorModel(const Regression& regression)
{
    std::vector<Eigen::Index> positions;
    for (std::size_t j = 0; j < regression.columns.size(); ++j)
        positions.push_back(regression.positionOf(j));
    return {regression.columns, regression.solution.beta(positions),
            regression.solution.covariance(positions, positions),
            std::sqrt(regression.variance().value_or(0.0)), regression.df};
}

PredictionError::PredictionError(const Fit& fit)
    : m_factors(&fit.factors)
    , m_columns(&fit.columns)
    , m_beta(&fit.beta)
    , m_covariance(&fit.unscaledCovariance)
    , m_sigma(fit.sigma)
    , m_df(fit.dfResidual)
{
    if (fit.data == nullptr || !fit.data->chosenFrom)
        return;
    const ErrorModelTerms& candidates = *fit.data->chosenFrom;
    m_columns = &candidates.columns;
    m_beta = &candidates.beta;
    m_covariance = &candidates.unscaledCovariance;
    if (candidates.sigma >= m_sigma) {
        m_sigma = candidates.sigma;
        m_df = candidates.df;
    }
}

Eigen::VectorXd PredictionError::rowAt(const study::CodedPoint& point) const
{
    return model::rowAt(*m_columns, point, *m_factors);
}

double PredictionError::varianceFactorAt(const study::CodedPoint& point) const
{
    const Eigen::VectorXd row = rowAt(point);
    return std::max(row.dot(*m_covariance * row), 0.0);
}

double varianceOfNewRun(const Fit& fit)
{
    const double sigma = PredictionError(fit).sigma();
    return sigma * sigma * (fit.weighting ? fit.weighting->newRun : 1.0);
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

std::vector<int> blocksOf(const Observations& data)
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
    return weighted(data, std::move(x));
}

Eigen::MatrixXd weighted(const Observations& data, Eigen::MatrixXd values)
{
    if (data.rootWeights.size() == values.rows())
        values.array().colwise() *= data.rootWeights.array();
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
                           const std::vector<Term>& terms, double rankTolerance)
{
    Regression regression;
    regression.factors = factors;
    regression.blocks = blocksOf(data);
    regression.z = weighted(data, data.z);
    regression.rootWeights = data.rootWeights;
    regression.n = static_cast<int>(data.size());

    const std::vector<Column> columns = columnsOf(terms, factors);
    const Eigen::MatrixXd x = designMatrix(data, regression.blocks, columns, factors);
    regression.solution = solveLeastSquares(x, regression.z, rankTolerance);
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
    return regression;
}

double totalInBlocks(const Observations& data)
{
    const Eigen::VectorXd weights = weighted(data, weighted(data, Eigen::VectorXd::Ones(data.size())));
    std::map<int, std::pair<double, double>> sums;
    for (Eigen::Index i = 0; i < data.size(); ++i) {
        auto& [sum, weight] = sums[data.blocks[static_cast<std::size_t>(i)]];
        sum += weights[i] * data.z[i];
        weight += weights[i];
    }
    double total = 0.0;
    for (Eigen::Index i = 0; i < data.size(); ++i) {
        const auto& [sum, weight] = sums.at(data.blocks[static_cast<std::size_t>(i)]);
        total += weights[i] * std::pow(data.z[i] - sum / weight, 2);
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
    if (regression.rootWeights.size() > 0)
        deleted.array() /= regression.rootWeights.array();
    return deleted;
}

} // namespace quadric::model
