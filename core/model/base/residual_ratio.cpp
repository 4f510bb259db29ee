// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/base/residual_ratio.h"

#include <boost/math/special_functions/beta.hpp>

#include <algorithm>

namespace quadric::model {

namespace {

/// Variances below this part of the squared range are rounding.
constexpr double kNoVariance = 1e-12;

} // namespace

double ratioProbability(const ResidualRatio& ratio)
{
    const double df = ratio.df, range = ratio.high - ratio.low;
    const double mean = ratio.trace / df;
    const double variance = 2 * (ratio.squareTrace - ratio.trace * mean) / (df * (df + 2));
    if (!(variance > kNoVariance * range * range))
        return 1.0;
    const double center = (mean - ratio.low) / range;
    const double size = center * (1 - center) * range * range / variance - 1;
    const double at = std::clamp((ratio.value - ratio.low) / range, 0.0, 1.0);
    const double a = center * size, b = (1 - center) * size;
    if (!(a > 0) || !(b > 0))
        return 1.0;
    return std::min({2 * boost::math::ibeta(a, b, at), 2 * boost::math::ibetac(a, b, at), 1.0});
}

} // namespace quadric::model
