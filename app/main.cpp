// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cli.h"
#include "app/gui/window_main.h"

#include "runtime_folder.h"

#include <iostream>

int main(int argc, char** argv)
{
    quadric::app::nameRuntimeFolder();
    if (quadric::app::isCommandLine(argc, argv))
        return quadric::app::runCommandLine(argc, argv);
    if (const std::string reason = quadric::app::whyNoWindow(argc, argv); !reason.empty()) {
        std::cerr << "quadric: " << reason << '\n';
        return 2;
    }
    return quadric::app::runWindow(argc, argv);
}
