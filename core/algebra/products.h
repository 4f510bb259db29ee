// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

namespace quadric::algebra {

// Products of two dense matrices. Eigen compiles its kernels anew in every file that multiplies two matrices;
// these functions contain them once. Products with a vector are cheap to compile and stay where they are.

/// A B.
Eigen::MatrixXd times(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);
/// The same into a matrix other than A and B, whose memory is used again.
void times(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b, Eigen::MatrixXd& product);

/// A B'.
Eigen::MatrixXd timesTransposed(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

/// A'B.
Eigen::MatrixXd transposedTimes(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

/// X'X.
Eigen::MatrixXd cross(const Eigen::MatrixXd& x);

/// X'WX with the weights as the diagonal of W.
Eigen::MatrixXd weightedCross(const Eigen::MatrixXd& x, const Eigen::VectorXd& weights);

} // namespace quadric::algebra
