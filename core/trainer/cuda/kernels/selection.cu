// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cuda/kernels/device_numbers.cuh"
#include "core/trainer/cuda/kernels/kernels.h"
#include "core/trainer/cuda/kernels/wire_numbers.cuh"

namespace quadric::trainer::cuda {

namespace {

constexpr unsigned kCountingBlocks = 512;
constexpr int kEntriesPerThread = static_cast<int>(kSelectionTile / kThreads);

__global__ void addPending(float* residual, const float* gradients, std::size_t count)
{
    for (std::size_t i = firstEntry(); i < count; i += entryStep())
        residual[i] = addResidual(residual[i], gradients[i]);
}

__global__ void beginSelection(RadixState* state, std::uint32_t wanted)
{
    *state = {0, wanted};
}

__global__ void countDigits(const float* values, std::size_t count, int digitIndex, const RadixState* state,
                            std::uint32_t* histogram)
{
    __shared__ std::uint32_t bins[kRadixBins];
    for (int bin = threadIdx.x; bin < kRadixBins; bin += kThreads)
        bins[bin] = 0;
    __syncthreads();
    const RadixDigit digit = radixDigit(digitIndex);
    const std::uint32_t threshold = state->threshold;
    for (std::size_t i = firstEntry(); i < count; i += entryStep()) {
        const std::uint32_t magnitude = magnitudeBits(values[i]);
        if (sharesPrefix(magnitude, threshold, digit))
            atomicAdd(&bins[extractRadixDigit(magnitude, digit)], 1U);
    }
    __syncthreads();
    for (int bin = threadIdx.x; bin < kRadixBins; bin += kThreads) {
        if (bins[bin] > 0)
            atomicAdd(&histogram[bin], bins[bin]);
    }
}

/// One block; leaves the histogram empty.
__global__ void chooseDigit(int digitIndex, RadixState* state, std::uint32_t* histogram)
{
    constexpr int kGroups = kRadixBins / static_cast<int>(kBinsPerGroup);
    __shared__ std::uint32_t bins[kRadixBins];
    __shared__ std::uint32_t groups[kGroups];
    for (int bin = threadIdx.x; bin < kRadixBins; bin += kThreads) {
        bins[bin] = histogram[bin];
        histogram[bin] = 0;
    }
    __syncthreads();
    for (int group = threadIdx.x; group < kGroups; group += kThreads) {
        std::uint32_t sum = 0;
        for (std::uint32_t bin = 0; bin < kBinsPerGroup; ++bin)
            sum += bins[group * kBinsPerGroup + bin];
        groups[group] = sum;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        *state = chooseBin(bins, groups, radixDigit(digitIndex), *state);
}

/// Entries above the threshold and equal to it.
struct TileCounts {
    std::uint32_t above;
    std::uint32_t equal;
};

/// Sums over the threads before this one; `total` gets the sum of all. Every thread of the block takes part.
__device__ TileCounts countsBefore(TileCounts mine, TileCounts& total)
{
    __shared__ TileCounts shared[kThreads];
    shared[threadIdx.x] = mine;
    __syncthreads();
    for (unsigned distance = 1; distance < kThreads; distance *= 2) {
        TileCounts earlier{0, 0};
        if (threadIdx.x >= distance)
            earlier = shared[threadIdx.x - distance];
        __syncthreads();
        shared[threadIdx.x].above += earlier.above;
        shared[threadIdx.x].equal += earlier.equal;
        __syncthreads();
    }
    const TileCounts upToMine = shared[threadIdx.x];
    total = shared[kThreads - 1];
    __syncthreads();
    return {upToMine.above - mine.above, upToMine.equal - mine.equal};
}

/// A thread looks at neighboring entries, so that their order is that of the threads.
__device__ inline TileCounts countMine(const float* values, std::size_t count, std::uint32_t threshold)
{
    const std::size_t first = blockIdx.x * kSelectionTile + threadIdx.x * kEntriesPerThread;
    TileCounts mine{0, 0};
    for (int i = 0; i < kEntriesPerThread; ++i) {
        if (first + i >= count)
            break;
        const std::uint32_t magnitude = magnitudeBits(values[first + i]);
        mine.above += magnitude > threshold ? 1 : 0;
        mine.equal += magnitude == threshold ? 1 : 0;
    }
    return mine;
}

__global__ void countTiles(const float* values, std::size_t count, const RadixState* state, TileCounts* tiles)
{
    TileCounts total;
    countsBefore(countMine(values, count, state->threshold), total);
    if (threadIdx.x == 0)
        tiles[blockIdx.x] = total;
}

/// One block: replaces every count by the sum of those before it.
__global__ void scanTiles(TileCounts* tiles, std::size_t tileCount)
{
    TileCounts carried{0, 0};
    for (std::size_t begin = 0; begin < tileCount; begin += kThreads) {
        const std::size_t tile = begin + threadIdx.x;
        const TileCounts mine = tile < tileCount ? tiles[tile] : TileCounts{0, 0};
        TileCounts total;
        const TileCounts before = countsBefore(mine, total);
        if (tile < tileCount)
            tiles[tile] = {carried.above + before.above, carried.equal + before.equal};
        carried.above += total.above;
        carried.equal += total.equal;
    }
}

__global__ void takeSelected(float* values, std::size_t count, const RadixState* state,
                             const TileCounts* tiles, SelectionTarget target)
{
    const RadixState chosen = *state;
    TileCounts total;
    TileCounts before = countsBefore(countMine(values, count, chosen.threshold), total);
    before.above += tiles[blockIdx.x].above;
    before.equal += tiles[blockIdx.x].equal;
    const std::size_t first = blockIdx.x * kSelectionTile + threadIdx.x * kEntriesPerThread;
    for (int i = 0; i < kEntriesPerThread; ++i) {
        const std::size_t entry = first + i;
        if (entry >= count)
            return;
        const std::uint32_t magnitude = magnitudeBits(values[entry]);
        const bool isTie = magnitude == chosen.threshold;
        if (magnitude > chosen.threshold || (isTie && before.equal < chosen.missing)) {
            const std::uint32_t ties = before.equal < chosen.missing ? before.equal : chosen.missing;
            const std::uint32_t place = before.above + ties;
            target.positions[place] = static_cast<std::uint32_t>(entry);
            if (target.sent != nullptr)
                values[entry] = encode(target.wire, target.sent, place, values[entry]);
        }
        before.above += magnitude > chosen.threshold ? 1 : 0;
        before.equal += isTie ? 1 : 0;
    }
}

/// The positions of one rank differ from each other: no two threads add to the same place.
__global__ void addAtPositions(float* sums, const std::uint32_t* positions, const void* sent,
                               std::size_t count, WireType wire)
{
    for (std::size_t i = firstEntry(); i < count; i += entryStep())
        sums[positions[i]] += decoded(wire, sent, i);
}

} // namespace

void addToResidual(float* residual, const float* gradients, std::size_t count, cudaStream_t stream)
{
    addPending<<<blocksFor(count), kThreads, 0, stream>>>(residual, gradients, count);
    QUADRIC_CHECKED(cudaPeekAtLastError());
}

void selectLargestOnDevice(float* values, std::size_t count, std::size_t wanted,
                           const SelectionTarget& target, const SelectionScratch& scratch,
                           cudaStream_t stream)
{
    const unsigned blocks = blocksFor(count) < kCountingBlocks ? blocksFor(count) : kCountingBlocks;
    beginSelection<<<1, 1, 0, stream>>>(scratch.state, static_cast<std::uint32_t>(wanted));
    for (int digit = 0; digit < kRadixDigits; ++digit) {
        countDigits<<<blocks, kThreads, 0, stream>>>(values, count, digit, scratch.state, scratch.histogram);
        chooseDigit<<<1, kThreads, 0, stream>>>(digit, scratch.state, scratch.histogram);
    }
    auto* tiles = reinterpret_cast<TileCounts*>(scratch.tiles);
    const std::size_t tileCount = selectionTiles(count);
    const auto tileBlocks = static_cast<unsigned>(tileCount);
    countTiles<<<tileBlocks, kThreads, 0, stream>>>(values, count, scratch.state, tiles);
    scanTiles<<<1, kThreads, 0, stream>>>(tiles, tileCount);
    takeSelected<<<tileBlocks, kThreads, 0, stream>>>(values, count, scratch.state, tiles, target);
    QUADRIC_CHECKED(cudaPeekAtLastError());
}

void addSent(float* sums, const std::uint32_t* positions, const void* sent, std::size_t count, WireType wire,
             cudaStream_t stream)
{
    addAtPositions<<<blocksFor(count), kThreads, 0, stream>>>(sums, positions, sent, count, wire);
    QUADRIC_CHECKED(cudaPeekAtLastError());
}

} // namespace quadric::trainer::cuda
