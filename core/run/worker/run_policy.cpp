// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/worker/run_policy.h"

#include "core/run/worker/run_outcome.h"
#include "core/study/disturbance.h"
#include "core/study/outcome.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace quadric::run {

namespace {

constexpr int kMostCounted = 1'000'000; ///< in a record; more was not counted here
constexpr auto kKindsOfCrash = std::to_array<std::string_view>({"crash", "rank-lost", "device-lost"});

bool hasCrashed(const study::Run& run)
{
    return run.failure && std::ranges::find(kKindsOfCrash, run.failure->kind) != kKindsOfCrash.end();
}

/// What a repetition is counted under, and how many there may be.
struct Cause {
    const char* name;
    int most;
};

std::optional<Cause> causeOf(const study::Run& ended, const study::RetryPolicy& policy)
{
    if (hasCrashed(ended))
        return Cause{"crash", policy.crash};
    if (study::isTakenByCluster(ended))
        return Cause{"cluster", policy.cluster};
    if (ended.status == study::RunStatus::Done && study::isDisturbed(ended))
        return Cause{"disturbed", policy.disturbed};
    return std::nullopt;
}

/// The number of the attempt that comes next, from 1.
int attemptOf(const study::Run& run)
{
    int attempt = 1;
    for (const auto& [cause, count] : run.provenance.repeats)
        attempt += count <= kMostCounted ? count : 0;
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
    if (!cause)
        return false;
    const auto known = ended.provenance.repeats.find(cause->name);
    if ((known == ended.provenance.repeats.end() ? 0 : known->second) >= cause->most)
        return false;
    ++ended.provenance.repeats[cause->name];
    return true;
}

bool isRepetitionOwed(const study::Run& run)
{
    const std::optional<int>& made = run.provenance.attempt;
    return run.status == study::RunStatus::Done && made && *made < attemptOf(run);
}

study::Run nextAttempt(const study::Run& known)
{
    const bool hasEnded = known.status == study::RunStatus::Failed || known.status == study::RunStatus::Done;
    study::Run run = backToPending(known);
    if (hasEnded && !isRepetitionOwed(known))
        ++run.provenance.repeats["asked"];
    return withoutOwed(run);
}

study::Run withoutOwed(study::Run run)
{
    run.provenance.attempt = attemptOf(run);
    return run;
}

study::Run pendingAgain(const study::Run& failed)
{
    study::Run run = backToPending(failed);
    run.provenance.earlierFailure = study::Failure{failed.failure->kind, failed.failure->message};
    return run;
}

} // namespace quadric::run
