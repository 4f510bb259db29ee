// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/measure/result.h"

#include "core/trainer/base/compiler_name.h"
#include "core/trainer/base/statistics.h"
#include "core/trainer/measure/efficiency.h"
#include "core/trainer/measure/machine.h"
#include "core/trainer/workload/knobs.h"

#include <cmath>

namespace quadric::trainer {

using nlohmann::json;

namespace {

/// Half width of the 95 % interval of a rate, relative to it: that of the mean step.
std::optional<double> relativeHalfWidth(const StageResult& stage)
{
    const std::optional<double> half = meanHalfWidth(stage.stepsMs);
    const double meanMs = 1000.0 * stage.totalSeconds() / static_cast<double>(stage.stepsMs.size());
    return half ? std::optional(*half / meanMs) : std::nullopt;
}

void put(json& object, const char* name, std::optional<double> value)
{
    if (value && std::isfinite(*value))
        object[name] = *value;
}

bool isSimulated(const RunRecord& record)
{
    return record.workload.engine == EngineKind::Simulated;
}

Rate rateOf(const StageResult& stage, const Workload& workload)
{
    return {imagesPerSecond(stage, workload), relativeHalfWidth(stage)};
}

/// As it was given in the settings.
Rate givenBaseline(const Workload& workload)
{
    Rate rate{*workload.baselineRate, std::nullopt};
    if (workload.baselineHalfWidth)
        rate.relativeHalfWidth = *workload.baselineHalfWidth / rate.perSecond;
    return rate;
}

/// The speed of one rank: measured in this run, or given.
std::optional<Rate> baselineRate(const RunRecord& record)
{
    if (record.workload.usesGivenBaseline())
        return givenBaseline(record.workload);
    return record.baseline ? std::optional(rateOf(*record.baseline, baselineOf(record.workload)))
                           : std::nullopt;
}

/// Nothing without a baseline; one rank is fully efficient by definition.
std::optional<Efficiency> efficiency(const RunRecord& record)
{
    if (record.workload.ranks == 1)
        return Efficiency{100.0, 0.0};
    const std::optional<Rate> alone = baselineRate(record);
    return alone ? std::optional(scalingEfficiency(rateOf(record.together, record.workload), *alone,
                                                   record.workload.ranks))
                 : std::nullopt;
}

void putEpoch(json& values, const Workload& workload, double rate)
{
    const double seconds = secondsPerEpoch(workload.datasetImages, rate);
    put(values, "seconds_per_epoch", seconds);
    if (workload.pricePerRankHour > 0.0)
        put(values, "cost_per_epoch", costPerEpoch(seconds, workload.ranks, workload.pricePerRankHour));
}

json responses(const RunRecord& record)
{
    const StageResult& stage = record.together;
    const auto steps = static_cast<double>(stage.stepsMs.size());
    const double rate = imagesPerSecond(stage, record.workload);
    json values = json::object();
    put(values, "images_per_sec", rate);
    put(values, "step_ms", median(stage.stepsMs));
    put(values, "step_ms_p95", quantile(stage.stepsMs, 0.95));
    if (const std::optional<Efficiency> found = efficiency(record))
        put(values, "scaling_efficiency", found->percent);
    put(values, "comm_exposed_pct", 100.0 * stage.exposedMs / (1000.0 * stage.totalSeconds()));
    put(values, "bytes_per_step", stage.bytesSent / steps);
    put(values, "selection_ms", stage.selectionMs / steps);
    if (!isSimulated(record))
        put(values, "loss_end", record.meanLoss);
    put(values, "memory_peak_mib", record.peakMemoryMib);
    if (record.joules)
        put(values, "joules_per_image",
            *record.joules / (steps * static_cast<double>(record.workload.imagesPerStep())));
    putEpoch(values, record.workload, rate);
    return values;
}

json spread(const RunRecord& record)
{
    const StageResult& stage = record.together;
    json values = json::object();
    const Rate rate = rateOf(stage, record.workload);
    if (rate.relativeHalfWidth)
        put(values, "images_per_sec", rate.perSecond * *rate.relativeHalfWidth);
    if (const std::optional<Interval> interval = medianInterval(stage.stepsMs))
        put(values, "step_ms", interval->halfWidth());
    if (const std::optional<Efficiency> found = efficiency(record))
        put(values, "scaling_efficiency", found->halfWidth);
    return values;
}

json describeStage(const StageResult& stage, const Workload& workload)
{
    json text = {{"ranks", workload.ranks},
                 {"batch_per_rank", workload.batchPerRank},
                 {"samples", stage.stepsMs.size()},
                 {"warm_up_steps", stage.warmupSteps},
                 {"warm_up_steady", stage.warmupWasSteady},
                 {"stopped_because", describe(stage.stopReason)}};
    put(text, "measured_seconds", stage.totalSeconds());
    put(text, "images_per_sec", imagesPerSecond(stage, workload));
    put(text, "step_ms", median(stage.stepsMs));
    return text;
}

json describeGiven(const Workload& workload)
{
    json given = {{"from", "settings"}, {"images_per_sec", *workload.baselineRate}};
    put(given, "half_width", workload.baselineHalfWidth);
    return given;
}

json describeBaseline(const RunRecord& record)
{
    if (record.workload.ranks == 1)
        return "one rank is its own baseline";
    if (record.workload.usesGivenBaseline())
        return describeGiven(record.workload);
    if (record.baseline) {
        json own = describeStage(*record.baseline, baselineOf(record.workload));
        own["from"] = "this run";
        return own;
    }
    return "switched off";
}

json describeContention(const machine::Contention& contention)
{
    json text = {{"foreign_pct", contention.shares.foreignPct},
                 {"steal_pct", contention.shares.stealPct},
                 {"preempted_pct", contention.shares.preemptedPct},
                 {"voluntary_switches", contention.voluntarySwitches},
                 {"involuntary_switches", contention.involuntarySwitches}};
    if (!contention.gpuClocksHeldPct.empty())
        text["gpu_clocks_held_pct"] = contention.gpuClocksHeldPct;
    return text;
}

std::string disturbance(const RunRecord& record)
{
    if (!record.contention.reason.empty())
        return record.contention.reason;
    if (!record.baselineContention.reason.empty())
        return "during the baseline, " + record.baselineContention.reason;
    return {};
}

std::vector<std::string> warnings(const RunRecord& record)
{
    std::vector<std::string> all = record.engine.warnings;
    if (!std::isfinite(record.meanLoss))
        all.emplace_back("the training diverged: the loss is no longer a finite number");
    return all;
}

/// What strong scaling made of the global batch that was asked for.
json describeScaling(const Workload& workload)
{
    if (workload.scaling == Scaling::Weak)
        return {{"kind", "weak"}};
    return {{"kind", "strong"},
            {"global_batch_asked", workload.globalBatch},
            {"global_batch_computed", workload.imagesPerStep()}};
}

json describeMachine()
{
    const Machine machine = readMachine();
    return {{"host", machine.host},
            {"cpu", machine.cpu},
            {"cores", machine.limits.cores},
            {"compiler", compilerName()}};
}

/// A simulated run says nothing about this machine and was disturbed by nobody.
json describeOrigin(const RunRecord& record)
{
    if (isSimulated(record))
        return {{"source", "simulated"}, {"disturbed", false}, {"spread_is", "from the simulated noise"}};
    json text = describeMachine();
    text["source"] = "measured";
    text["spread_is"] = "half width of the 95 % interval";
    text["disturbed"] = !disturbance(record).empty();
    if (const std::string reason = disturbance(record); !reason.empty())
        text["disturbed_because"] = reason;
    text["contention"] = describeContention(record.contention);
    text["set_up_seconds"] = record.setUpSeconds;
    return text;
}

json provenance(const RunRecord& record)
{
    json text = {{"engine", record.engine.name},
                 {"compute", record.engine.compute},
                 {"collectives", record.engine.collectives},
                 {"settings", json::parse(settingsJson(record.workload))},
                 {"scaling", describeScaling(record.workload)},
                 {"gradient_bytes", record.engine.gradientBytes},
                 {"buckets", record.engine.buckets},
                 {"memory_estimate_mib", record.memoryEstimateMib},
                 {"baseline", describeBaseline(record)},
                 {"warnings", warnings(record)}};
    if (!record.engine.device.empty())
        text["gpu"] = record.engine.device;
    if (!record.engine.whyNoEnergy.empty())
        text["no_energy_because"] = record.engine.whyNoEnergy;
    text.update(describeOrigin(record));
    text.update(describeStage(record.together, record.workload));
    return text;
}

} // namespace

double imagesPerSecond(const StageResult& stage, const Workload& workload)
{
    const auto perStep = static_cast<double>(workload.imagesPerStep());
    return perStep * static_cast<double>(stage.stepsMs.size()) / stage.totalSeconds();
}

json resultEvent(const RunRecord& record)
{
    return {{"event", "result"},
            {"responses", responses(record)},
            {"spread", spread(record)},
            {"provenance", provenance(record)}};
}

} // namespace quadric::trainer
