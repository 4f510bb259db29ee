// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace quadric::trainer {

/// Readings at one moment; only differences of two readings mean something. The machine is the processors
/// that this process may use: what happens on others does not disturb it.
struct UsageReading {
    double machineBusySeconds = 0.0;  ///< without idle, waiting for disks, and steal
    double machineStealSeconds = 0.0; ///< taken by the host of a virtual machine
    double machineTotalSeconds = 0.0;
    double ownSeconds = 0.0;        ///< processor time of the ranks
    double voluntarySwitches = 0.0; ///< of the ranks
    double involuntarySwitches = 0.0;
};

/// How often the clocks of a GPU were looked at while it computed, and how often each reason held them down.
/// Only differences of two readings mean something.
struct ClockReading {
    double looks = 0.0;
    double heat = 0.0;
    double slowdown = 0.0;   ///< by the hardware
    double powerBrake = 0.0; ///< from outside the GPU
    double powerLimit = 0.0; ///< its usual state under full load, which disturbs nothing
};
ClockReading operator-(const ClockReading& after, const ClockReading& before);

/// How much others got in the way between two readings.
struct Contention {
    double foreignPct = 0.0; ///< processor time of other processes, share of the machine
    double stealPct = 0.0;   ///< share of the machine
    double preemptedPct =
        0.0; ///< estimate of the time lost to involuntary switches, share of the ranks' time
    double voluntarySwitches = 0.0;
    double involuntarySwitches = 0.0;
    /// Reason → share of the looks at the clocks of the GPU that it held down most often; empty without GPUs.
    std::map<std::string, double> gpuClocksHeldPct = {};
    bool isDisturbed = false;
    std::string reason; ///< empty when not disturbed
};

/// A run is disturbed when one of the shares is above 10 %. Involuntary switches count 4 ms each (a usual
/// time slice of Linux) and only where other processes ran at all, because threads of the ranks also displace
/// each other.
Contention judgeContention(const UsageReading& before, const UsageReading& after);

/// Adds what held the clocks of the GPUs down, by rank. More than 10 % of heat, slowdown or brake on one of
/// them makes the run disturbed.
void judgeClocks(std::span<const ClockReading> ranks, Contention& contention);

/// Reads the lines of these processors in /proc/stat (`text`), or without any the first one, which is the sum
/// of all, into the machine fields; leaves them alone where it has another form.
void readMachineUsage(std::string_view text, const std::set<int>& cpus, double ticksPerSecond,
                      UsageReading& reading);

/// The reading of this process and its machine, now.
UsageReading readUsage();

/// Share of the machine that other processes use while this one waits for that long, in per cent.
double foreignLoadPct(std::chrono::milliseconds duration);

/// Above this share, in per cent, others disturb a run.
inline constexpr double kDisturbedPct = 10.0;

} // namespace quadric::trainer
