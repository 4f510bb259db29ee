// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/outcome.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace quadric::study {

namespace {

constexpr auto kKindsOfCluster =
    std::to_array<std::string_view>({"node-lost", "requeued", "preempted", "job-lost"});
constexpr auto kKindsOfSurroundings =
    std::to_array<std::string_view>({"interrupted", "setup-failed", "not-found", "not-started", "refused",
                                     "bad-settings", "device-lost", "disk-full"});

template <std::size_t size> bool hasKindOf(const Run& run, const std::array<std::string_view, size>& kinds)
{
    return run.failure && std::ranges::find(kinds, run.failure->kind) != kinds.end();
}

} // namespace

bool isCancelled(const Run& run)
{
    return run.status == RunStatus::Failed && run.failure && run.failure->kind == "cancelled";
}

bool isTakenByCluster(const Run& run)
{
    return hasKindOf(run, kKindsOfCluster);
}

bool isFailureOfSurroundings(const Run& run)
{
    return isCancelled(run) || isTakenByCluster(run) || hasKindOf(run, kKindsOfSurroundings);
}

bool isFailureOfSettings(const Run& run)
{
    return run.status == RunStatus::Failed && !isFailureOfSurroundings(run) &&
           !(run.failure && run.failure->kind == "rank-lost");
}

int countFailed(const Study& study)
{
    return countRuns(study, RunStatus::Failed) - countCancelled(study);
}

int countCancelled(const Study& study)
{
    return static_cast<int>(std::ranges::count_if(study.runs, isCancelled));
}

} // namespace quadric::study
