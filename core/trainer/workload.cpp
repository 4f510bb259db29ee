// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/workload.h"

#include "core/trainer/failure.h"
#include "core/trainer/knobs.h"
#include "core/trainer/memory_estimate.h"
#include "core/trainer/network.h"

#include <algorithm>
#include <stdexcept>

namespace quadric::trainer {

namespace {

constexpr double kMemoryShare = 0.9; ///< of what is available may be claimed

Network networkOf(const Workload& workload)
{
    const std::optional<Network> network = makeNetwork(workload.network);
    if (!network)
        throw Failure(kBadSettings, "network: unknown name \"" + workload.network + '"');
    return *network;
}

void checkImageSize(const Workload& workload, const Network& network)
{
    try {
        inferShapes(network, {3, workload.imageSize, workload.imageSize});
    } catch (const std::invalid_argument& error) {
        throw Failure(kBadSettings, "image_size " + std::to_string(workload.imageSize) + ": " + error.what());
    }
}

void checkThreads(const Workload& workload, const MachineLimits& limits)
{
    const long threads = static_cast<long>(workload.ranks) * workload.threadsPerRank;
    if (threads <= limits.cores || workload.oversubscribe)
        return;
    throw Failure(kBadSettings, "ranks × threads_per_rank = " + std::to_string(threads) +
                                    " is more than the " + std::to_string(limits.cores) +
                                    " cores that this process may use; set oversubscribe to on to allow it");
}

void checkPrecision(const Workload& workload, const MachineLimits& limits)
{
    if (workload.precision == Precision::Bf16 && !limits.hasBf16)
        throw Failure(kBadSettings, "precision bf16: this processor has no instructions for bfloat16 "
                                    "(AVX-512 BF16 or AMX), and without them it is slower than fp32");
}

void checkMemory(const Workload& workload, const MachineLimits& limits, const Network& network)
{
    const std::int64_t together = workload.ranks * estimateMemory(workload, network).total();
    const bool measuresBaseline = workload.baseline && workload.ranks > 1;
    const std::int64_t alone = measuresBaseline ? estimateMemory(baselineOf(workload), network).total() : 0;
    const std::int64_t wanted = std::max(together, alone);
    if (limits.availableBytes == 0 ||
        static_cast<double>(wanted) <= kMemoryShare * static_cast<double>(limits.availableBytes))
        return;
    constexpr std::int64_t kMib = 1 << 20;
    throw Failure(kOutOfMemory, "this run needs about " + std::to_string(wanted / kMib) + " MiB, " +
                                    std::to_string(limits.availableBytes / kMib) + " MiB are available");
}

} // namespace

Workload resolved(Workload workload)
{
    if (workload.scaling == Scaling::Weak)
        return workload;
    const long shares = static_cast<long>(workload.ranks) * workload.aggregation;
    if (workload.globalBatch < shares)
        throw Failure(kBadSettings, "global_batch " + std::to_string(workload.globalBatch) +
                                        ": strong scaling needs at least one image for each of the " +
                                        std::to_string(shares) + " micro-batches (ranks × aggregation)");
    workload.batchPerRank = static_cast<int>(workload.globalBatch / shares);
    return workload;
}

Workload baselineOf(const Workload& workload)
{
    Workload alone = workload;
    alone.ranks = 1;
    if (workload.scaling == Scaling::Strong)
        alone.batchPerRank = workload.batchPerRank * workload.ranks;
    return alone;
}

void validate(const Workload& workload, const MachineLimits& limits)
{
    const Network network = networkOf(workload);
    checkImageSize(workload, network);
    if (workload.engine == EngineKind::Simulated)
        return;
    checkThreads(workload, limits);
    checkPrecision(workload, limits);
    checkMemory(workload, limits, network);
}

} // namespace quadric::trainer
