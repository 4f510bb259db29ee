// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/time_left_output.h"

#include "core/text/numbers.h"

namespace quadric::app {

std::string timeLeftText(const run::TimeLeft& left)
{
    const std::string text = "about " + text::formatRoughDuration(left.seconds) + " left";
    const std::string low = text::formatRoughDuration(left.low), high = text::formatRoughDuration(left.high);
    return left.isUncertain() && low != high ? text + " (" + low + " to " + high + ")" : text;
}

} // namespace quadric::app
