// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace quadric::machine {

/// Why a GPU does not run at the clock that it could, as NVML numbers the reasons (nvmlClocksEventReason…).
enum ThrottleReason : std::uint64_t {
    ApplicationClocks = 0x2,
    PowerLimit = 0x4, ///< held at the power that it is allowed: its normal state under full load
    HardwareSlowdown = 0x8,
    SyncBoost = 0x10,
    SoftwareHeat = 0x20,
    HardwareHeat = 0x40,
    PowerBrake = 0x80, ///< from outside the GPU
};

struct ClockReason {
    std::uint64_t bits;
    const char* name; ///< in sentences and in the record of a run
    const char* key;  ///< in the trainer's record; empty: not there
    bool disturbs;    ///< a run that is held down by it cannot be compared with others
};
inline constexpr std::array kClockReasons = {
    ClockReason{SoftwareHeat | HardwareHeat, "heat", "heat", true},
    ClockReason{HardwareSlowdown, "hardware slowdown", "slowdown", true},
    ClockReason{PowerBrake, "power brake", "", true},
    ClockReason{PowerLimit, "power limit", "power_limit", false},
    ClockReason{SyncBoost, "sync boost", "", true},
    ClockReason{ApplicationClocks, "application clocks", "", false}};

/// "heat", "power limit" …; one name for both kinds of heat.
std::vector<std::string> namesOf(std::uint64_t throttle);

/// The time, and how long each reason has held the clocks of a GPU down by then. Only differences of two
/// readings mean something.
struct ClockReading {
    double seconds = 0.0;
    std::array<double, kClockReasons.size()> held = {}; ///< seconds, by place in kClockReasons

    void add(ThrottleReason reason, double heldSeconds);
};
ClockReading operator-(const ClockReading& after, const ClockReading& before);

} // namespace quadric::machine
