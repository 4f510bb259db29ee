// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

namespace quadric::model {

/// The variance at which a deviance (twice a negative log likelihood) is smallest: looked for at `unit` times
/// the powers of ten from `lowest` to `highest`, then by Brent's method about the best of them; 0 where none
/// is better than 0.
double findVariance(const std::function<double(double)>& deviance, double unit, int lowest, int highest);

} // namespace quadric::model
