// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace quadric::app {

/// The words of a line that is being typed, with quotes and backslashes taken as a shell takes them; nothing
/// is expanded. The last word is the one at the end of the line, empty behind a space.
std::vector<std::string> commandWords(std::string_view line);

} // namespace quadric::app
