// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

namespace quadric::app {

/// Prints an event of the worker protocol for people: the result as a table, progress on one line that is
/// rewritten on a terminal.
void printReadable(const nlohmann::json& event);

} // namespace quadric::app
