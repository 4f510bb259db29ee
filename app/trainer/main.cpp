// SPDX-License-Identifier: GPL-3.0-or-later
#include "launcher.h"

#include <cstdio>

int main(int argc, char** argv)
{
    const auto started = std::chrono::steady_clock::now();
    const quadric::app::Options options = quadric::app::readCommandLine(argc, argv);
    if (options.exitStatus) {
        std::fputs(options.message.c_str(), *options.exitStatus == 0 ? stdout : stderr);
        return *options.exitStatus;
    }
    return options.place ? quadric::app::runRank(options) : quadric::app::launch(options, started);
}
