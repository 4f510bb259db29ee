// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace quadric::app {

/// Opens the window, with the study named by the first argument that is no option, and returns the exit
/// status when the window is closed. Running experiments go on.
int runWindow(int argc, char** argv);

} // namespace quadric::app
