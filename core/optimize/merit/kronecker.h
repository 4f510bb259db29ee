// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace quadric::optimize {

/// The step of the Kronecker sequence in a dimension: the square root of a prime. After twelve dimensions the
/// steps come back.
inline double kroneckerStep(std::size_t dimension)
{
    constexpr std::array kPrimes = {2.0, 3.0, 5.0, 7.0, 11.0, 13.0, 17.0, 19.0, 23.0, 29.0, 31.0, 37.0};
    return std::sqrt(kPrimes[dimension % kPrimes.size()]);
}

} // namespace quadric::optimize
