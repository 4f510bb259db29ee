// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace quadric::app {

/// Opens the window, with the study that the argument beside Qt's own names, and returns the exit status when
/// the window is closed; 2, with a message, for arguments that the window does not know. Running experiments
/// go on.
int runWindow(int argc, char** argv);

} // namespace quadric::app
