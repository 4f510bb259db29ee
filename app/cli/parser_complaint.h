// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace quadric::app {

/// What the parser found wrong, in one line: what and where, what was expected, which option was probably
/// meant, and where the options are listed. The parser's own sentence names neither program nor command.
std::string makeComplaint(const CLI::App& app, const CLI::ParseError& error);

} // namespace quadric::app
