// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/runner_state.h"
#include "core/study/baselines.h"
#include "core/study/document.h"
#include "core/study/json.h"

namespace quadric::run {

namespace {

using study::Json;
using study::RunKind;
using study::RunStatus;

/// Runs that the user has asked for an efficiency of, and that are not each to measure their own.
bool wantsSharedBaselines(const study::Study& study)
{
    return study.benchmark.baseline == study::BaselineMode::Shared && asksForBaselines(study);
}

/// Where jobs run on other machines, the cluster's options say on which. Here neighbours share memory and
/// heat.
void addLauncher(const study::Study& study, const Launcher& launcher, std::map<int, BaselineNeed>& needs)
{
    const std::string name = launcher.name();
    const Json options = Json::parse(study::writeSlurm(study.benchmark.slurm));
    for (auto& [run, need] : needs) {
        Json conditions = Json::parse(need.conditions, nullptr, false);
        if (name == "slurm")
            conditions = Json{{"program", conditions.value("program", Json())}, {"options", options}};
        else
            conditions["runs_at_once"] = launcher.mostRuns();
        conditions["launcher"] = name;
        need.conditions = conditions.dump();
    }
}

} // namespace

/// Without an answer each run measures its own baseline.
void Runner::State::findBaselines()
{
    const std::vector<study::Run> known = study.baselines;
    study.baselines.clear();
    if (wantsSharedBaselines(study)) {
        try {
            auto needs = askForBaselines(study, options.devices);
            addLauncher(study, *options.launcher, needs);
            baselines = Baselines(std::move(needs), known, options.retryFailed);
        } catch (const NoAnswer& error) {
            noSharedBaselines =
                std::string("quadric-trainer does not say which runs can share a baseline, ") + error.what() +
                "; each measures its own";
        }
    }
    study.runs.insert(study.runs.end(), known.begin(), known.end());
}

std::optional<int> Runner::State::baselineDueBefore(int id)
{
    const auto due = baselines.dueBefore(id, study);
    if (!due)
        return std::nullopt;
    if (!study::findRun(study, due->id))
        study.runs.push_back(*due);
    return due->id;
}

void Runner::State::enqueue(int id)
{
    if (const auto due = baselineDueBefore(id); due && !queue.contains(*due))
        queue.append(*due);
    queue.append(id);
}

bool Runner::State::bringBaselineForward()
{
    const int first = queue.ids().front();
    if (const auto due = baselineDueBefore(first); due && !active.contains(*due) && !queue.contains(*due))
        queue.prepend(*due);
    const std::optional<int> baseline = baselines.baselineOf(first);
    if (!baseline || *baseline == first)
        return true;
    if (active.contains(*baseline))
        return false;
    if (queue.remove(*baseline))
        queue.prepend(*baseline);
    return true;
}

void Runner::State::requeue(const study::Run& run)
{
    if (run.kind == RunKind::Baseline)
        queue.prepend(run.id);
    else
        queue.append(run.id);
    sendQueue();
}

void Runner::State::noteBaseline(const study::Run& ended)
{
    if (ended.kind != RunKind::Baseline) {
        const bool isSentinel = ended.kind == RunKind::Center && ended.status == RunStatus::Done;
        if (isSentinel && options.hasDrifted && options.hasDrifted(study))
            baselines.expire();
        return;
    }
    summary.baselines += ended.status == RunStatus::Done ? 1 : 0;
    if (ended.status == RunStatus::Done)
        baselines.noteMeasured(ended.id);
    else
        baselines.giveUp(ended.id);
}

/// Runs of an experiment: baselines are not counted among them.
int Runner::State::countInQueue() const
{
    int runs = 0;
    for (const int id : queue.ids())
        runs += study::findRun(study, id)->kind == RunKind::Baseline ? 0 : 1;
    return runs;
}

const study::Settings& Runner::State::settingsForDuration(const study::Run& run) const
{
    const study::Run* dependant = study::findRun(study, baselines.dependantOf(run.id));
    return run.kind == RunKind::Baseline && dependant ? dependant->settings : run.settings;
}

} // namespace quadric::run
