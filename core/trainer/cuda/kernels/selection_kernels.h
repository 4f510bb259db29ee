// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/base/wire_type.h"
#include "core/trainer/gpu/kernel_math.h"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

// Launch functions of what a compression needs: the definition is that of core/trainer/exchange/selection.h.
namespace quadric::trainer::cuda {

inline constexpr std::size_t kSelectionTile = 4096; ///< entries that one block looks at

/// Memory of one selection, reused by the next.
struct SelectionScratch {
    RadixState* state = nullptr;
    std::uint32_t* histogram = nullptr; ///< kRadixBins, zero between two selections
    std::uint32_t* tiles = nullptr;     ///< two numbers a tile
};
inline std::size_t selectionTiles(std::size_t entries)
{
    return (entries + kSelectionTile - 1) / kSelectionTile;
}

/// residual ← residual + gradient.
void addToResidual(float* residual, const float* gradients, std::size_t count, cudaStream_t stream);

/// Positions of the `wanted` entries with the largest magnitude, in rising order; of equal ones the earlier.
/// Where `sent` is given, their values go there in the format of the wire, and what the format cuts off stays
/// in `values`.
struct SelectionTarget {
    std::uint32_t* positions = nullptr;
    void* sent = nullptr;
    WireType wire = WireType::Fp32;
};
void selectLargestOnDevice(float* values, std::size_t count, std::size_t wanted,
                           const SelectionTarget& target, const SelectionScratch& scratch,
                           cudaStream_t stream);

/// sums[position] += value for what one rank sent.
void addSent(float* sums, const std::uint32_t* positions, const void* sent, std::size_t count, WireType wire,
             cudaStream_t stream);

/// Energy (sum of squares) of every chunk of kAlignedChunk values.
void scoreChunks(const float* values, std::size_t count, float* scores, cudaStream_t stream);
/// Copies chunks into a message, the end of a short one filled with zeros; what the wire cuts off stays.
void packChunks(float* values, std::size_t count, const std::uint32_t* chunks, std::size_t chosen,
                WireType wire, void* message, cudaStream_t stream);
/// The other way: values of the chunks; all other values have been set to zero before.
void unpackChunks(float* values, std::size_t count, const std::uint32_t* chunks, std::size_t chosen,
                  WireType wire, const void* message, cudaStream_t stream);

/// Between fp32 and the 16 bits of the wire.
void encodeForWire(const float* values, void* message, std::size_t count, WireType wire, cudaStream_t stream);
void decodeFromWire(const void* message, float* values, std::size_t count, WireType wire,
                    cudaStream_t stream);

} // namespace quadric::trainer::cuda
