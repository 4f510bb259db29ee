// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cpu/sgd.h"

#include <cstddef>

namespace quadric::trainer {

void sgdStep(std::span<float> values, std::span<const float> gradients, std::span<float> velocity,
             const SgdOptions& options)
{
    float* value = values.data();
    float* speed = velocity.data();
    const float* gradient = gradients.data();
    const std::size_t count = values.size();
    const SgdOptions o = options;
#pragma omp parallel for simd
    for (std::size_t i = 0; i < count; ++i) {
        speed[i] = o.momentum * speed[i] + o.gradientScale * gradient[i];
        value[i] -= o.learningRate * speed[i];
    }
}

void accumulate(std::span<float> sum, std::span<const float> gradients)
{
    float* total = sum.data();
    const float* gradient = gradients.data();
    const std::size_t count = sum.size();
#pragma omp parallel for simd
    for (std::size_t i = 0; i < count; ++i)
        total[i] += gradient[i];
}

} // namespace quadric::trainer
