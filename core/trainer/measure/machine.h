// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/workload/workload.h"

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

} // namespace quadric::trainer
