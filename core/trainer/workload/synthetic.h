// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/workload/network.h"
#include "core/trainer/workload/workload.h"

#include <cstdint>
#include <span>
#include <vector>

namespace quadric::trainer {

/// Images of standard normal noise with random classes; equal for equal seeds on every machine.
struct SyntheticBatch {
    std::vector<float> images;
    std::vector<int> labels;
};
SyntheticBatch makeSyntheticBatch(Shape image, int batch, int classes, std::uint64_t seed);
/// The batch that a rank computes in every measured step.
SyntheticBatch measuredBatch(const Workload& workload, int classes, int rank);

/// First parameters in the order of parametersOf(), the same for every layout and rank: convolutions normal
/// with variance 2 / (outputs × kernel area) (He et al. 2015, fan-out), dense weights and bias uniform within
/// 1/√inputs, scales 1, shifts 0.
std::vector<std::vector<float>> firstParameters(const std::vector<Parameter>& parameters, std::uint64_t seed);

} // namespace quadric::trainer
