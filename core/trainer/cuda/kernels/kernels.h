// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/base/exchange_options.h"
#include "core/trainer/base/number_format.h"
#include "core/trainer/gpu/kernel_math.h"
#include "core/trainer/workload/network.h"

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

// Launch functions of the kernels. They put work into a stream and return at once. `void*` points to
// activations of the given precision, in the order images × height × width × channels.

// Launch functions of what a compression needs: the definition is that of core/trainer/exchange/selection.h.

namespace quadric::trainer::cuda {

/// Where gradients of parameters go: divided by the loss scale, and added where there are earlier
/// micro-batches.
struct GradientTarget {
    const LossScale* lossScale = nullptr;
    bool accumulates = false;
};

/// Batch normalization of rows (images × height × width) of channels.
struct NormLayer {
    std::size_t rows = 0;
    int channels = 0;
    bool relu = false;
    const float* scale = nullptr;
    const float* shift = nullptr;
    float* means = nullptr;
    float* inverseDeviations = nullptr;
    float* partials = nullptr;     ///< partialSums(channels) floats
    float* coefficients = nullptr; ///< three floats a channel
};
/// Statistics over the rows; y = normalized x, plus the shortcut where there is one, then ReLU.
void normalizeForward(Precision precision, const NormLayer& layer, const void* x, const void* shortcut,
                      void* y, cudaStream_t stream);

struct NormGradients {
    const void* x = nullptr;
    const void* y = nullptr;              ///< read for ReLU only
    const void* gradient = nullptr;       ///< of y
    const void* secondGradient = nullptr; ///< added to it; may be null
    void* inputGradient = nullptr;        ///< may be `gradient`
    void* shortcutGradient = nullptr;     ///< may be `secondGradient`, or null
    float* scaleGradient = nullptr;
    float* shiftGradient = nullptr;
};
void normalizeBackward(Precision precision, const NormLayer& layer, const NormGradients& gradients,
                       const GradientTarget& target, cudaStream_t stream);

struct PoolLayer {
    int batch = 0;
    Shape in;
    Shape out;
    int kernel = 1;
    int stride = 1;
    int padding = 0;
};
/// Maximum over windows; `choices` gets the place of the maximum in its window, the first of equal ones.
void maxPoolForward(Precision precision, const PoolLayer& layer, const void* x, void* y,
                    std::uint8_t* choices, cudaStream_t stream);
void maxPoolBackward(Precision precision, const PoolLayer& layer, const void* gradient,
                     const void* secondGradient, const std::uint8_t* choices, void* inputGradient,
                     cudaStream_t stream);
/// Mean over whole maps.
void averagePoolForward(Precision precision, const PoolLayer& layer, const void* x, void* y,
                        cudaStream_t stream);
void averagePoolBackward(Precision precision, const PoolLayer& layer, const void* gradient,
                         void* inputGradient, cudaStream_t stream);

/// Softmax cross-entropy of a batch: gradients of the mean loss by the logits times the loss scale, one loss
/// an image, and their mean added to or put into `loss`.
struct LossRows {
    int batch = 0;
    int classes = 0;
    const float* logits = nullptr;
    const int* labels = nullptr;
    float* rowLosses = nullptr;
    float* loss = nullptr;
};
void crossEntropy(Precision precision, const LossRows& rows, const GradientTarget& target,
                  void* logitGradients, cudaStream_t stream);
/// Gradient of a bias: sums of the columns of a batch × classes matrix.
void biasGradient(Precision precision, int batch, int classes, const void* logitGradients, float* gradient,
                  const GradientTarget& target, cudaStream_t stream);

/// Moves the gradient of a weight from the number format of the activations into the arena.
void finishGradient(Precision precision, const void* computed, float* gradient, std::size_t count,
                    const GradientTarget& target, cudaStream_t stream);
/// The copy of the parameters that convolutions read.
void roundValues(Precision precision, const float* values, void* rounded, std::size_t count,
                 cudaStream_t stream);
/// Sets `overflow` where a summed gradient is not finite.
void findOverflow(const float* gradients, std::size_t count, LossScale* lossScale, cudaStream_t stream);

struct SgdArguments {
    float* values = nullptr;
    float* velocity = nullptr;
    const float* gradients = nullptr;
    void* rounded = nullptr; ///< null for fp32
    std::size_t count = 0;
    float learningRate = 0.0F;
    float momentum = 0.0F;
    float gradientScale = 1.0F;
};
/// As sgdStep() of the processor, unless the gradients overflowed.
void sgdUpdate(Precision precision, const SgdArguments& arguments, const LossScale* lossScale,
               cudaStream_t stream);
void advanceLossScale(LossScale* lossScale, cudaStream_t stream);

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
