// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/factor.h"

namespace quadric::model {

/// Whether a square of the factor can be told from its other terms: it is numeric, and more than two values
/// can be run. Two values, 1 or 2 GPUs, have no curve between them.
inline bool canBend(const study::Factor& factor)
{
    constexpr std::size_t kStraight = 2;
    return factor.isNumeric() && study::legalValues(factor, factor.low, factor.high, kStraight).empty();
}

} // namespace quadric::model
