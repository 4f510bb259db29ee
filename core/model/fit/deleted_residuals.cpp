// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fit/deleted_residuals.h"

#include "core/algebra/cholesky.h"
#include "core/algebra/products.h"

#include <algorithm>

namespace quadric::model {

namespace {

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
std::optional<Eigen::VectorXd> deletedOf(const Eigen::MatrixXd& basis, const Eigen::VectorXd& residuals)
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

std::optional<Eigen::VectorXd> deletedResiduals(const Regression& regression, const std::vector<int>& foldOf)
{
    const int folds = foldOf.empty() ? 0 : *std::ranges::max_element(foldOf) + 1;
    std::vector<std::vector<Eigen::Index>> members(static_cast<std::size_t>(folds));
    for (std::size_t i = 0; i < foldOf.size(); ++i)
        members[static_cast<std::size_t>(foldOf[i])].push_back(static_cast<Eigen::Index>(i));

    Eigen::VectorXd deleted(regression.n);
    for (const std::vector<Eigen::Index>& fold : members) {
        const std::optional<Eigen::VectorXd> errors =
            deletedOf(regression.solution.basis(fold, Eigen::all), regression.solution.residuals(fold));
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
