// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/workload/network.h"
#include "core/trainer/workload/workload.h"

#include <cstdint>
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

/// Steps of training before `loss_after_50_steps` is known, and how many batches they take in turn.
inline constexpr int kTrainingSteps = 50;
inline constexpr int kTrainingBatches = 16;

/// Images that something can be learned from: a pattern of waves for each class, as strong as the noise over
/// it, both with variance 1. A step sees the next of kTrainingBatches batches of all ranks and micro-batches,
/// and which images these are does not depend on how they are shared out: two ranks see what one rank sees
/// in two micro-batches.
class TrainingBatches {
public:
    TrainingBatches(const Workload& workload, int classes, int rank);

    /// The images of the next micro-batch of this rank.
    SyntheticBatch next();

private:
    Shape m_image;
    int m_batch, m_classes;
    std::uint64_t m_seed, m_rank, m_ranks, m_microBatches;
    std::uint64_t m_next = 0; ///< micro-batch, modulo m_microBatches
};

} // namespace quadric::trainer
