// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

#include <optional>

namespace quadric::model {

/// The standard normal variable is between ± this with 95 %.
inline constexpr double kNormalLimit = 1.959963984540054;

/// The probability with these log odds.
double logisticOf(double logOdds);

/// Logistic regression whose score is corrected for the bias of few observations (Firth 1993), so that
/// estimates stay finite where the outcomes can be separated (Heinze & Schemper 2002).
struct FirthLogistic {
    Eigen::VectorXd beta;
    Eigen::MatrixXd covariance; ///< (X'WX)⁻¹ at beta
    double logLikelihood = 0.0; ///< penalized: log L + ½ log |X'WX|

    /// Probability of the outcome with this row of the model matrix.
    double probabilityAt(const Eigen::VectorXd& row) const;
    /// log odds, and their standard error.
    double logOddsAt(const Eigen::VectorXd& row) const { return row.dot(beta); }
    double errorAt(const Eigen::VectorXd& row) const;
};

/// `x` of full rank, `hasOutcome` 0 or 1 for each row; empty where it does not converge.
std::optional<FirthLogistic> fitFirth(const Eigen::MatrixXd& x, const Eigen::VectorXd& hasOutcome);

} // namespace quadric::model
