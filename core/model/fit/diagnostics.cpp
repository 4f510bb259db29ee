// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fit/diagnostics.h"

#include "core/algebra/products.h"
#include "core/model/base/distributions.h"
#include "core/model/base/model_size.h"
#include "core/model/fit/reduce.h"
#include "core/model/fit/regression.h"
#include "core/model/fit/tables.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <random>

namespace quadric::model {

namespace {

/// A run whose 1 − h is smaller than this alone decides its own fitted value.
constexpr double kLeverageOfOne = 1e-10;

bool isLeverageOne(double leverage)
{
    return 1 - leverage < kLeverageOfOne;
}

Diagnostic computeDiagnostic(const Regression& regression, Eigen::Index i, int run, double observed)
{
    const LeastSquares& solution = regression.solution;
    Diagnostic d;
    d.run = run;
    d.observed = observed;
    d.fitted = observed - solution.residuals[i];
    d.residual = solution.residuals[i];
    d.leverage = solution.leverage[i];
    const double variance = regression.variance().value_or(0.0);
    if (variance <= 0 || isLeverageOne(d.leverage))
        return d;
    const double r = solution.residuals[i] / std::sqrt(variance * (1 - d.leverage));
    d.internallyStudentized = r;
    d.cooksDistance = r * r * d.leverage / ((1 - d.leverage) * regression.parameters);
    const double rest = regression.df - r * r;
    if (regression.df > 1 && rest > kLeverageOfOne * regression.df) {
        d.externallyStudentized = r * std::sqrt((regression.df - 1) / rest);
        d.dffits = *d.externallyStudentized * std::sqrt(d.leverage / (1 - d.leverage));
    }
    return d;
}

/// The largest that predictions at the settings of the runs have, in the average block as every prediction
/// is.
double largestLeverage(const Regression& regression, const Observations& data)
{
    if (allBlocksOf(data).empty())
        return regression.solution.leverage.maxCoeff();
    const std::vector<Eigen::Index> positions = positionsOf(regression);
    const Eigen::MatrixXd rows = modelMatrix(regression.columns, data.points, regression.factors);
    const Eigen::MatrixXd half = rows * regression.solution.covariance(positions, positions);
    return half.cwiseProduct(rows).rowwise().sum().maxCoeff();
}

/// A run order of which less than this part is left by the terms cannot be told from them.
constexpr double kOrderIsExplained = 1e-6;

/// Positions of the runs in the order of execution.
std::vector<Eigen::Index> inOrder(const std::vector<int>& orders)
{
    std::vector<Eigen::Index> positions(orders.size());
    std::iota(positions.begin(), positions.end(), 0);
    std::ranges::stable_sort(positions, {},
                             [&](Eigen::Index i) { return orders[static_cast<std::size_t>(i)]; });
    return positions;
}

Eigen::MatrixXd differences(const Eigen::MatrixXd& rows)
{
    return rows.bottomRows(rows.rows() - 1) - rows.topRows(rows.rows() - 1);
}

/// d with A the matrix of Σ(eᵢ − eᵢ₋₁)², whose eigenvalues are between 0 and 4, and M = I − BB'.
double durbinWatsonP(double d, const Eigen::MatrixXd& basis, int df)
{
    const double n = static_cast<double>(basis.rows());
    const Eigen::MatrixXd steps = differences(basis);
    Eigen::MatrixXd product = Eigen::MatrixXd::Zero(basis.rows(), basis.cols());
    product.bottomRows(steps.rows()) += steps;
    product.topRows(steps.rows()) -= steps;
    return ratioProbability(
        {.value = d,
         .trace = 2 * (n - 1) - steps.squaredNorm(),
         .squareTrace = 6 * n - 8 - 2 * product.squaredNorm() + algebra::cross(steps).squaredNorm(),
         .low = 0.0,
         .high = 4.0,
         .df = df});
}

void checkIndependence(const Regression& regression, const std::vector<Eigen::Index>& positions,
                       ResidualChecks& checks)
{
    const Eigen::VectorXd residuals = regression.solution.residuals(positions);
    checks.durbinWatson = differences(residuals).squaredNorm() / residuals.squaredNorm();
    checks.durbinWatsonP =
        durbinWatsonP(*checks.durbinWatson, regression.solution.basis(positions, Eigen::all), regression.df);
}

/// The run order as one more column of the model.
void checkDrift(const Regression& regression, const std::vector<int>& orders, ResidualChecks& checks)
{
    const Eigen::MatrixXd& basis = regression.solution.basis;
    Eigen::VectorXd order(std::ssize(orders));
    for (std::size_t i = 0; i < orders.size(); ++i)
        order[static_cast<Eigen::Index>(i)] = orders[i];
    order.array() -= order.mean();
    const double length = order.norm();
    for (int pass = 0; pass < 2; ++pass)
        order -= basis * (basis.transpose() * order).eval();
    if (order.norm() <= kOrderIsExplained * length)
        return;
    const double slope = order.dot(regression.solution.residuals) / order.squaredNorm();
    checks.driftSlope = slope;
    const double rest = regression.sse - slope * slope * order.squaredNorm();
    const int df = regression.df - 1;
    if (df < 1 || rest <= kOrderIsExplained * regression.sse)
        return;
    checks.driftT = slope * order.norm() / std::sqrt(rest / df);
    checks.driftP = tProbability(*checks.driftT, df);
}

constexpr int kPermutations = 999;
/// As many permutations that explain as much decide.
constexpr int kEnough = 20;
/// Below this nothing more needs to be known of p.
constexpr double kSurelySmall = 0.001;
/// Values of p that differ by less are the same model.
constexpr double kSameP = 1.0 + 1e-9;

/// The same for the same results, whatever made them.
std::uint64_t makeSeed(const Eigen::VectorXd& z)
{
    std::uint64_t seed = 0x9e3779b97f4a7c15U;
    for (const double value : z)
        seed = (seed ^ std::bit_cast<std::uint64_t>(value)) * 0x100000001b3U;
    return seed;
}

/// Fisher and Yates in every group.
void shuffle(const std::vector<std::vector<Eigen::Index>>& groups, std::mt19937_64& random,
             Eigen::VectorXd& z)
{
    for (const std::vector<Eigen::Index>& group : groups) {
        for (std::size_t i = group.size(); i > 1; --i)
            std::swap(z[group[i - 1]], z[group[random() % i]]);
    }
}

/// p of the overall F test; 1 without terms or error.
double computeOverallP(const Regression& regression)
{
    const auto terms = static_cast<int>(std::ssize(regression.columns)) - 1;
    if (terms == 0 || regression.df == 0)
        return 1.0;
    if (regression.sse <= 0.0)
        return 0.0;
    const double explained = std::max(regression.sstInBlocks - regression.sse, 0.0) / terms;
    return fProbability(explained / *regression.variance(), terms, regression.df);
}

/// Bonferroni over all subsets of the terms of the full quadratic model.
double boundP(const Fit& fit, double p)
{
    return p * std::exp2(countColumns(Order::Quadratic, fit.factors) - 1.0);
}

SelectionTest permute(const Fit& fit, double p)
{
    Observations data = fit.data->observations;
    const std::vector<std::vector<Eigen::Index>> groups = runsByBlock(data);
    std::mt19937_64 random(makeSeed(data.z));
    int asExtreme = 0;
    for (int i = 1; i <= kPermutations; ++i) {
        shuffle(groups, random, data.z);
        const AutomaticModel chosen = chooseModel(data, fit.factors);
        const Regression regression = solveRegression(data, fit.factors, chosen.terms);
        asExtreme += computeOverallP(regression) <= p * kSameP ? 1 : 0;
        if (asExtreme == kEnough)
            return {static_cast<double>(asExtreme) / i, i};
    }
    return {(asExtreme + 1.0) / (kPermutations + 1.0), kPermutations};
}

std::optional<SelectionTest> compute(const Fit& fit)
{
    const Regression& regression = fit.data->regression;
    if (regression.df == 0 || regression.columns.size() < 2 || regression.sse <= 0.0)
        return std::nullopt;
    const double p = computeOverallP(regression);
    if (const double bound = boundP(fit, p); bound < kSurelySmall)
        return SelectionTest{bound, 0};
    return permute(fit, p);
}

} // namespace

std::optional<double> computePress(const Eigen::VectorXd& residuals, const Eigen::VectorXd& leverage)
{
    double press = 0.0;
    for (Eigen::Index i = 0; i < residuals.size(); ++i) {
        if (isLeverageOne(leverage[i]))
            return std::nullopt;
        const double deleted = residuals[i] / (1 - leverage[i]);
        press += deleted * deleted;
    }
    return press;
}

std::optional<double> correctedAkaike(int n, int parameters, double sse)
{
    const double runs = n;
    const double k = parameters + 1;
    if (runs - k - 1 <= 0 || sse <= 0)
        return std::nullopt;
    const double twoLogLikelihood = -runs * (std::log(2 * M_PI) + std::log(sse / runs) + 1);
    return -twoLogLikelihood + 2 * k + 2 * k * (k + 1) / (runs - k - 1);
}

std::vector<Diagnostic> computeDiagnostics(const Regression& regression, const Observations& data)
{
    std::vector<Diagnostic> diagnostics;
    diagnostics.reserve(data.runs.size());
    for (std::size_t i = 0; i < data.runs.size(); ++i) {
        diagnostics.push_back(computeDiagnostic(regression, static_cast<Eigen::Index>(i), data.runs[i],
                                                data.z[static_cast<Eigen::Index>(i)]));
        diagnostics.back().order = data.orders[i];
        diagnostics.back().block = data.blocks[i];
    }
    return diagnostics;
}

void summarize(const Regression& regression, const Observations& data, Fit& fit)
{
    fit.maxLeverage = largestLeverage(regression, data);
    fit.press = computePress(regression.solution.residuals, regression.solution.leverage);
    if (fit.press && regression.sse <= 0)
        fit.press = 0.0;
    fit.aicc = correctedAkaike(regression.n, regression.parameters, regression.sse);
    if (regression.df > 0)
        fit.sigma = std::sqrt(*regression.variance());
    if (fit.sigma > 0) {
        const auto [low, high] = std::ranges::minmax(fit.diagnostics, {}, &Diagnostic::fitted);
        const double range = high.fitted - low.fitted;
        fit.adequatePrecision = range / (fit.sigma * std::sqrt(static_cast<double>(fit.parameters) / fit.n));
    }
    if (regression.sstInBlocks <= 0)
        return;
    const auto df = static_cast<double>(regression.n - 1 - regression.blockColumns());
    fit.r2 = 1 - regression.sse / regression.sstInBlocks;
    if (regression.df > 0)
        fit.r2Adjusted = 1 - *regression.variance() / (regression.sstInBlocks / df);
    if (fit.press)
        fit.r2Predicted = 1 - *fit.press / regression.sstInBlocks;
}

ResidualChecks checkResiduals(const Regression& regression, const Observations& data)
{
    ResidualChecks checks;
    if (regression.df == 0 || regression.sse <= 0)
        return checks;
    if (data.isOrderKnown) {
        checkIndependence(regression, inOrder(data.orders), checks);
        if (!regression.hasRandomBlocks()) // a drift would be part of the differences between blocks
            checkDrift(regression, data.orders, checks);
    }
    if (const std::optional<ShapiroWilk> normality = shapiroWilk(regression.solution.residuals)) {
        checks.shapiroWilk = normality->w;
        checks.normalityP = normality->p;
    }
    return checks;
}

bool isChosen(const Fit& fit)
{
    return fit.isOk() && !fit.choice.empty();
}

std::optional<SelectionTest> testSelection(const Fit& fit)
{
    if (!isChosen(fit) || fit.data == nullptr)
        return std::nullopt;
    return fit.data->selection->get([&] { return compute(fit); });
}

bool isSelectionTested(const Fit& fit)
{
    return !isChosen(fit) || fit.data == nullptr || fit.data->selection->isKnown();
}

std::optional<double> findModelP(const Fit& fit)
{
    if (const std::optional<SelectionTest> test = testSelection(fit))
        return test->p;
    const AnovaRow* row = rowOf(fit, "Model");
    return row == nullptr ? std::nullopt : row->p;
}

} // namespace quadric::model
