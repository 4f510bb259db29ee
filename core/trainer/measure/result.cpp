// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/measure/result.h"

#include "core/text/numbers.h"
#include "core/trainer/base/compiler_name.h"
#include "core/trainer/base/statistics.h"
#include "core/trainer/measure/validation.h"
#include "core/trainer/workload/knobs.h"

#include <cmath>

namespace quadric::trainer {

using nlohmann::json;

namespace {

constexpr double kSecondsPerHour = 3600.0;

/// Half width of the 95 % interval of a rate, relative to it: that of the mean step.
std::optional<double> relativeHalfWidth(const StageResult& stage)
{
    const std::optional<double> half = meanStepHalfWidth(stage.stepsMs);
    const double meanMs = 1000.0 * stage.totalSeconds() / static_cast<double>(stage.stepsMs.size());
    return half ? std::optional(*half / meanMs) : std::nullopt;
}

void put(json& object, const char* name, std::optional<double> value)
{
    if (value && std::isfinite(*value))
        object[name] = *value;
}

std::string oneDecimal(double value)
{
    return text::formatDecimals(value, 1);
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
    return record.baseline ? std::optional(rateOf(*record.baseline, makeBaselineWorkload(record.workload)))
                           : std::nullopt;
}

/// What the rates say, however vague; nothing without a baseline; one rank is fully efficient by definition.
std::optional<Efficiency> efficiency(const RunRecord& record)
{
    if (record.workload.ranks == 1)
        return Efficiency{100.0, 0.0};
    const std::optional<Rate> alone = baselineRate(record);
    return alone ? std::optional(scalingEfficiency(rateOf(record.together, record.workload), *alone,
                                                   record.workload.ranks))
                 : std::nullopt;
}

/// Seconds for a whole data set at that speed.
double secondsPerEpoch(double datasetImages, double imagesPerSecond)
{
    return datasetImages / imagesPerSecond;
}

/// Price of an epoch, in the currency of the price of one rank for an hour.
double costPerEpoch(double secondsPerEpoch, int ranks, double pricePerRankHour)
{
    return secondsPerEpoch / kSecondsPerHour * ranks * pricePerRankHour;
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
    put(values, "loss_after_50_steps", record.trainedLoss);
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
    put(values, "step_ms", medianStepHalfWidth(stage.stepsMs));
    if (const std::optional<Efficiency> found = efficiency(record))
        put(values, "scaling_efficiency", found->halfWidth);
    return values;
}

json describeStage(const StageResult& stage, const Workload& workload)
{
    json text = {{"ranks", workload.ranks},
                 {"batch_per_rank", workload.batchPerRank},
                 {"samples", stage.stepsMs.size()},
                 {"blocks", blockCount(stage.stepsMs)},
                 {"warm_up_steps", stage.warmupSteps},
                 {"warm_up_seconds", stage.warmupSeconds},
                 {"warm_up_steady", stage.warmupWasSteady},
                 {"stopped_because", describe(stage.stopReason)}};
    put(text, "measured_seconds", stage.totalSeconds());
    if (const std::optional<Drift> drift = estimateDrift(stage.stepsMs)) {
        put(text, "drift_pct", drift->percent);
        put(text, "drift_half_width_pct", drift->halfWidth);
    }
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
        json own = describeStage(*record.baseline, makeBaselineWorkload(record.workload));
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

/// "the steps became 1.9 % slower while they were measured", where that is no noise; otherwise empty.
std::string whyDriftDisturbs(const StageResult& stage)
{
    const std::optional<Drift> drift = estimateDrift(stage.stepsMs);
    if (!drift || !drift->disturbs())
        return {};
    return "drifting: the steps became " + oneDecimal(std::abs(drift->percent)) +
           (drift->percent > 0.0 ? " % slower" : " % faster") + " while they were measured";
}

std::string whyDisturbed(const machine::Contention& contention, const StageResult& stage)
{
    std::string reasons = contention.reason;
    machine::addReason(reasons, whyDriftDisturbs(stage));
    return reasons;
}

std::string disturbance(const RunRecord& record)
{
    if (std::string reason = whyDisturbed(record.contention, record.together); !reason.empty())
        return reason;
    if (!record.baseline)
        return {};
    const std::string alone = whyDisturbed(record.baselineContention, *record.baseline);
    return alone.empty() ? alone : "during the baseline, " + alone;
}

/// The measurement ended as soon as the setting was surely worse than what it was compared with.
bool isShortLook(const RunRecord& record)
{
    return record.together.stopReason == StopReason::SurelySlow;
}

/// What makes a stage say less than a full one. A limit that was too short is the usual cause.
void addShortcomings(const StageResult& stage, double leastSeconds, const std::string& where,
                     std::vector<std::string>& warnings)
{
    const double seconds = stage.totalSeconds();
    if (stage.stepsMs.size() < kEnoughSteps)
        warnings.push_back(where + "only " + std::to_string(stage.stepsMs.size()) +
                           " steps were measured; raise max_seconds");
    else if (seconds < leastSeconds)
        warnings.push_back(where + "measured for " + oneDecimal(seconds) + " s instead of " +
                           oneDecimal(leastSeconds) + " s; raise max_seconds");
    if (!stage.warmupWasSteady)
        warnings.push_back(where + "the steps had not settled when the measurement began; raise max_seconds");
}

std::vector<std::string> warnings(const RunRecord& record)
{
    std::vector<std::string> all = record.engine.warnings;
    if (const auto found = efficiency(record); found && !isMeaningful(*found) && !isShortLook(record))
        all.push_back("the scaling efficiency is known to " + oneDecimal(found->percent) + " % ± " +
                      oneDecimal(*found->halfWidth) + " % only; raise max_seconds");
    if (!isSimulated(record)) {
        const double least = record.workload.leastSeconds();
        if (!isShortLook(record))
            addShortcomings(record.together, least, "", all);
        if (record.baseline)
            addShortcomings(*record.baseline, least, "baseline: ", all);
    }
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

json describePlans(const PlanRecord& plans)
{
    return {{"hash", plans.hashText()},
            {"engines", plans.engines},
            {"timed", plans.timed},
            {"kept", plans.kept},
            {"equal_on_all_ranks", plans.areEqualOnAllRanks}};
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
    if (isShortLook(record))
        text["short_look"] = {{"response", record.workload.shortLook->response},
                              {"worse_than", record.workload.shortLook->worseThan}};
    if (!record.engine.device.empty())
        text["gpu"] = record.engine.device;
    if (!record.engine.exchangePaths.empty())
        text["exchange_paths"] = record.engine.exchangePaths;
    put(text, "exchange_memory_mib", record.engine.exchangeMemoryMib);
    if (!record.engine.plans.empty())
        text["convolution_plans"] = describePlans(record.engine.plans);
    if (!record.engine.whyNoEnergy.empty())
        text["no_energy_because"] = record.engine.whyNoEnergy;
    text.update(describeOrigin(record));
    text.update(describeStage(record.together, record.workload));
    return text;
}

} // namespace

Efficiency scalingEfficiency(const Rate& together, const Rate& alone, int ranks)
{
    Efficiency result;
    result.percent = 100.0 * together.perSecond / (ranks * alone.perSecond);
    if (together.relativeHalfWidth && alone.relativeHalfWidth)
        result.halfWidth = result.percent * std::hypot(*together.relativeHalfWidth, *alone.relativeHalfWidth);
    return result;
}

bool isMeaningful(const Efficiency& efficiency)
{
    return !efficiency.halfWidth || 2.0 * *efficiency.halfWidth < efficiency.percent;
}

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
