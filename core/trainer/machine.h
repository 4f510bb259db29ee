// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/workload.h"

#include <set>
#include <string>

namespace quadric::trainer {

/// The machine that a measurement belongs to.
struct Machine {
    std::string host;
    std::string cpu; ///< model name, "unknown" where the system does not tell
    MachineLimits limits;
};

/// Numbers of the processors that this process may use, by its affinity mask; none where it cannot be read.
std::set<int> usableCpus();

/// Reads host name, CPU model, the cores that this process may use, and the memory that is available.
Machine readMachine();

/// Largest memory that this process has had since the last resetPeakMemory(), MiB.
double peakMemoryMib();

/// Forgets earlier peaks where the system allows it (Linux 4.0).
void resetPeakMemory();

/// Name and version of the compiler that built this program.
std::string compilerName();

} // namespace quadric::trainer
