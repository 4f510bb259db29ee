// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/simulated/transfer_model.h"

#include "core/trainer/exchange/selection.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace quadric::trainer {

namespace {

constexpr double kLaunchSeconds = 20e-6;
/// Times that the gradients of a bucket pass through memory: adding the residual, two passes of a radix
/// selection, packing, clearing, adding what came; chunks need no positions.
constexpr double kTopkPasses = 10.0;
constexpr double kAlignedPasses = 6.0;

double sendSeconds(const LinkModel& link, double bytes)
{
    return bytes / (1e9 * link.gigabytesPerSec);
}

double ringBytes(int ranks, double bytes)
{
    return 2.0 * (ranks - 1) / ranks * bytes;
}

} // namespace

double AllReduceCost::least() const
{
    return std::min({ring, tree, halvingDoubling});
}

AllReduceCost allReduceCost(const LinkModel& link, int ranks, double bytes)
{
    if (ranks < 2)
        return {};
    const double alpha = 1e-6 * link.latencyUs;
    const double rounds = 2.0 * std::ceil(std::log2(ranks));
    const double shared = sendSeconds(link, ringBytes(ranks, bytes));
    const bool isPowerOfTwo = std::has_single_bit(static_cast<unsigned>(ranks));
    return {2.0 * (ranks - 1) * alpha + shared, rounds * alpha + sendSeconds(link, 2.0 * bytes),
            isPowerOfTwo ? rounds * alpha + shared : std::numeric_limits<double>::infinity()};
}

double allGatherSeconds(const LinkModel& link, int ranks, double bytes)
{
    return (ranks - 1) * (1e-6 * link.latencyUs + sendSeconds(link, bytes));
}

double allReduceSeconds(const Topology& topology, double bytes)
{
    const int local = topology.localRanks();
    return allReduceCost(topology.node, local, bytes).least() +
           allReduceCost(topology.network, topology.nodes(), bytes / local).least();
}

double allGatherSeconds(const Topology& topology, double bytes)
{
    return allGatherSeconds(topology.network, topology.nodes(), bytes) +
           allGatherSeconds(topology.node, topology.localRanks(), bytes * topology.nodes());
}

BucketCost bucketCost(const Topology& topology, const ExchangeOptions& options, std::size_t gradients,
                      double memoryGigabytesPerSec)
{
    if (topology.ranks < 2)
        return {};
    const auto all = static_cast<double>(gradients);
    const auto number = static_cast<double>(bytesOf(options.wire));
    const auto passes = [&](double count) {
        return count * all * sizeof(float) / (1e9 * memoryGigabytesPerSec);
    };
    if (options.compressionPct <= 0.0) {
        const double bytes = all * number;
        return {kLaunchSeconds + allReduceSeconds(topology, bytes), 0.0, ringBytes(topology.ranks, bytes)};
    }
    const std::size_t entries = sentEntries(gradients, options.compressionPct);
    if (options.method == CompressionMethod::Topk) {
        const double bytes = static_cast<double>(entries) * (sizeof(std::uint32_t) + number);
        return {kLaunchSeconds + allGatherSeconds(topology, bytes), passes(kTopkPasses),
                (topology.ranks - 1) * bytes};
    }
    constexpr auto kChunk = static_cast<double>(kAlignedChunk);
    const double scores = std::ceil(all / kChunk) * sizeof(float);
    const double bytes = std::min(all, std::ceil(static_cast<double>(entries) / kChunk) * kChunk) * number;
    return {2.0 * kLaunchSeconds + allReduceSeconds(topology, scores) + allReduceSeconds(topology, bytes),
            passes(kAlignedPasses), ringBytes(topology.ranks, scores + bytes)};
}

} // namespace quadric::trainer
