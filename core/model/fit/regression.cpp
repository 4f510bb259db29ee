// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fit/regression.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace quadric::model {

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

} // namespace quadric::model
