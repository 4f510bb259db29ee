// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace quadric::telemetry {

/// Processor time since the machine was started, summed over its cores, in seconds. Only differences mean
/// something.
struct CpuTimes {
    double busySeconds = 0.0;  ///< without idling, waiting for disks, and what the host took
    double totalSeconds = 0.0; ///< everything
};

struct CpuSample {
    CpuTimes machine;
    double ownSeconds = 0.0;               ///< processor time of our processes, ended ones included
    double load = 0.0;                     ///< average over one minute
    std::optional<double> clockMhz;        ///< mean of the cores
    std::optional<double> temperatureC;    ///< of the package
    std::optional<double> throttleSeconds; ///< held back by heat since the machine was started
};

/// A process on a GPU that is not one of ours.
struct ForeignProcess {
    int pid = 0;
    std::string name; ///< empty where it cannot be read
    double memoryMib = 0.0;
    bool operator==(const ForeignProcess&) const = default;
};

/// One GPU at one moment; what its driver does not tell is empty.
struct DeviceSample {
    int index = 0; ///< in NVML's order, which is that of the PCI bus
    std::optional<double> clockMhz = {}, memoryClockMhz = {}, powerW = {}, temperatureC = {};
    std::optional<double> memoryMib = {}, busyPct = {};
    std::optional<double> energyJoules = {}; ///< counter since the driver was loaded
    std::uint64_t throttle = 0;              ///< bits of ThrottleReason
    bool isLost = false;                     ///< the driver says that it cannot be used any more
};

/// What was read at one moment.
struct Sample {
    double seconds = 0.0; ///< since sampling began
    CpuSample cpu;
    std::vector<DeviceSample> devices;
};

/// A GPU, as long as the machine runs.
struct DeviceIdentity {
    int index = 0;
    std::string uuid, name;
    std::string pciBusId = {}; ///< "00000000:3B:00.0"; empty where it is not told
    bool operator==(const DeviceIdentity&) const = default;
};

} // namespace quadric::telemetry
