// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cpu/sgd.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace quadric::trainer {

namespace {

double rowLoss(std::span<const float> logits, std::size_t label, std::span<float> gradient, double scale)
{
    const double largest = *std::max_element(logits.begin(), logits.end());
    double sum = 0.0;
    for (const float logit : logits)
        sum += std::exp(logit - largest);
    for (std::size_t i = 0; i < logits.size(); ++i) {
        const double probability = std::exp(logits[i] - largest) / sum;
        gradient[i] = static_cast<float>(scale * (probability - (i == label ? 1.0 : 0.0)));
    }
    return std::log(sum) - (logits[label] - largest);
}

} // namespace

double softmaxCrossEntropy(std::span<const float> logits, std::span<const int> labels,
                           std::span<float> gradient)
{
    const std::size_t classes = logits.size() / labels.size();
    const double scale = 1.0 / static_cast<double>(labels.size());
    double total = 0.0;
    for (std::size_t row = 0; row < labels.size(); ++row) {
        const std::size_t begin = row * classes;
        total += rowLoss(logits.subspan(begin, classes), static_cast<std::size_t>(labels[row]),
                         gradient.subspan(begin, classes), scale);
    }
    return total * scale;
}

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
