// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/workload/memory_estimate.h"

namespace quadric::trainer::cuda {

/// Scratch memory that the convolutions of a step may use together.
inline constexpr std::size_t kWorkspaceLimit = std::size_t{512} << 20;

/// What one rank is going to keep in the memory of its GPU, in bytes. Activations come from the plan of the
/// step; the rest of the process (context, kernels, scratch memory of the convolutions, buffers of NCCL) is a
/// generous guess.
MemoryEstimate estimateGpuMemory(const Workload& workload, const Network& network);

} // namespace quadric::trainer::cuda
