// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/worker/run_policy.h"

#include "core/run/worker/run_outcome.h"
#include "core/study/files/file.h"
#include "core/study/run.h"
#include "core/study/run_records.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <sys/resource.h>

namespace quadric::run {

namespace {

rlim_t limitOf(decltype(RLIMIT_NOFILE) resource)
{
    rlimit limit = {};
    ::getrlimit(resource, &limit);
    return limit.rlim_cur;
}

std::string inWords(const std::string& what, rlim_t limit, const std::string& advice)
{
    return "no run can be started: " + what + " (the limit is " + std::to_string(limit) +
           "); raise it with " + advice + " and start again: the runs are pending";
}

/// Pipes and log of a worker, its samples, what reads the machine, and git beside it, with some to spare.
bool mayOpenFiles()
{
    constexpr std::size_t kForOneRun = 32;
    std::vector<study::FileHandle> files;
    while (files.size() < kForOneRun) {
        files.emplace_back(::open("/", O_PATH | O_CLOEXEC));
        if (!files.back().isOpen())
            return false;
    }
    return true;
}

constexpr const char* kDisturbed = "disturbed";
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

std::optional<Cause> findRepetitionCause(const study::Run& ended, const study::RetryPolicy& policy)
{
    if (hasCrashed(ended))
        return Cause{"crash", policy.crash};
    if (study::isTakenByCluster(ended))
        return Cause{"cluster", policy.cluster};
    if (ended.status == study::RunStatus::Done && study::isDisturbed(ended))
        return Cause{kDisturbed, policy.disturbed};
    return std::nullopt;
}

/// The number of the attempt that comes next, from 1.
int nextAttemptNumber(const study::Run& run)
{
    int attempt = 1;
    for (const auto& [cause, count] : run.provenance.repeats)
        attempt += count <= kMostCounted ? count : 0;
    return attempt;
}

} // namespace

std::string findLimitInTheWay()
{
    constexpr rlim_t kLargestFileOfARun = rlim_t{16} << 20; // logs end at 4 MiB, the journal has to grow
    if (!mayOpenFiles())
        return inWords("too few files may be open at once", limitOf(RLIMIT_NOFILE), "ulimit -n 1024");
    if (limitOf(RLIMIT_FSIZE) < kLargestFileOfARun)
        return inWords("files may not grow to 16 MiB", limitOf(RLIMIT_FSIZE), "ulimit -f unlimited");
    return {};
}

RunLimits limitsOf(const study::Benchmark& benchmark)
{
    return {benchmark.timeoutSeconds, benchmark.memoryMib, benchmark.outputMib};
}

bool grantRepetition(study::Run& ended, const study::RetryPolicy& policy)
{
    const std::optional<Cause> cause = findRepetitionCause(ended, policy);
    if (!cause)
        return false;
    const auto known = ended.provenance.repeats.find(cause->name);
    if ((known == ended.provenance.repeats.end() ? 0 : known->second) >= cause->most)
        return false;
    ++ended.provenance.repeats[cause->name];
    return true;
}

bool needsRepetition(const study::Run& run)
{
    const std::optional<int>& made = run.provenance.attempt;
    return run.status == study::RunStatus::Done && made && *made < nextAttemptNumber(run);
}

study::Run nextAttempt(const study::Run& known)
{
    const bool hasEnded = known.status == study::RunStatus::Failed || known.status == study::RunStatus::Done;
    study::Run run = resetToPending(known);
    if (hasEnded && !needsRepetition(known))
        ++run.provenance.repeats["asked"];
    return cancelRepetition(run);
}

study::Run cancelRepetition(study::Run run)
{
    run.provenance.attempt = nextAttemptNumber(run);
    return run;
}

study::Run withdrawRepetition(study::Run disturbed)
{
    std::map<std::string, int>& repeats = disturbed.provenance.repeats;
    if (const auto found = repeats.find(kDisturbed); found != repeats.end() && --found->second == 0)
        repeats.erase(found);
    return disturbed;
}

study::Run resetForRetry(const study::Run& failed)
{
    study::Run run = resetToPending(failed);
    run.provenance.earlierFailure = study::Failure{failed.failure->kind, failed.failure->message};
    return run;
}

} // namespace quadric::run
