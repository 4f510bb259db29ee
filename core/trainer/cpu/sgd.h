// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

namespace quadric::trainer {

/// Mean softmax cross-entropy of a batch. `logits` holds one row of `classes` values per image, `labels` the
/// right class of each image. The gradient of the mean loss by every logit is written to `gradient`, which
/// has the size of `logits`.
double softmaxCrossEntropy(std::span<const float> logits, std::span<const int> labels,
                           std::span<float> gradient);

struct SgdOptions {
    float learningRate = 0.01F;
    float momentum = 0.9F;
    float gradientScale = 1.0F; ///< 1 / (ranks × micro-batches): turns summed gradients into their mean
};

/// One step of gradient descent with momentum: velocity ← momentum · velocity + scale · gradient,
/// value ← value − learning rate · velocity (Sutskever et al. 2013, without Nesterov's correction).
void sgdStep(std::span<float> values, std::span<const float> gradients, std::span<float> velocity,
             const SgdOptions& options);

/// sum ← sum + gradients.
void accumulate(std::span<float> sum, std::span<const float> gradients);

} // namespace quadric::trainer
