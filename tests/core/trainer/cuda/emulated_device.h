// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_runtime_api.h>

#include <cmath>
#include <cstdint>
#include <functional>

// Runs kernels on the processor, thread by thread, so that their arithmetic is tested where no GPU is. The
// build turns `kernel<<<grid, block, 0, stream>>>(arguments)` into `emulate(grid, block, 0, stream, [=] {
// kernel(arguments); })`.
#undef __global__
#undef __device__
#undef __host__
#undef __shared__
#define __global__
#define __device__
#define __host__
#define __shared__ static // blocks run one after the other
#define __syncthreads() ::quadric::trainer::testing::waitForBlock()
#define __shfl_down_sync(mask, value, distance) ::quadric::trainer::testing::valueOfLater(value, distance)

namespace quadric::trainer::testing {

struct Extent {
    unsigned x = 1;
    unsigned y = 1;
};

/// Lets the other threads of the block run until they wait too, or have ended.
void waitForBlock();
/// The value that the thread `distance` places later in the warp passes to the same call; its own where there
/// is none.
float valueOfLater(float value, int distance);
/// Hands work to whoever plays the streams.
void enqueue(cudaStream_t stream, std::function<void()> work);
/// One kernel at a time, whichever thread it comes from.
void runKernel(Extent grid, Extent block, const std::function<void()>& kernel);

} // namespace quadric::trainer::testing

inline quadric::trainer::testing::Extent threadIdx, blockIdx, blockDim, gridDim;

inline void atomicAdd(std::uint32_t* target, std::uint32_t value)
{
    *target += value;
}

template <typename Kernel> void emulate(dim3 grid, dim3 block, int, cudaStream_t stream, const Kernel& kernel)
{
    using namespace quadric::trainer::testing;
    enqueue(stream, [=] { runKernel({grid.x, grid.y}, {block.x, block.y}, kernel); });
}
