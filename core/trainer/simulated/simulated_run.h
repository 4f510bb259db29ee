// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/exchange/bucket_exchange.h"
#include "core/trainer/measure/result.h"
#include "core/trainer/workload/network.h"
#include "core/trainer/workload/workload.h"

#include <string_view>
#include <vector>

namespace quadric::trainer {

/// The α–β cost of collectives: α seconds a message and n/B for its bytes (Thakur, Rabenseifner, Gropp 2005).
/// `ranks` from 1, where everything is free; results in seconds.
struct AllReduceCost {
    double ring = 0.0;            ///< 2(p−1)α + 2(p−1)/p · n/B
    double tree = 0.0;            ///< 2 log₂p · α + 2n/B
    double halvingDoubling = 0.0; ///< 2 log₂p · α + 2(p−1)/p · n/B, for powers of two; infinite otherwise
    double least() const;
};
AllReduceCost allReduceCost(const LinkModel& link, int ranks, double bytes);

/// Ring all-gather of that many bytes from each rank: (p−1)(α + n/B).
double allGatherSeconds(const LinkModel& link, int ranks, double bytes);

/// Ranks that share fast links in their node, and nodes.
struct Topology {
    LinkModel node;
    LinkModel network;
    int ranks = 1;
    int ranksPerNode = 8;
    int localRanks() const { return ranks < ranksPerNode ? ranks : ranksPerNode; }
    int nodes() const { return (ranks + ranksPerNode - 1) / ranksPerNode; }
};

/// Both levels: reduce and scatter in the node, all-reduce of the shares between nodes, gather in the node.
double allReduceSeconds(const Topology& topology, double bytes);
double allGatherSeconds(const Topology& topology, double bytes);

/// What one bucket costs.
struct BucketCost {
    double exchangeSeconds = 0.0;  ///< on the links, with the launch of the kernels
    double selectionSeconds = 0.0; ///< reading the gradients several times in the GPU's memory
    double bytesSent = 0.0;        ///< by a rank, as the rings send them
    double seconds() const { return exchangeSeconds + selectionSeconds; }
};

/// Cost of a bucket of `gradients` numbers with the compression of the trainer; `memoryGigabytesPerSec` is
/// what selection reads with.
BucketCost bucketCost(const Topology& topology, const ExchangeOptions& options, std::size_t gradients,
                      double memoryGigabytesPerSec);

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

/// Carries out a run on hardware that is not here: steps come from the model (step_model.h) and, where asked
/// for, normal noise; warm-up, stop rule and result are those of real runs, in simulated time. The noise
/// comes from the seed and from the name of the run, so that repetitions of a setting differ and a run that
/// is done again does not. Throws Failure (out-of-memory) for a step that does not fit into the simulated
/// GPU.
RunRecord simulateRun(const Workload& workload, std::string_view run = {});

} // namespace quadric::trainer
