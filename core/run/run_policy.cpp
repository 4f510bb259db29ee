// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_policy.h"

#include "core/run/recipe.h"
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

using Json = nlohmann::json;

constexpr int kMostCounted = 1'000'000; ///< in a record; more was not counted here
constexpr auto kKindsOfCrash = std::to_array<std::string_view>({"crash", "rank-lost", "device-lost"});
constexpr auto kKindsOfCluster =
    std::to_array<std::string_view>({"node-lost", "requeued", "preempted", "job-lost"});

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

std::optional<Cause> causeOf(const study::Run& ended, const study::RetryPolicy& policy)
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

RunLimits limitsOf(const study::Benchmark& benchmark)
{
    return {benchmark.timeoutSeconds, benchmark.memoryMib, benchmark.outputMib};
}

bool grantRepetition(study::Run& ended, const study::RetryPolicy& policy)
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
