// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/words/time_left.h"

#include <string>

namespace quadric::app {

/// "about 12 min left", with the interval where it is wide: "about 12 min left (9 min to 20 min)".
std::string timeLeftText(const run::TimeLeft& left);

} // namespace quadric::app
