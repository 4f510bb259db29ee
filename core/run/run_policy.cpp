// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_policy.h"

#include "core/run/telemetry/json_text.h"
#include "core/study/disturbance.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>

namespace quadric::run {

namespace {

constexpr auto kBaselineModes = std::to_array<std::pair<const char*, BaselineMode>>(
    {{"shared", BaselineMode::Shared}, {"own", BaselineMode::Own}, {"off", BaselineMode::Off}});

using Json = nlohmann::json;

constexpr int kMostRetries = 100;
constexpr int kMostCounted = 1'000'000; ///< in a record; more was not counted here
constexpr auto kKindsOfCrash = std::to_array<std::string_view>({"crash", "rank-lost", "device-lost"});
constexpr auto kKindsOfCluster =
    std::to_array<std::string_view>({"node-lost", "requeued", "preempted", "job-lost"});

Json valueOf(const study::Benchmark& benchmark, const char* key)
{
    const auto found = benchmark.unknown.find(key);
    return found == benchmark.unknown.end() ? Json() : Json::parse(found->second, nullptr, false);
}

void readLimit(const study::Benchmark& benchmark, const char* key, double& limit)
{
    const Json value = valueOf(benchmark, key);
    if (value.is_null())
        return;
    if (!value.is_number() || !(value.get<double>() > 0.0))
        throw RecipeError(std::string("benchmark.") + key + " is " + value.dump() +
                          ", expected a number of MiB above 0");
    limit = value.get<double>();
}

void readCount(const Json& retry, const char* key, int& count)
{
    if (!retry.contains(key))
        return;
    const Json& value = retry[key];
    if (!value.is_number_integer() || value < 0 || value > kMostRetries)
        throw RecipeError(std::string("benchmark.retry.") + key + " is " + value.dump() +
                          ", expected a whole number from 0 to " + std::to_string(kMostRetries));
    count = value.get<int>();
}

RetryPolicy readRetry(const study::Benchmark& benchmark)
{
    RetryPolicy policy;
    const Json retry = valueOf(benchmark, "retry");
    if (retry.is_null())
        return policy;
    if (!retry.is_object())
        throw RecipeError("benchmark.retry is " + retry.dump() +
                          ", expected an object with \"crash\", \"cluster\" and \"disturbed\"");
    readCount(retry, "crash", policy.crash);
    readCount(retry, "cluster", policy.cluster);
    readCount(retry, "disturbed", policy.disturbed);
    return policy;
}

template <std::size_t size>
bool hasKindOf(const study::Run& run, const std::array<std::string_view, size>& kinds)
{
    return run.failure && std::ranges::find(kinds, run.failure->kind) != kinds.end();
}

/// What a repetition is counted under, and how many there may be.
struct Cause {
    const char* name;
    int most;
};

std::optional<Cause> causeOf(const study::Run& ended, const RetryPolicy& policy)
{
    if (hasKindOf(ended, kKindsOfCrash))
        return Cause{"crash", policy.crash};
    if (hasKindOf(ended, kKindsOfCluster))
        return Cause{"cluster", policy.cluster};
    if (ended.status == study::RunStatus::Done && study::isDisturbed(ended))
        return Cause{"disturbed", policy.disturbed};
    return std::nullopt;
}

constexpr const char* kRepeats = "repeats";
constexpr const char* kAttempt = "attempt";

/// Repetitions that the run was granted or that somebody asked for, by cause.
std::map<std::string, int> repeatsOf(const study::Run& run)
{
    std::map<std::string, int> repeats;
    const auto found = run.provenance.details.find(kRepeats);
    const Json json =
        found == run.provenance.details.end() ? Json() : Json::parse(found->second, nullptr, false);
    if (!json.is_object())
        return repeats;
    for (const auto& [cause, count] : json.items()) {
        if (count.is_number_integer() && count >= 0 && count <= kMostCounted)
            repeats[cause] = count.get<int>();
    }
    return repeats;
}

void addRepeat(study::Run& run, const char* cause)
{
    std::map<std::string, int> repeats = repeatsOf(run);
    ++repeats[cause];
    run.provenance.details[kRepeats] = Json(repeats).dump();
}

/// The number of the attempt that comes next, from 1.
int attemptOf(const study::Run& run)
{
    int attempt = 1;
    for (const auto& [cause, count] : repeatsOf(run))
        attempt += count;
    return attempt;
}

} // namespace

BaselineMode baselineModeOf(const study::Benchmark& benchmark)
{
    const Json value = valueOf(benchmark, "baseline");
    if (value.is_null())
        return BaselineMode::Shared;
    const auto named = std::ranges::find(kBaselineModes, value, &std::pair<const char*, BaselineMode>::first);
    if (named != kBaselineModes.end())
        return named->second;
    throw RecipeError("benchmark.baseline is " + value.dump() + ", expected \"shared\", \"own\" or \"off\"");
}

study::Study withBaselineMode(study::Study study, BaselineMode mode)
{
    const auto named = std::ranges::find(kBaselineModes, mode, &std::pair<const char*, BaselineMode>::second);
    if (mode == BaselineMode::Shared)
        study.benchmark.unknown.erase("baseline");
    else
        study.benchmark.unknown["baseline"] = Json(named->first).dump();
    return study;
}

RunPolicy readRunPolicy(const study::Benchmark& benchmark)
{
    RunPolicy policy;
    policy.limits.seconds = benchmark.timeoutSeconds;
    readLimit(benchmark, "memory_mib", policy.limits.memoryMib);
    readLimit(benchmark, "output_mib", policy.limits.outputMib);
    policy.retry = readRetry(benchmark);
    policy.baseline = baselineModeOf(benchmark);
    return policy;
}

bool grantRepetition(study::Run& ended, const RetryPolicy& policy)
{
    const std::optional<Cause> cause = causeOf(ended, policy);
    if (!cause || repeatsOf(ended)[cause->name] >= cause->most)
        return false;
    addRepeat(ended, cause->name);
    return true;
}

bool isRepetitionOwed(const study::Run& run)
{
    const auto made = study::provenanceNumber(run, kAttempt);
    return run.status == study::RunStatus::Done && made && *made < attemptOf(run);
}

study::Run nextAttempt(const study::Run& known)
{
    const bool hasEnded = known.status == study::RunStatus::Failed || known.status == study::RunStatus::Done;
    study::Run run = backToPending(known);
    if (hasEnded && !isRepetitionOwed(known))
        addRepeat(run, "asked");
    return withoutOwed(run);
}

study::Run withoutOwed(study::Run run)
{
    run.provenance.details[kAttempt] = std::to_string(attemptOf(run));
    return run;
}

study::Run pendingAgain(const study::Run& failed)
{
    study::Run run = backToPending(failed);
    run.provenance.details["earlier_failure"] =
        telemetry::textOf({{"kind", failed.failure->kind}, {"message", failed.failure->message}});
    return run;
}

} // namespace quadric::run
