// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace quadric::app {

/// Whether the arguments ask for a command or for help, rather than for the window.
bool isCommandLine(int argc, char** argv);

/// Executes `quadric COMMAND …`; returns the exit status. Errors are turned into words here, on standard
/// error.
int runCommandLine(int argc, char** argv);

} // namespace quadric::app
