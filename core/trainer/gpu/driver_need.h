// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace quadric::trainer::cuda {

/// What the driver and the module say of themselves. CUDA's versions are whole numbers, 12040 for 12.4.
struct DriverFacts {
    std::string driver; ///< its own version, "550.54.15"; empty where it is not known
    int serves = 0;     ///< newest CUDA that it serves (cudaDriverGetVersion); 0 without a driver
    int needed = 0;     ///< CUDA that the module is built with (cudaRuntimeGetVersion)
};

/// Why this driver cannot serve the module, as a sentence without its full stop; empty where it can. A driver
/// serves all CUDA versions with its own first number and earlier ones.
std::string whyDriverIsTooOld(const DriverFacts& facts);

} // namespace quadric::trainer::cuda
