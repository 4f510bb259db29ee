// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace quadric::exchange {

/// The text with a blank for every control character: it stays on its line.
std::string oneLine(std::string text);

} // namespace quadric::exchange
