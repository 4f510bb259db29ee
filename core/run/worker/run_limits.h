// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace quadric::run {

/// What one run may use before it is ended.
struct RunLimits {
    double seconds = 600.0;
    double memoryMib = 0.0;    ///< see machine::proportionalMemoryMib(); 0: no limit
    double outputMib = 1024.0; ///< printed on standard output and standard error together
};

} // namespace quadric::run
