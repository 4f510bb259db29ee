// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cli.h"

#if QUADRIC_HAS_WINDOW
#include "app/gui/window_main.h"
#endif

#include <iostream>

int main(int argc, char** argv)
{
    if (quadric::app::isCommandLine(argc, argv))
        return quadric::app::runCommandLine(argc, argv);
#if QUADRIC_HAS_WINDOW
    return quadric::app::runWindow(argc, argv);
#else
    std::cerr << "quadric: this build has no window; see quadric --help for the commands\n";
    return 2;
#endif
}
