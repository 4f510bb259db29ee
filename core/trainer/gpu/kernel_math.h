// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/base/number_format.h"

#include <cmath>
#include <cstdint>

// What the kernels compute for one element or one channel. The same functions run in host tests.
namespace quadric::trainer::cuda {

inline constexpr float kBatchNormEpsilon = 1e-5F;

/// Mean and 1/√(variance + ε) of one channel.
struct ChannelMoments {
    float mean = 0.0F;
    float inverseDeviation = 0.0F;
};

/// From the sums of x − pivot and (x − pivot)² over `count` values of a channel; a pivot near the mean keeps
/// the difference of the two sums exact (Chan, Golub, LeVeque 1983, shifted data).
QUADRIC_HOST_DEVICE inline ChannelMoments computeMoments(double sum, double squares, double count,
                                                         float pivot)
{
    const double shifted = sum / count;
    const double variance = squares / count - shifted * shifted;
    const double positive = variance > 0.0 ? variance : 0.0;
    return {static_cast<float>(pivot + shifted),
            static_cast<float>(1.0 / std::sqrt(positive + static_cast<double>(kBatchNormEpsilon)))};
}

/// scale · (x − mean) / deviation + shift (Ioffe and Szegedy 2015).
QUADRIC_HOST_DEVICE inline float normalized(float x, const ChannelMoments& moments, float scale, float shift)
{
    return (x - moments.mean) * (scale * moments.inverseDeviation) + shift;
}

QUADRIC_HOST_DEVICE inline float rectified(float value, bool relu)
{
    return relu && !(value > 0.0F) && value == value ? 0.0F : value;
}

/// The gradient before a ReLU, from the gradient behind it and the output.
QUADRIC_HOST_DEVICE inline float gradientBeforeRelu(float gradient, float output, bool relu)
{
    return !relu || output > 0.0F ? gradient : 0.0F;
}

/// The backward pass of batch normalization for one channel as
/// input gradient = factor · (gradient − meanGradient − slope · (x − mean)).
struct NormGradient {
    float factor = 0.0F;
    float meanGradient = 0.0F;
    float slope = 0.0F;
    float scaleGradient = 0.0F;
    float shiftGradient = 0.0F;
};

/// From the sums of gradient and gradient · (x − mean) over the `count` values of a channel (Ioffe and
/// Szegedy 2015, section 3, collected by x).
QUADRIC_HOST_DEVICE inline NormGradient computeNormGradient(double gradients, double products, double count,
                                                            const ChannelMoments& moments, float scale)
{
    const double deviation = moments.inverseDeviation;
    return {static_cast<float>(scale * deviation), static_cast<float>(gradients / count),
            static_cast<float>(deviation * deviation * products / count),
            static_cast<float>(deviation * products), static_cast<float>(gradients)};
}

QUADRIC_HOST_DEVICE inline float inputGradient(float gradient, float x, float mean, const NormGradient& norm)
{
    return norm.factor * (gradient - norm.meanGradient - norm.slope * (x - mean));
}

/// Gradient of the mean softmax cross-entropy by one logit, times `scale`: the loss scale over the batch.
QUADRIC_HOST_DEVICE inline float logitGradient(float probability, bool isLabel, float scale)
{
    return scale * (probability - (isLabel ? 1.0F : 0.0F));
}

/// A residual with the gradients of a step. A residual that an overflow of 16-bit numbers left behind is
/// forgotten; finite ones are added as on processors.
QUADRIC_HOST_DEVICE inline float addResidual(float residual, float gradient)
{
    return (magnitudeBits(residual) < kInfinityBits ? residual : 0.0F) + gradient;
}

/// Radix selection looks at the 31 bits of a magnitude from above, some at a time.
struct RadixDigit {
    int shift = 0;
    int bits = 0;
};
inline constexpr int kRadixDigits = 3;
inline constexpr int kRadixBins = 2048; ///< of the widest digit

QUADRIC_HOST_DEVICE inline RadixDigit radixDigit(int index)
{
    return index == 0 ? RadixDigit{20, 11} : index == 1 ? RadixDigit{10, 10} : RadixDigit{0, 10};
}

QUADRIC_HOST_DEVICE inline std::uint32_t extractRadixDigit(std::uint32_t magnitude, RadixDigit digit)
{
    return (magnitude >> digit.shift) & ((1U << digit.bits) - 1U);
}

/// Whether the bits above the digit are those of the threshold that was found so far.
QUADRIC_HOST_DEVICE inline bool sharesPrefix(std::uint32_t magnitude, std::uint32_t threshold,
                                             RadixDigit digit)
{
    return (magnitude >> (digit.shift + digit.bits)) == (threshold >> (digit.shift + digit.bits));
}

/// What radix selection knows between two digits: entries above the threshold are selected, and the first
/// `missing` of those that share its bits so far.
struct RadixState {
    std::uint32_t threshold = 0;
    std::uint32_t missing = 0;
};

inline constexpr std::uint32_t kBinsPerGroup = 32;

/// Goes down from the largest bin until the wanted entries are found: over the sums of groups of bins first,
/// then inside the group.
QUADRIC_HOST_DEVICE inline RadixState chooseBin(const std::uint32_t* histogram, const std::uint32_t* groups,
                                                RadixDigit digit, RadixState state)
{
    std::uint32_t group = (1U << digit.bits) / kBinsPerGroup - 1U;
    while (group > 0 && groups[group] < state.missing)
        state.missing -= groups[group--];
    std::uint32_t bin = (group + 1U) * kBinsPerGroup - 1U;
    while (bin > group * kBinsPerGroup && histogram[bin] < state.missing)
        state.missing -= histogram[bin--];
    state.threshold |= bin << digit.shift;
    return state;
}

/// Scale of the loss that keeps 16-bit gradients from vanishing: halved when one overflows, doubled after a
/// long time without (Micikevicius et al. 2018).
struct LossScale {
    float scale = 1.0F;
    std::uint32_t steady = 0; ///< steps since it last changed
    std::uint32_t overflow = 0;
};
inline constexpr float kFirstLossScale = 1024.0F;
inline constexpr float kLargestLossScale = 16777216.0F;
inline constexpr std::uint32_t kStepsToDouble = 2000;

QUADRIC_HOST_DEVICE inline LossScale nextLossScale(const LossScale& now)
{
    if (now.overflow != 0)
        return {now.scale > 1.0F ? now.scale * 0.5F : now.scale, 0, 0};
    if (now.steady + 1 < kStepsToDouble)
        return {now.scale, now.steady + 1, 0};
    return {now.scale < kLargestLossScale ? now.scale * 2.0F : now.scale, 0, 0};
}

} // namespace quadric::trainer::cuda
