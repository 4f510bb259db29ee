// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <charconv>
#include <string_view>

namespace quadric::run {

/// The count that a text of Slurm's begins with; 0 where it begins with none or with one below.
inline int numberFrom(std::string_view text)
{
    int number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return std::max(number, 0);
}

} // namespace quadric::run
