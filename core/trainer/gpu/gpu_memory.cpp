// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/gpu/gpu_memory.h"

#include "core/trainer/exchange/selection.h"
#include "core/trainer/gpu/step_plan.h"

#include <algorithm>

namespace quadric::trainer::cuda {

namespace {

constexpr std::int64_t kFloat = 4;
constexpr std::int64_t kMib = 1 << 20;
constexpr std::int64_t kContext = 600 * kMib; ///< CUDA, kernels of cuDNN and cuBLASLt
constexpr std::int64_t kNccl = 200 * kMib;

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

MemoryEstimate estimateGpuMemory(const Workload& workload, const Network& network)
{
    constexpr double kBytesPerMib = 1024.0 * 1024.0;
    const StepShape shape{
        {3, workload.imageSize, workload.imageSize}, workload.batchPerRank, workload.precision};
    const StepPlan plan =
        planStep(network, shape, static_cast<std::size_t>(workload.bucketMib * kBytesPerMib));
    const auto number = static_cast<std::int64_t>(bytesOf(workload.precision));
    const auto parameters = static_cast<std::int64_t>(plan.parameterCount());
    const std::int64_t copies = workload.precision == Precision::Fp32 ? number : 2 * number;
    std::size_t largest = 0;
    for (const Bucket& bucket : plan.buckets)
        largest = std::max(largest, bucket.count);

    MemoryEstimate estimate;
    estimate.activations = static_cast<std::int64_t>(plan.arenaBytes) +
                           number * workload.batchPerRank * 3 * workload.imageSize * workload.imageSize;
    estimate.parameters = parameters * (3 * kFloat + copies);
    if (workload.ranks > 1) {
        const bool isCompressed = workload.exchange.compressionPct > 0.0;
        estimate.exchange =
            kNccl + (isCompressed ? kFloat * parameters : 0) + messageBytes(workload, largest);
    }
    estimate.process = kContext + static_cast<std::int64_t>(kWorkspaceLimit);
    return estimate;
}

} // namespace quadric::trainer::cuda
