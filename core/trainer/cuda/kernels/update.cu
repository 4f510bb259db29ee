// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cuda/kernels/device_numbers.cuh"
#include "core/trainer/cuda/kernels/kernels.h"

namespace quadric::trainer::cuda {

namespace {

template <typename Number>
__global__ void moveGradient(const void* computed, float* gradient, std::size_t count, GradientTarget target)
{
    const float inverse = 1.0F / target.lossScale->scale;
    for (std::size_t i = firstEntry(); i < count; i += entryStep()) {
        const float value = toFloat(static_cast<const Number*>(computed)[i]) * inverse;
        gradient[i] = target.accumulates ? gradient[i] + value : value;
    }
}

template <typename Number> __global__ void roundAll(const float* values, void* rounded, std::size_t count)
{
    for (std::size_t i = firstEntry(); i < count; i += entryStep())
        put(static_cast<Number*>(rounded)[i], values[i]);
}

__global__ void lookForOverflow(const float* gradients, std::size_t count, LossScale* lossScale)
{
    for (std::size_t i = firstEntry(); i < count; i += entryStep()) {
        if (magnitudeBits(gradients[i]) >= kInfinityBits)
            lossScale->overflow = 1; // all threads that write write the same
    }
}

template <typename Number> __global__ void descend(SgdArguments a, const LossScale* lossScale)
{
    if (lossScale->overflow != 0)
        return;
    for (std::size_t i = firstEntry(); i < a.count; i += entryStep()) {
        const float velocity = a.momentum * a.velocity[i] + a.gradientScale * a.gradients[i];
        const float value = a.values[i] - a.learningRate * velocity;
        a.velocity[i] = velocity;
        a.values[i] = value;
        if (a.rounded != nullptr)
            put(static_cast<Number*>(a.rounded)[i], value);
    }
}

__global__ void advance(LossScale* lossScale)
{
    *lossScale = nextLossScale(*lossScale);
}

} // namespace

void finishGradient(Precision precision, const void* computed, float* gradient, std::size_t count,
                    const GradientTarget& target, cudaStream_t stream)
{
    withNumber(precision, [&]<typename Number>() {
        moveGradient<Number><<<blocksFor(count), kThreads, 0, stream>>>(computed, gradient, count, target);
    });
    QUADRIC_CHECKED(cudaPeekAtLastError());
}

void roundValues(Precision precision, const float* values, void* rounded, std::size_t count,
                 cudaStream_t stream)
{
    withNumber(precision, [&]<typename Number>() {
        roundAll<Number><<<blocksFor(count), kThreads, 0, stream>>>(values, rounded, count);
    });
    QUADRIC_CHECKED(cudaPeekAtLastError());
}

void findOverflow(const float* gradients, std::size_t count, LossScale* lossScale, cudaStream_t stream)
{
    lookForOverflow<<<blocksFor(count), kThreads, 0, stream>>>(gradients, count, lossScale);
    QUADRIC_CHECKED(cudaPeekAtLastError());
}

void sgdUpdate(Precision precision, const SgdArguments& arguments, const LossScale* lossScale,
               cudaStream_t stream)
{
    withNumber(precision, [&]<typename Number>() {
        descend<Number><<<blocksFor(arguments.count), kThreads, 0, stream>>>(arguments, lossScale);
    });
    QUADRIC_CHECKED(cudaPeekAtLastError());
}

void advanceLossScale(LossScale* lossScale, cudaStream_t stream)
{
    advance<<<1, 1, 0, stream>>>(lossScale);
    QUADRIC_CHECKED(cudaPeekAtLastError());
}

} // namespace quadric::trainer::cuda
