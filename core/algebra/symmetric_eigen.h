// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

namespace quadric::algebra {

/// A = V diag(values) V' of a symmetric matrix.
struct SymmetricEigen {
    Eigen::VectorXd values;  ///< ascending
    Eigen::MatrixXd vectors; ///< V, orthonormal, a column for each value
};
SymmetricEigen symmetricEigen(const Eigen::MatrixXd& symmetric);

/// R with RR' = A, of a symmetric matrix without negative eigenvalues; those that rounding made negative are
/// taken as 0.
Eigen::MatrixXd rootOf(const Eigen::MatrixXd& symmetric);

/// The same with a symmetric R.
Eigen::MatrixXd symmetricRootOf(const Eigen::MatrixXd& symmetric);

/// Descending.
Eigen::VectorXd singularValues(const Eigen::MatrixXd& x);

} // namespace quadric::algebra
