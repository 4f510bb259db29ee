// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/gpu.h"
#include "core/machine/proc.h"

#include <chrono>
#include <map>
#include <span>

namespace quadric::machine {

/// Above this share of time or of the machine, in per cent, a run is disturbed.
inline constexpr double kDisturbedPct = 10.0;

/// `part` of `whole` in per cent, 0…100; 0 of nothing. Clocks of the kernel can disagree a little.
double percentOf(double part, double whole);

/// What happened on the processors between two readings, in per cent, 0…100.
struct CpuShares {
    double busyPct = 0.0;      ///< of the processors, used at all
    double foreignPct = 0.0;   ///< of the processors, used by others
    double stealPct = 0.0;     ///< of the processors, taken by the host of a virtual machine
    double preemptedPct = 0.0; ///< of our own time, lost to involuntary switches; 0 where nobody counts them
};

/// Of the time that has passed on the processors and of what our processes used of it, in seconds.
CpuShares computeCpuShares(const CpuTimes& passed, double ownSeconds);

/// "other processes used 34 % of the machine", the first share that disturbs; empty when none does. `place`
/// is what the shares are of. Displaced ranks count only where others ran at all: threads of the ranks
/// displace each other, too.
std::string whyProcessorsDisturb(const CpuShares& shares, const std::string& place = "the machine");

/// "GPU 0 was slowed by heat for 30 % of the run" where this share of the time disturbs; otherwise empty.
std::string whyClocksDisturb(const std::string& device, const ClockReason& reason, double heldPct);

/// Adds a reason to those of a sentence, behind "; ".
void addReason(std::string& all, const std::string& reason);

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
Contention assessContention(const UsageReading& before, const UsageReading& after);

/// Adds what held the clocks of the GPUs down, by rank.
void addClockContention(std::span<const ClockReading> ranks, Contention& contention);

/// The reading of this process and its machine, now.
UsageReading readUsage();

/// Share of the machine that other processes use while this one waits for that long, in per cent.
double foreignLoadPct(std::chrono::milliseconds duration);

} // namespace quadric::machine
