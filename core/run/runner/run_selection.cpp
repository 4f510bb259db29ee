// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/runner/run_selection.h"

#include "core/run/recipe/recipe.h"
#include "core/run/worker/run_policy.h"

namespace quadric::run {

namespace {

using study::RunStatus;

bool isSelected(const study::Run& run, const RunnerOptions& options)
{
    if (!options.only.empty() && !options.only.contains(run.id))
        return false;
    // A run that is "running" here was in the hands of a runner that died: this process holds the lock.
    return run.status == RunStatus::Pending || run.status == RunStatus::Running ||
           (run.status == RunStatus::Failed && options.retryFailed);
}

} // namespace

void checkRuns(const study::Study& study, const RunnerOptions& options)
{
    for (const study::Run& run : study.runs)
        checkRunSettings(study, run);
    for (const int id : options.only) {
        if (!study::findRun(study, id))
            throw RecipeError("run " + std::to_string(id) + ": the study has no such run");
    }
}

std::vector<int> selectRuns(const study::Study& study, const RunnerOptions& options)
{
    std::vector<int> ids;
    for (const study::Run* run : study::inRunOrder(study)) {
        if (isSelected(*run, options))
            ids.push_back(run->id);
    }
    for (const study::Run* run : study::inRunOrder(study)) {
        const bool isAmong = options.only.empty() || options.only.contains(run->id);
        if (isAmong && isRepetitionOwed(*run))
            ids.push_back(run->id);
    }
    return ids;
}

} // namespace quadric::run
