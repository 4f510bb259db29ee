// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/simulated/simulated_run.h"

#include "core/trainer/base/exchange_options.h"
#include "core/trainer/base/failure.h"
#include "core/trainer/base/hash.h"
#include "core/trainer/base/number_format.h"
#include "core/trainer/base/statistics.h"
#include "core/trainer/measure/stage_rule.h"
#include "core/trainer/measure/validation.h"

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

constexpr double kLeastFactor = 0.01; ///< noise never makes a step free

/// Zero for no name.
std::uint64_t hashOf(std::string_view text)
{
    if (text.empty())
        return 0;
    Hash hash;
    for (const char letter : text)
        hash.add(static_cast<std::uint64_t>(letter));
    return hash.value();
}

StepReport reportOf(const ModeledStep& step, double factor)
{
    StepReport report;
    report.stepMs = 1e3 * step.stepSeconds * factor;
    report.exposedMs = 1e3 * step.exposedSeconds * factor;
    report.selectionMs = 1e3 * step.selectionSeconds;
    report.bytesSent = step.bytesSent;
    return report;
}

StageResult simulateStage(const Workload& workload, double seconds, Random& random)
{
    StageRule rule; // a model does not warm up
    rule.preparingSteps = 0;
    rule.leastWarmupSeconds = 0.0;
    rule.leastSeconds = 0.0;
    rule.secondsLimit = seconds;
    rule.relativeHalfWidth = workload.intervalPct / 100.0;
    rule.warmupSeconds = std::min(workload.warmupSeconds, seconds / 4.0);
    rule.slow = makeSlowStep(workload);
    StageMeter meter(rule);
    const ModeledStep step = modelStep(workload);
    double elapsed = 0.0;
    for (StageCommand next = StageCommand::Continue; next != StageCommand::Stop;) {
        const double factor =
            std::max(kLeastFactor, 1.0 + workload.hardware.noisePct / 100.0 * random.normal());
        meter.add(reportOf(step, factor));
        elapsed += step.stepSeconds * factor;
        next = meter.decide(elapsed);
    }
    return meter.result();
}

double checkedMemory(const Workload& workload)
{
    const Preset& gpu = presetNamed(gpuPresets(), workload.hardware.gpu);
    const auto bytes = static_cast<double>(estimateMemory(workload, *makeNetwork(workload.network)).total());
    const double available = gpu.memoryGib * 1024.0 * double{kMib};
    if (bytes > available)
        throw Failure(kOutOfMemory, "a step needs about " +
                                        std::to_string(std::lround(bytes / double{kMib})) +
                                        " MiB on each GPU; " + gpu.words + " has " +
                                        std::to_string(std::lround(gpu.memoryGib)) + " GiB");
    return bytes / double{kMib} * workload.ranks;
}

EngineFacts factsOf(const Workload& workload)
{
    const Preset& gpu = presetNamed(gpuPresets(), workload.hardware.gpu);
    const bool isStated = workload.hardware.oneGpuImagesPerSec > 0.0;
    const ModeledStep step = modelStep(workload);
    EngineFacts facts;
    facts.name = "simulated";
    facts.compute =
        gpu.words + "; speed of one GPU: " + (isStated ? "stated in the settings" : gpu.speedFrom);
    facts.collectives =
        "α–β model in the node and over " + presetNamed(networkPresets(), workload.hardware.network).words;
    facts.gradientBytes = static_cast<std::int64_t>(step.gradients * sizeof(float));
    facts.buckets = step.buckets;
    facts.warnings.emplace_back("simulated: calculated from a model, not measured");
    if (workload.ranks > workload.hardware.ranksPerNode)
        facts.warnings.emplace_back("beyond one node the model may be 10 % off, mostly too optimistic");
    return facts;
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

RunRecord simulateRun(const Workload& workload, std::string_view run)
{
    RunRecord record;
    record.workload = workload;
    record.peakMemoryMib = record.memoryEstimateMib = checkedMemory(workload);
    record.engine = factsOf(workload);
    Random random(static_cast<std::uint64_t>(workload.seed) ^ hashOf(run));
    double seconds = workload.maxSeconds;
    if (workload.measuresBaseline())
        record.baseline = simulateStage(makeBaselineWorkload(workload), kBaselineShare * seconds, random);
    if (workload.measuresBaseline() || workload.usesGivenBaseline())
        seconds *= 1.0 - kBaselineShare;
    record.together = simulateStage(workload, seconds, random);
    return record;
}

} // namespace quadric::trainer
