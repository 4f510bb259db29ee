// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/feasibility/feasibility.h"

#include <Eigen/Core>

#include <cmath>
#include <optional>

namespace quadric::model {

/// The standard normal variable is between ± this with 95 %.
inline constexpr double kNormalLimit = 1.959963984540054;

/// Logistic regression whose score is corrected for the bias of few observations (Firth 1993), so that
/// estimates stay finite where the outcomes can be separated (Heinze & Schemper 2002).
struct FirthLogistic {
    Eigen::VectorXd beta;
    Eigen::MatrixXd covariance; ///< (X'WX)⁻¹ at beta
    double logLikelihood = 0.0; ///< penalized: log L + ½ log |X'WX|

    /// Standard error of the log odds of the outcome with this row of the model matrix.
    double errorAt(const Eigen::VectorXd& row) const { return std::sqrt(row.dot(covariance * row)); }
};

/// `hasOutcome`: 0 or 1 for each row of `x`. `ridge`: precision of a normal prior with mean 0 for each
/// coefficient; 0, Firth's own, asks for an x of full rank. Empty where it does not converge.
std::optional<FirthLogistic> fitFirth(const Eigen::MatrixXd& x, const Eigen::VectorXd& hasOutcome,
                                      double ridge = 0.0);

/// A fitted method, at a coded point.
using OutcomeModel = std::function<RunProbability(const Eigen::VectorXd&)>;

/// log odds linear in the coded factors, and bent by the squares and interactions that lower AIC, one by one.
OutcomeModel logisticModel(const study::Study& study, const RunOutcomes& outcomes);

/// Predicted memory against a limit, where every run that failed went out of memory and runs tell what they
/// need: their `memory_peak_mib` those that worked, or what the worker expected
/// (Provenance::memoryEstimateMib) all of them. Empty otherwise.
std::optional<OutcomeModel> memoryModel(const study::Study& study, const RunOutcomes& outcomes);

} // namespace quadric::model
