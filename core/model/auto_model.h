// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/regression.h"

namespace quadric::model {

/// Chooses mean, linear, interactions or quadratic. An order is a candidate when the runs can estimate all of
/// its terms with an error left over. The highest candidate whose added group of terms is significant
/// (sequential F, p < 0.05) is taken; then a higher candidate replaces it while the lack of fit of the choice
/// is significant and the higher one predicts better (R²pred); at last a lower one replaces it when that
/// predicts better. Without a testable group the answer is linear, where it can be estimated, else mean.
Order chooseOrder(const Observations& data, const std::vector<study::Factor>& factors, double rankTolerance);

/// Name of an order in a study file: "mean", "linear", "interactions", "quadratic".
std::string_view nameOf(Order order);

} // namespace quadric::model
