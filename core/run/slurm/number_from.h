// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <charconv>
#include <string_view>

namespace quadric::run {

/// The number that a text of Slurm's begins with; 0 where it begins with none.
inline int numberFrom(std::string_view text)
{
    int number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

} // namespace quadric::run
