// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/decimals.h"

#include <array>
#include <cstdio>

namespace quadric::design {

std::string decimals(double value, int digits)
{
    std::array<char, 400> text{}; // the largest double has 309 digits before the point
    std::snprintf(text.data(), text.size(), "%.*f", digits, value);
    return text.data();
}

} // namespace quadric::design
