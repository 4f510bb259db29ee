// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <string>
#include <vector>

namespace quadric::test {

struct Process {
    int pid = 0;
    std::string program, parentProgram;
};

/// The processes with this text in their environment.
std::vector<Process> processesOf(const QByteArray& token);

/// Who is killed.
enum class Victim {
    Runner,
    Window,
    Worker,
    Rank,           ///< a child of a worker
    Guard,          ///< one of the two
    RunnerAndGuard, ///< the runner and the guard that it has started, at the same instant
    Everybody       ///< the runner and both guards, at the same instant
};
inline constexpr int kVictims = 7;

/// False when there is none at this moment.
bool kill(const QByteArray& token, Victim victim);

} // namespace quadric::test
