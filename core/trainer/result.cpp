// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/result.h"

#include "core/trainer/machine.h"
#include "core/trainer/statistics.h"

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

struct Efficiency {
    std::optional<double> percent;
    std::optional<double> halfWidth;
};

/// Weak scaling efficiency X_N / (N X_1); the errors of both rates add as independent ones.
Efficiency efficiency(const RunRecord& record)
{
    const int ranks = record.workload.ranks;
    if (ranks == 1)
        return {100.0, 0.0};
    if (!record.baseline)
        return {};
    const double alone = imagesPerSecond(*record.baseline, record.workload, 1);
    const double percent = 100.0 * imagesPerSecond(record.together, record.workload, ranks) / (ranks * alone);
    const std::optional<double> a = relativeHalfWidth(record.together);
    const std::optional<double> b = relativeHalfWidth(*record.baseline);
    return {percent, a && b ? std::optional(percent * std::hypot(*a, *b)) : std::nullopt};
}

json responses(const RunRecord& record)
{
    const StageResult& stage = record.together;
    json values = json::object();
    put(values, "images_per_sec", imagesPerSecond(stage, record.workload, record.workload.ranks));
    put(values, "step_ms", median(stage.stepsMs));
    put(values, "step_ms_p95", quantile(stage.stepsMs, 0.95));
    put(values, "scaling_efficiency", efficiency(record).percent);
    put(values, "comm_exposed_pct", 100.0 * stage.exposedMs / (1000.0 * stage.totalSeconds()));
    put(values, "bytes_per_step", stage.bytesPerStep);
    put(values, "loss_end", record.meanLoss);
    put(values, "memory_peak_mib", record.peakMemoryMib);
    return values;
}

json spread(const RunRecord& record)
{
    const StageResult& stage = record.together;
    json values = json::object();
    const double rate = imagesPerSecond(stage, record.workload, record.workload.ranks);
    if (const std::optional<double> relative = relativeHalfWidth(stage))
        put(values, "images_per_sec", rate * *relative);
    if (const std::optional<Interval> interval = medianInterval(stage.stepsMs))
        put(values, "step_ms", interval->halfWidth());
    put(values, "scaling_efficiency", efficiency(record).halfWidth);
    return values;
}

json describeStage(const StageResult& stage, const Workload& workload, int ranks)
{
    json text = {{"ranks", ranks},
                 {"samples", stage.stepsMs.size()},
                 {"warm_up_steps", stage.warmupSteps},
                 {"warm_up_steady", stage.warmupWasSteady},
                 {"stopped_because", describe(stage.stopReason)}};
    put(text, "measured_seconds", stage.totalSeconds());
    put(text, "images_per_sec", imagesPerSecond(stage, workload, ranks));
    put(text, "step_ms", median(stage.stepsMs));
    return text;
}

json describeBaseline(const RunRecord& record)
{
    if (record.baseline)
        return describeStage(*record.baseline, record.workload, 1);
    if (record.workload.ranks == 1)
        return "one rank is its own baseline";
    return "switched off";
}

json describeContention(const Contention& contention)
{
    return {{"foreign_pct", contention.foreignPct},
            {"steal_pct", contention.stealPct},
            {"preempted_pct", contention.preemptedPct},
            {"voluntary_switches", contention.voluntarySwitches},
            {"involuntary_switches", contention.involuntarySwitches}};
}

std::string disturbance(const RunRecord& record)
{
    if (record.contention.isDisturbed)
        return record.contention.reason;
    if (record.baselineContention.isDisturbed)
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

json provenance(const RunRecord& record)
{
    const Machine machine = readMachine();
    json text = {{"source", "measured"},
                 {"host", machine.host},
                 {"cpu", machine.cpu},
                 {"cores", machine.limits.cores},
                 {"engine", record.engine.name},
                 {"compute", record.engine.compute},
                 {"collectives", record.engine.collectives},
                 {"compiler", compilerName()},
                 {"settings", json::parse(settingsJson(record.workload))},
                 {"scaling", "weak"},
                 {"gradient_bytes", record.engine.gradientBytes},
                 {"buckets", record.engine.buckets},
                 {"set_up_seconds", record.setUpSeconds},
                 {"baseline", describeBaseline(record)},
                 {"disturbed", !disturbance(record).empty()},
                 {"contention", describeContention(record.contention)},
                 {"warnings", warnings(record)},
                 {"spread_is", "half width of the 95 % interval"}};
    text.update(describeStage(record.together, record.workload, record.workload.ranks));
    if (const std::string reason = disturbance(record); !reason.empty())
        text["disturbed_because"] = reason;
    return text;
}

} // namespace

double imagesPerSecond(const StageResult& stage, const Workload& workload, int ranks)
{
    const double perStep = static_cast<double>(ranks) * workload.batchPerRank * workload.aggregation;
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
