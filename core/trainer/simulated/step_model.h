// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/workload/network.h"
#include "core/trainer/workload/workload.h"

#include <vector>

namespace quadric::trainer {

/// A bucket in the order of the backward pass.
struct TimedBucket {
    double readySeconds = 0.0; ///< after the start of the step
    double costSeconds = 0.0;
};

/// When the last bucket has arrived: a bucket starts when it is ready and the one before has ended.
double exchangeEnd(const std::vector<TimedBucket>& buckets);

/// One step as the model sees it.
struct ModeledStep {
    double computeSeconds = 0.0; ///< forward and backward of all micro-batches
    double stepSeconds = 0.0;
    double exposedSeconds = 0.0; ///< waiting for the exchange after the backward pass
    double selectionSeconds = 0.0;
    double bytesSent = 0.0;
    std::size_t buckets = 0;
    std::size_t gradients = 0;
};

/// Seconds that one simulated GPU computes for a batch: 2 ms for starting the kernels and the rest in
/// proportion to images and multiply-accumulates, so that ResNet-50 at 224 px and batch 256 runs at the
/// stated speed.
double computeSeconds(const SimulatedHardware& hardware, const Network& network, int imageSize, int batch);

/// The α–β model of a step with overlap of the exchange and the backward pass, which takes two thirds of the
/// computing and finishes the layers in proportion to their work.
ModeledStep modelStep(const Workload& workload);

} // namespace quadric::trainer
