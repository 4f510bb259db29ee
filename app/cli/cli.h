// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace quadric::app {

/// Whether the arguments ask for a command or for help, rather than for the window.
bool isCommandLine(int argc, char** argv);

/// Why no window can be opened for these arguments, in words; empty: one can. There is no such command or
/// file, or no display.
std::string whyNoWindow(int argc, char** argv);

/// Executes `quadric COMMAND …`; returns the exit status. Errors are turned into words here, on standard
/// error.
int runCommandLine(int argc, char** argv);

} // namespace quadric::app
