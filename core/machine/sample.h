// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/nvml.h"
#include "core/machine/proc.h"

namespace quadric::machine {

struct CpuSample {
    CpuTimes machine;
    double ownSeconds = 0.0;               ///< processor time of our processes, ended ones included
    double load = 0.0;                     ///< average over one minute
    std::optional<double> clockMhz;        ///< mean of the cores
    std::optional<double> temperatureC;    ///< of the package
    std::optional<double> throttleSeconds; ///< held back by heat since the machine was started
};

/// What was read at one moment.
struct Sample {
    double seconds = 0.0; ///< since sampling began
    CpuSample cpu;
    std::vector<DeviceSample> devices;
};

} // namespace quadric::machine
