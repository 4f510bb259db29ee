// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/judge.h"

#include <chrono>
#include <map>
#include <span>

namespace quadric::machine {

/// Readings at one moment by a process that is measured; only differences of two readings mean something. The
/// machine is the processors that the process may use: what happens on others does not disturb it.
struct UsageReading {
    CpuTimes machine;
    double ownSeconds = 0.0;        ///< processor time of the ranks
    double voluntarySwitches = 0.0; ///< of the ranks
    double involuntarySwitches = 0.0;
};

/// How much others got in the way between two readings.
struct Contention {
    CpuShares shares = {};
    double voluntarySwitches = 0.0;
    double involuntarySwitches = 0.0;
    /// Key of the reason → share of the time, of the GPU that it held down longest; empty without GPUs.
    std::map<std::string, double> gpuClocksHeldPct = {};
    std::string reason = {}; ///< why the run is disturbed; empty when it is not
};

/// Involuntary switches count 4 ms each (a usual time slice of Linux).
Contention judgeContention(const UsageReading& before, const UsageReading& after);

/// Adds what held the clocks of the GPUs down, by rank.
void judgeClocks(std::span<const ClockReading> ranks, Contention& contention);

/// The reading of this process and its machine, now.
UsageReading readUsage();

/// Share of the machine that other processes use while this one waits for that long, in per cent.
double foreignLoadPct(std::chrono::milliseconds duration);

} // namespace quadric::machine
