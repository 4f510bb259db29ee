// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/workload/workload.h"

#include <optional>
#include <string>

namespace quadric::trainer {

/// The machine that a measurement belongs to.
struct Machine {
    std::string host;
    std::string cpu; ///< model name, "unknown" where the system has none
    MachineLimits limits;
};

/// Reads host name, CPU model, the cores that this process may use, and the memory that is available.
Machine readMachine();

/// What one rank is going to keep in memory (of the machine, or of its GPU) before anything has been made.
MemoryEstimate estimateMemory(const Workload& workload, const Network& network);

/// The same of all ranks together, MiB. Empty for settings that no network can be laid out with.
std::optional<double> estimateMemoryMib(const Workload& workload);

/// Refuses what cannot be measured honestly here: throws Failure (bad-settings or out-of-memory) that names
/// setting, value and limit. Expects a resolved workload.
void validate(const Workload& workload, const MachineLimits& limits);

/// The same for one rank of many that each look at what they may use themselves. `placeOnHost` counts the
/// ranks of the host, which take its GPUs in turn.
void validateRank(const Workload& workload, MachineLimits limits, int placeOnHost);

} // namespace quadric::trainer
