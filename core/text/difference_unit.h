// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace quadric::text {

/// The unit of the difference of two values: percentages differ by percentage points.
inline std::string unitOfDifference(const std::string& unit)
{
    return unit == "%" ? "percentage points" : unit;
}

} // namespace quadric::text
