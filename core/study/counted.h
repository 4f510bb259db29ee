// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>
#include <string>

namespace quadric::study {

/// "1 run", "15 runs": a count with its thing, for messages that are not translated.
inline std::string counted(std::integral auto count, const std::string& thing)
{
    return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

} // namespace quadric::study
