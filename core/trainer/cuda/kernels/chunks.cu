// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cuda/kernels/device_numbers.cuh"
#include "core/trainer/cuda/kernels/kernels.h"
#include "core/trainer/cuda/kernels/wire_numbers.cuh"
#include "core/trainer/exchange/bucket_exchange.h"

namespace quadric::trainer::cuda {

namespace {

constexpr unsigned kWarp = 32;

/// One warp a chunk.
__global__ void sumSquares(const float* values, std::size_t count, std::size_t chunks, float* scores)
{
    const std::size_t chunk = firstEntry() / kWarp;
    if (chunk >= chunks)
        return;
    float sum = 0.0F;
    for (std::size_t i = chunk * kAlignedChunk + threadIdx.x % kWarp; i < (chunk + 1) * kAlignedChunk;
         i += kWarp) {
        const float value = i < count ? values[i] : 0.0F;
        sum += value * value;
    }
    for (int distance = kWarp / 2; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffU, sum, distance);
    if (threadIdx.x % kWarp == 0)
        scores[chunk] = sum;
}

__global__ void packEntries(float* values, std::size_t count, const std::uint32_t* chunks,
                            std::size_t entries, WireType wire, void* message)
{
    for (std::size_t i = firstEntry(); i < entries; i += entryStep()) {
        const std::size_t from = chunks[i / kAlignedChunk] * kAlignedChunk + i % kAlignedChunk;
        const float rest = encode(wire, message, i, from < count ? values[from] : 0.0F);
        if (from < count)
            values[from] = rest;
    }
}

__global__ void unpackEntries(float* values, std::size_t count, const std::uint32_t* chunks,
                              std::size_t entries, WireType wire, const void* message)
{
    for (std::size_t i = firstEntry(); i < entries; i += entryStep()) {
        const std::size_t to = chunks[i / kAlignedChunk] * kAlignedChunk + i % kAlignedChunk;
        if (to < count)
            values[to] = decoded(wire, message, i);
    }
}

__global__ void encodeAll(const float* values, void* message, std::size_t count, WireType wire)
{
    for (std::size_t i = firstEntry(); i < count; i += entryStep())
        encode(wire, message, i, values[i]);
}

__global__ void decodeAll(const void* message, float* values, std::size_t count, WireType wire)
{
    for (std::size_t i = firstEntry(); i < count; i += entryStep())
        values[i] = decoded(wire, message, i);
}

} // namespace

void scoreChunks(const float* values, std::size_t count, float* scores, cudaStream_t stream)
{
    const std::size_t chunks = (count + kAlignedChunk - 1) / kAlignedChunk;
    const auto blocks = static_cast<unsigned>((chunks * kWarp + kThreads - 1) / kThreads);
    sumSquares<<<blocks, kThreads, 0, stream>>>(values, count, chunks, scores);
    QUADRIC_CHECKED(cudaPeekAtLastError());
}

void packChunks(float* values, std::size_t count, const std::uint32_t* chunks, std::size_t chosen,
                WireType wire, void* message, cudaStream_t stream)
{
    const std::size_t entries = chosen * kAlignedChunk;
    packEntries<<<blocksFor(entries), kThreads, 0, stream>>>(values, count, chunks, entries, wire, message);
    QUADRIC_CHECKED(cudaPeekAtLastError());
}

void unpackChunks(float* values, std::size_t count, const std::uint32_t* chunks, std::size_t chosen,
                  WireType wire, const void* message, cudaStream_t stream)
{
    const std::size_t entries = chosen * kAlignedChunk;
    unpackEntries<<<blocksFor(entries), kThreads, 0, stream>>>(values, count, chunks, entries, wire, message);
    QUADRIC_CHECKED(cudaPeekAtLastError());
}

void encodeForWire(const float* values, void* message, std::size_t count, WireType wire, cudaStream_t stream)
{
    encodeAll<<<blocksFor(count), kThreads, 0, stream>>>(values, message, count, wire);
    QUADRIC_CHECKED(cudaPeekAtLastError());
}

void decodeFromWire(const void* message, float* values, std::size_t count, WireType wire, cudaStream_t stream)
{
    decodeAll<<<blocksFor(count), kThreads, 0, stream>>>(message, values, count, wire);
    QUADRIC_CHECKED(cudaPeekAtLastError());
}

} // namespace quadric::trainer::cuda
