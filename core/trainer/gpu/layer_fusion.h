// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/workload/network.h"

#include <vector>

namespace quadric::trainer::cuda {

/// A layer of the network, or a batch normalization with the sum behind it. `layer.shortcut` is the second
/// summand, kImages where there is none.
struct FusedLayer {
    Layer layer;
    int output = 0;                    ///< index of the network's layer whose output it computes
    int parameterLayer = 0;            ///< index of the network's layer whose parameters it has
    std::vector<int> readLast;         ///< outputs that nothing reads after its forward pass
    std::vector<int> readLastBackward; ///< outputs that nothing reads after its backward pass
};

/// Joins every sum with the batch normalization that is its first summand, and finds out for each output
/// where it is read for the last time: convolutions and the dense layer need their input again in the
/// backward pass, a batch normalization its input and, with ReLU, its output. Throws std::invalid_argument
/// for other sums.
std::vector<FusedLayer> fuseSums(const Network& network);

} // namespace quadric::trainer::cuda
