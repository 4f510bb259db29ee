// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/workload/memory_estimate.h"

#include <cstddef>

namespace quadric::trainer::cuda {

/// Scratch memory that a convolution may use, in bytes, where `free` are left once the step has its own: the
/// largest power of two of at most half of them, so that NCCL finds the other half, and at most 2 GiB. The
/// steps of two make runs that differ a little in memory choose among the same plans.
std::size_t workspaceLimit(std::size_t free);

/// What one rank is going to keep in the memory of its GPU, in bytes. Activations come from the plan of the
/// step; the rest of the process (context, kernels, 512 MiB of scratch memory of the convolutions, buffers of
/// NCCL) is a generous guess.
MemoryEstimate estimateGpuMemory(const Workload& workload, const Network& network);

} // namespace quadric::trainer::cuda
