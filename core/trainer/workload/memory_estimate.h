// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/workload/network.h"
#include "core/trainer/workload/workload.h"

#include <cstdint>

namespace quadric::trainer {

/// What one rank is going to keep in memory (of the machine, or of its GPU), in bytes, before anything has
/// been made.
struct MemoryEstimate {
    std::int64_t activations = 0; ///< outputs of the layers that the backward pass reads, images, gradients
    std::int64_t parameters = 0;  ///< values, gradients, momentum, and copies in other layouts
    std::int64_t exchange = 0;    ///< residual of a compression, sums of micro-batches, messages
    std::int64_t process = 0;     ///< program and libraries
    std::int64_t total() const { return activations + parameters + exchange + process; }
};

/// Of a rank that computes on processors.
MemoryEstimate estimateProcessMemory(const Workload& workload, const Network& network);

} // namespace quadric::trainer
