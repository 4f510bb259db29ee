// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

namespace quadric::trainer {

/// Mean softmax cross-entropy of a batch. `logits` holds one row of `classes` values per image, `labels` the
/// right class of each image. The gradient of the mean loss by every logit is written to `gradient`, which
/// has the size of `logits`.
double softmaxCrossEntropy(std::span<const float> logits, std::span<const int> labels,
                           std::span<float> gradient);

} // namespace quadric::trainer
