// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/simulated/simulated_run.h"

#include "core/trainer/base/failure.h"
#include "core/trainer/base/hash.h"
#include "core/trainer/base/random.h"
#include "core/trainer/base/units.h"
#include "core/trainer/measure/slow_step.h"
#include "core/trainer/measure/validation.h"
#include "core/trainer/simulated/step_model.h"
#include "core/trainer/workload/link_presets.h"

#include <algorithm>
#include <cmath>

namespace quadric::trainer {

namespace {

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
    rule.slow = slowStepOf(workload);
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

RunRecord simulateRun(const Workload& workload, std::string_view run)
{
    RunRecord record;
    record.workload = workload;
    record.peakMemoryMib = record.memoryEstimateMib = checkedMemory(workload);
    record.engine = factsOf(workload);
    Random random(static_cast<std::uint64_t>(workload.seed) ^ hashOf(run));
    double seconds = workload.maxSeconds;
    if (workload.measuresBaseline())
        record.baseline = simulateStage(baselineOf(workload), kBaselineShare * seconds, random);
    if (workload.measuresBaseline() || workload.usesGivenBaseline())
        seconds *= 1.0 - kBaselineShare;
    record.together = simulateStage(workload, seconds, random);
    return record;
}

} // namespace quadric::trainer
