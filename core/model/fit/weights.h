// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/regression.h"

namespace quadric::model {

/// Variance of each value inside its run on the model's scale: (dz/dy)² s² at the value itself (delta
/// method). Empty where a run has no spread.
std::optional<Eigen::VectorXd> variancesInside(const Observations& data, const study::Transform& transform);

/// Weights 1/(sᵢ² + τ²) of the runs, their geometric mean 1 so that likelihoods compare with those of equal
/// weights. Returns why there are none, and leaves the runs unweighted then.
std::string weighBySpread(const Fit& fit, const std::vector<Term>& terms, Observations& data,
                          std::optional<Weighting>& weighting);

} // namespace quadric::model
