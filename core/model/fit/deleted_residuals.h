// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/regression.h"

namespace quadric::model {

/// What is observed minus what a model says that was fitted without the run's fold: e₍F₎ = (I − H_FF)⁻¹ e_F,
/// exactly what fitting anew without the fold gives. `foldOf` numbers the folds from 0. Empty where a fold
/// alone decides a coefficient.
std::optional<Eigen::VectorXd> deletedResiduals(const Regression& regression, const std::vector<int>& foldOf);

} // namespace quadric::model
