// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/gpu/gpu_memory.h"

#include "core/trainer/exchange/selection.h"
#include "core/trainer/gpu/step_plan.h"

#include <algorithm>
#include <bit>

namespace quadric::trainer::cuda {

namespace {

constexpr std::int64_t kFloat = 4;
constexpr std::int64_t kMib = 1 << 20;
constexpr std::int64_t kContext = 600 * kMib; ///< CUDA, kernels of cuDNN and cuBLASLt
constexpr std::int64_t kScratch = 512 * kMib; ///< of the convolutions; they take more where it is free
constexpr std::size_t kMostScratch = std::size_t{2} << 30;

/// What NCCL takes for itself. Users report 544 MiB for two ranks and 688 MiB to 1.06 GB for more (NCCL
/// issues 964 and 1685); a run records what it really was.
std::int64_t ncclBytes(int ranks)
{
    return (ranks > 2 ? 1200 : 600) * kMib;
}

/// The messages of one bucket: buckets use the same memory one after the other.
std::int64_t messageBytes(const Workload& workload, std::size_t largestBucket)
{
    const auto number = static_cast<std::int64_t>(bytesOf(workload.exchange.wire));
    if (workload.exchange.compressionPct <= 0.0)
        return workload.exchange.wire == WireType::Fp32 ? 0
                                                        : number * static_cast<std::int64_t>(largestBucket);
    const auto sent = static_cast<std::int64_t>(sentEntries(largestBucket, workload.exchange.compressionPct));
    return sent * (kFloat + number) * (1 + workload.ranks);
}

} // namespace

std::size_t workspaceLimit(std::size_t free)
{
    return std::min(std::bit_floor(free / 2), kMostScratch);
}

MemoryEstimate estimateGpuMemory(const Workload& workload, const Network& network)
{
    constexpr double kBytesPerMib = 1024.0 * 1024.0;
    const StepShape shape{
        {3, workload.imageSize, workload.imageSize}, workload.batchPerRank, workload.precision};
    const StepPlan plan =
        planStep(network, shape, static_cast<std::size_t>(workload.bucketMib * kBytesPerMib));
    const auto number = static_cast<std::int64_t>(bytesOf(workload.precision));
    const auto parameters = static_cast<std::int64_t>(plan.parameterCount());
    const std::int64_t copies = storedAs(workload.precision) == Precision::Fp32 ? number : 2 * number;
    std::size_t largest = 0;
    for (const Bucket& bucket : plan.buckets)
        largest = std::max(largest, bucket.count);

    MemoryEstimate estimate;
    estimate.activations = static_cast<std::int64_t>(plan.arenaBytes) +
                           number * workload.batchPerRank * 3 * workload.imageSize * workload.imageSize;
    estimate.parameters = parameters * (3 * kFloat + copies);
    if (workload.ranks > 1) {
        const bool isCompressed = workload.exchange.compressionPct > 0.0;
        estimate.exchange = ncclBytes(workload.ranks) + (isCompressed ? kFloat * parameters : 0) +
                            messageBytes(workload, largest);
    }
    estimate.process = kContext + kScratch;
    return estimate;
}

} // namespace quadric::trainer::cuda
