// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/base/variance_search.h"

#include <boost/math/tools/minima.hpp>

#include <cmath>

namespace quadric::model {

namespace {

/// Bits to which the exponent is found: nearer the likelihood is flat to rounding.
constexpr int kExponentBits = 26;

} // namespace

double findVariance(const std::function<double(double)>& deviance, double unit, int lowest, int highest)
{
    const auto at = [&](double exponent) { return deviance(unit * std::pow(10.0, exponent)); };
    double best = lowest;
    for (int exponent = lowest; exponent <= highest; ++exponent) {
        if (at(exponent) < at(best))
            best = exponent;
    }
    const auto [exponent, value] =
        boost::math::tools::brent_find_minima(at, best - 1, best + 1, kExponentBits);
    return value < deviance(0.0) ? unit * std::pow(10.0, exponent) : 0.0;
}

} // namespace quadric::model
