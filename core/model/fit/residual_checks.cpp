// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algebra/products.h"
#include "core/model/base/distributions.h"
#include "core/model/base/normality.h"
#include "core/model/base/residual_ratio.h"
#include "core/model/fit/tables.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace quadric::model {

namespace {

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

} // namespace

ResidualChecks residualChecksOf(const Regression& regression, const std::vector<int>& orders)
{
    ResidualChecks checks;
    if (regression.df == 0 || regression.sse <= 0)
        return checks;
    checkIndependence(regression, inOrder(orders), checks);
    checkDrift(regression, orders, checks);
    if (const std::optional<ShapiroWilk> normality = shapiroWilk(regression.solution.residuals)) {
        checks.shapiroWilk = normality->w;
        checks.normalityP = normality->p;
    }
    return checks;
}

} // namespace quadric::model
