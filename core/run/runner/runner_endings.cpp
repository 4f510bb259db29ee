// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/recipe/baseline_needs.h"
#include "core/run/recipe/recipe.h"
#include "core/run/runner/runner.h"
#include "core/run/runner/runner_state.h"
#include "core/run/words/events.h"
#include "core/study/derived.h"
#include "core/study/run_records.h"
#include "core/text/numbers.h"

#include <algorithm>

// What becomes of a run that has ended, and of those that were to follow.

namespace quadric::run {

using study::RunStatus;

namespace {

/// Why the run was disturbed; empty where it was not.
std::string reasonOfDisturbance(const study::Run& run)
{
    const std::string because = study::disturbanceOf(run);
    return study::isDisturbed(run) && because.empty() ? "its runs say so" : because;
}

} // namespace

void RunnerState::runEnded(int id, const WorkerExit& exit)
{
    study::Run outcome = completed(withOwnBaselineNoted(active.at(id)->concluded(study, exit)));
    const bool isWithoutFolder = outcome.status == RunStatus::Failed && !records.isFolderThere();
    if (isWithoutFolder) // that says nothing about the run
        outcome = resetToPending(outcome);
    const std::string obstacle = failures.note(outcome, willRepeat(outcome, exit));
    take(outcome);
    active.erase(id);
    options.launcher->release(id);
    if (isWithoutFolder)
        line.requeue(outcome);
    if (!obstacle.empty() && !line.queue().isEmpty())
        pauseForFailures(obstacle);
    sendRemaining();
    startDueRuns();
}

/// With what is computed from its results and those of its baseline.
study::Run RunnerState::completed(study::Run run) const
{
    if (run.status != RunStatus::Done)
        return run;
    const std::optional<int> id = run.provenance.baselineRun;
    const study::Run* baseline = id ? study::findRun(study, *id) : nullptr;
    return study::withComputedResults(study, withScaling(study, std::move(run), baseline));
}

/// What the runs to come would start is the same.
bool RunnerState::willRepeat(const study::Run& ended, const WorkerExit& exit) const
{
    if (!isStartFailure(ended, exit))
        return false;
    const auto programOf = [this](const study::Run& run) {
        return launchFor(*approved, run, options.devices).program;
    };
    return std::ranges::all_of(line.queue().ids(), [&, program = programOf(ended)](int id) {
        return programOf(*study::findRun(study, id)) == program;
    });
}

void RunnerState::pauseForFailures(const std::string& why)
{
    if (options.onFailures == OnFailures::Stop)
        summary.whyStopped = why;
    if (options.onFailures != OnFailures::Pause || isPaused)
        return;
    isPaused = true;
    pausedBecause = why;
    announcer.send(pausedEvent(true, why));
}

void RunnerState::take(study::Run outcome)
{
    const study::Run& known = *study::findRun(study, outcome.id);
    const bool isRepetition = known.status == RunStatus::Done;
    if (isRepetition && outcome.status != RunStatus::Done) {
        if (outcome.status == RunStatus::Failed && needsRepetition(known))
            records.record(withdrawRepetition(known), "run-kept"); // measured again, in vain
        else
            announcer.send(runEvent("run-kept", known));
        summary.baselines += line.noteEnded(known) ? 1 : 0;
        return;
    }
    const bool isInUse =
        outcome.status == RunStatus::Done && disturbances.count(reasonOfDisturbance(outcome)) >= kMostAlike;
    study::RetryPolicy retry = study.benchmark.retry;
    if (isInUse)
        retry.disturbed = 0;
    const bool isRepeated = grantRepetition(outcome, retry);
    if (isRepeated && outcome.failure) {
        records.record(resetForRetry(outcome), "run-retried");
    } else {
        if (!isRepetition)
            summary.count(outcome);
        records.record(outcome, statusEventName(outcome.status));
    }
    if (isInUse)
        giveUpRepetitions(reasonOfDisturbance(outcome));
    if (!isRepeated) {
        summary.baselines += line.noteEnded(outcome) ? 1 : 0;
        return;
    }
    line.requeue(outcome);
    announcer.sendQueue(line.queue());
}

void RunnerState::giveUpRepetitions(const std::string& disturbance)
{
    if (noteOfUse.empty())
        noteOfUse =
            "This machine is in use (" + disturbance + "): disturbed runs are marked and no longer repeated.";
    const std::deque<int> waiting = line.queue().ids();
    for (const int id : waiting) {
        const study::Run& known = *study::findRun(study, id);
        if (!needsRepetition(known) || !study::isDisturbed(known))
            continue;
        line.queue().remove(id);
        records.record(withdrawRepetition(known), "run-kept");
    }
    announcer.sendQueue(line.queue());
}

void RunnerSummary::count(const study::Run& ended)
{
    if (ended.kind == study::RunKind::Baseline)
        return;
    done += ended.status == study::RunStatus::Done ? 1 : 0;
    if (ended.status == study::RunStatus::Failed)
        ++(study::isCancelled(ended) ? cancelled : failed);
}

std::string RunnerSummary::inWords() const
{
    if (!problem.empty())
        return problem;
    std::string counts = text::formatCount(done, "run") + " done";
    if (failed > 0)
        counts += ", " + std::to_string(failed) + " failed";
    if (cancelled > 0)
        counts += ", " + std::to_string(cancelled) + " cancelled";
    if (baselines > 0)
        counts += ", " + text::formatCount(baselines, "baseline");
    const std::string noted = note.empty() ? "" : ". " + note;
    const std::string why = whyStopped.empty() ? "" : ". " + whyStopped;
    if (isStopped)
        return "Stopped: " + counts + ", " + std::to_string(pending) + " pending" + why + noted;
    const bool isIdle = done + failed + cancelled == 0;
    return (isIdle ? "Nothing to do: no run is pending" : "Finished: " + counts) + noted;
}

} // namespace quadric::run
