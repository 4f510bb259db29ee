// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/exchange/bucket_exchange.h"
#include "core/trainer/workload/link_presets.h"

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

} // namespace quadric::trainer
