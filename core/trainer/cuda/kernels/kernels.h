// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/base/precision.h"
#include "core/trainer/base/wire_type.h"
#include "core/trainer/gpu/kernel_math.h"
#include "core/trainer/workload/network.h"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

// Launch functions of the kernels. They put work into a stream and return at once. `void*` points to
// activations of the given precision, in the order images × height × width × channels.
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

} // namespace quadric::trainer::cuda
