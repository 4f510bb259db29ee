// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/simulated/step_model.h"

#include "core/trainer/base/gradient_arena.h"
#include "core/trainer/base/units.h"
#include "core/trainer/simulated/transfer_model.h"

#include <algorithm>

namespace quadric::trainer {

namespace {

constexpr double kBackwardShare = 2.0 / 3.0;
constexpr double kKernelStartSeconds = 2e-3;
constexpr double kStatedBatch = 256.0;

/// The buckets of a network, and which share of the backward pass is done when each is complete.
struct BucketPlan {
    std::vector<Bucket> buckets;
    std::vector<double> done;
};

BucketPlan planBuckets(const Network& network, Shape image, double bucketMib)
{
    const std::vector<Parameter> parameters = parametersOf(network, image);
    const std::vector<Shape> shapes = inferShapes(network, image);
    std::vector<std::size_t> counts;
    std::vector<double> work;
    counts.reserve(parameters.size());
    work.reserve(parameters.size());
    for (const Parameter& parameter : parameters) {
        const Shape& out = shapes[static_cast<std::size_t>(parameter.layer)];
        const auto count = static_cast<double>(parameter.count());
        counts.push_back(parameter.count());
        work.push_back(parameter.dims.size() > 1 ? count * out.height * out.width : 0.0);
    }
    const std::vector<ArenaSpan> tensors = layOut(counts);
    BucketPlan plan{makeBuckets(tensors, counts, static_cast<std::size_t>(bucketMib * double{kMib})), {}};
    const auto total = static_cast<double>(multiplyAccumulates(network, image));
    for (const Bucket& bucket : plan.buckets) {
        double finished = 0.0;
        for (std::size_t i = 0; i < tensors.size(); ++i)
            finished += tensors[i].offset >= bucket.offset ? work[i] : 0.0;
        plan.done.push_back(finished / total);
    }
    return plan;
}

Topology topologyOf(const Workload& workload)
{
    return {presetNamed(gpuPresets(), workload.hardware.gpu).link,
            presetNamed(networkPresets(), workload.hardware.network).link, workload.ranks,
            workload.hardware.ranksPerNode};
}

} // namespace

double exchangeEnd(const std::vector<TimedBucket>& buckets)
{
    double end = 0.0;
    for (const TimedBucket& bucket : buckets)
        end = std::max(end, bucket.readySeconds) + bucket.costSeconds;
    return end;
}

double computeSeconds(const SimulatedHardware& hardware, const Network& network, int imageSize, int batch)
{
    const double preset = presetNamed(gpuPresets(), hardware.gpu).imagesPerSec;
    const double stated = hardware.oneGpuImagesPerSec > 0.0 ? hardware.oneGpuImagesPerSec : preset;
    static const auto reference =
        static_cast<double>(multiplyAccumulates(*makeNetwork("resnet50"), {3, 224, 224}));
    const double work =
        static_cast<double>(multiplyAccumulates(network, {3, imageSize, imageSize})) / reference;
    const double statedStep = kStatedBatch / stated;
    const double start = std::min(kKernelStartSeconds, statedStep / 2.0);
    return start + batch * work * (statedStep - start) / kStatedBatch;
}

ModeledStep modelStep(const Workload& workload)
{
    const Network network = *makeNetwork(workload.network);
    const double once = computeSeconds(workload.hardware, network, workload.imageSize, workload.batchPerRank);
    const double memory = presetNamed(gpuPresets(), workload.hardware.gpu).memoryGigabytesPerSec;
    const BucketPlan plan =
        planBuckets(network, {3, workload.imageSize, workload.imageSize}, workload.bucketMib);
    ModeledStep step;
    step.computeSeconds = once * workload.aggregation;
    step.buckets = plan.buckets.size();
    const Topology topology = topologyOf(workload);
    std::vector<TimedBucket> timed;
    for (std::size_t i = 0; i < plan.buckets.size(); ++i) {
        const BucketCost cost = bucketCost(topology, workload.exchange, plan.buckets[i].gradients, memory);
        const double left = workload.overlap ? (1.0 - plan.done[i]) * kBackwardShare * once : 0.0;
        timed.push_back({step.computeSeconds - left, cost.seconds()});
        step.selectionSeconds += cost.selectionSeconds;
        step.bytesSent += cost.bytesSent;
        step.gradients += plan.buckets[i].gradients;
    }
    const double end = workload.ranks > 1 ? exchangeEnd(timed) : step.computeSeconds;
    const double overhead = workload.ranks > 1 ? 1e-3 * workload.hardware.stepOverheadMs : 0.0;
    step.exposedSeconds = std::max(0.0, end - step.computeSeconds);
    step.stepSeconds = step.computeSeconds + step.exposedSeconds + overhead;
    return step;
}

} // namespace quadric::trainer
