// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <csignal>

namespace quadric::machine {

/// The signals that ask a program to end: SIGTERM, SIGINT and SIGHUP, the last one unless the program was
/// started with it ignored. nohup does that, and a signal that is blocked would be delivered all the same.
inline sigset_t endingSignals()
{
    sigset_t ending;
    sigemptyset(&ending);
    sigaddset(&ending, SIGTERM);
    sigaddset(&ending, SIGINT);
    struct sigaction hangUp = {};
    if (sigaction(SIGHUP, nullptr, &hangUp) == 0 && hangUp.sa_handler != SIG_IGN)
        sigaddset(&ending, SIGHUP);
    return ending;
}

} // namespace quadric::machine
