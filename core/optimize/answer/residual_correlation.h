// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"

namespace quadric::optimize {

/// Correlation of the residuals of two fits over the runs that both have; 0 with fewer than three of them.
double residualCorrelation(const model::Fit& a, const model::Fit& b);

/// Of all pairs, in the order of the fits; 1 on the diagonal.
Eigen::MatrixXd residualCorrelations(const std::vector<const model::Fit*>& fits);

} // namespace quadric::optimize
