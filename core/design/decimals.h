// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace quadric::design {

/// A number for a sentence, rounded to so many digits behind the point.
std::string decimals(double value, int digits);

} // namespace quadric::design
