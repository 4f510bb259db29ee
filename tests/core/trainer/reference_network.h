// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/workload/network.h"

#include <vector>

namespace quadric::trainer::testing {

/// A batch as plain numbers: images × channels × height × width.
struct Batch {
    int size = 0;
    Shape shape;
    std::vector<double> images;
    std::vector<int> labels;
};

/// Mean softmax cross-entropy of the batch, computed layer by layer from the textbook formulas with plain
/// loops in double precision. Shares no code with the trainer. `parameters` holds one tensor per entry of
/// parametersOf().
double referenceLoss(const Network& network, const std::vector<std::vector<double>>& parameters,
                     const Batch& batch);

} // namespace quadric::trainer::testing
