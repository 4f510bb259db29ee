// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace quadric::trainer {

/// Readings at one moment; only differences of two readings mean something.
struct UsageReading {
    double machineBusySeconds = 0.0;  ///< all cores, without idle, waiting for disks, and steal
    double machineStealSeconds = 0.0; ///< taken by the host of a virtual machine
    double machineTotalSeconds = 0.0; ///< all cores
    double ownSeconds = 0.0;          ///< processor time of the ranks
    double voluntarySwitches = 0.0;   ///< of the ranks
    double involuntarySwitches = 0.0;
};

/// How much others got in the way between two readings.
struct Contention {
    double foreignPct = 0.0; ///< processor time of other processes, share of the machine
    double stealPct = 0.0;   ///< share of the machine
    double preemptedPct =
        0.0; ///< estimate of the time lost to involuntary switches, share of the ranks' time
    double voluntarySwitches = 0.0;
    double involuntarySwitches = 0.0;
    bool isDisturbed = false;
    std::string reason; ///< empty when not disturbed
};

/// A run is disturbed when one of the shares is above 10 %. Involuntary switches count 4 ms each (a usual
/// time slice of Linux) and only where other processes ran at all, because threads of the ranks also displace
/// each other.
Contention judgeContention(const UsageReading& before, const UsageReading& after);

/// Reads the first line of /proc/stat (`text`) into the machine fields; leaves them alone when it has another
/// form.
void readMachineUsage(std::string_view text, double ticksPerSecond, UsageReading& reading);

/// The reading of this process and its machine, now.
UsageReading readUsage();

/// Share of the machine that other processes use while this one waits for that long, in per cent.
double foreignLoadPct(std::chrono::milliseconds duration);

/// Above this share, in per cent, others disturb a run.
inline constexpr double kDisturbedPct = 10.0;

} // namespace quadric::trainer
