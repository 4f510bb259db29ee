// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/cuda/kernels/device_numbers.cuh"

namespace quadric::trainer::cuda {

/// Sums over the rows of a block; the threads of row 0 get the result. All threads of the block take part.
template <int width> __device__ inline void sumOverBlockRows(float (&values)[width])
{
    __shared__ float shared[width][kThreads];
    const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
    for (int i = 0; i < width; ++i)
        shared[i][thread] = values[i];
    for (unsigned half = blockDim.y / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.y < half) {
            for (int i = 0; i < width; ++i)
                shared[i][thread] += shared[i][thread + half * blockDim.x];
        }
    }
    __syncthreads();
    for (int i = 0; i < width; ++i)
        values[i] = shared[i][threadIdx.x];
    __syncthreads();
}

inline constexpr int kFinishLanes = 32;
inline constexpr int kFinishRows = 16;

/// Sum over the blocks of one channel, in double precision; the threads of row 0 get the result. A block has
/// kFinishLanes × kFinishRows threads.
__device__ inline double sumOverBlocks(const float* partials, int channel, int channels, unsigned blocks)
{
    __shared__ double shared[kFinishRows][kFinishLanes];
    double sum = 0.0;
    if (channel < channels) {
        for (unsigned block = threadIdx.y; block < blocks; block += kFinishRows)
            sum += partials[static_cast<std::size_t>(block) * static_cast<std::size_t>(channels) +
                            static_cast<std::size_t>(channel)];
    }
    shared[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    sum = 0.0;
    for (int row = 0; row < kFinishRows; ++row)
        sum += shared[row][threadIdx.x];
    __syncthreads();
    return sum;
}

inline unsigned finishBlocks(int channels)
{
    return static_cast<unsigned>((channels + kFinishLanes - 1) / kFinishLanes);
}

} // namespace quadric::trainer::cuda
