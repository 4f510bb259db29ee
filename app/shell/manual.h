// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace quadric::app {

/// The sections OPTIONS and COMMANDS of the program's man page (roff, man(7)), from the texts of its --help.
std::string formatManual(const CLI::App& app);

/// `PROGRAM manual --`: what the build asks for.
bool isManualRequest(int argc, char** argv);

} // namespace quadric::app
