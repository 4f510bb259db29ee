// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/runner/run_line.h"

#include "core/study/document/document.h"
#include "core/study/document/json.h"
#include "core/study/run_records.h"

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

/// No program but the trainer can measure its own.
bool wantsCommandBaselines(const study::Study& study)
{
    return study.benchmark.baseline != study::BaselineMode::Off && relatesCommands(study);
}

/// Where jobs run on other machines, the cluster's options say on which. Here neighbors share memory and
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

void RunLine::findBaselines(const ApprovedStudy& approved)
{
    const std::vector<study::Run> known = m_study.baselines;
    m_study.baselines.clear();
    if (wantsSharedBaselines(m_study)) {
        try {
            auto needs = askForBaselines(approved, m_study.runs, m_options.devices);
            addLauncher(m_study, *m_options.launcher, needs);
            m_baselines = Baselines(std::move(needs), known, m_options.retryFailed);
        } catch (const NoAnswer& error) {
            m_whyNoShared = std::string("quadric-trainer does not say which runs can share a baseline, ") +
                            error.what() + "; each measures its own";
        }
    }
    if (wantsCommandBaselines(m_study)) {
        auto needs = commandBaselines(m_study, m_study.runs);
        addLauncher(m_study, *m_options.launcher, needs);
        m_baselines = Baselines(std::move(needs), known, m_options.retryFailed, speedResponse(m_study));
    }
    m_study.runs.insert(m_study.runs.end(), known.begin(), known.end());
}

std::optional<int> RunLine::baselineDueBefore(int id)
{
    const auto due = m_baselines.dueBefore(id, m_study);
    if (!due)
        return std::nullopt;
    if (!study::findRun(m_study, due->id))
        m_study.runs.push_back(*due);
    return due->id;
}

void RunLine::enqueue(int id)
{
    if (const auto due = baselineDueBefore(id); due && !m_queue.contains(*due))
        m_queue.append(*due);
    m_queue.append(id);
}

bool RunLine::bringBaselineForward(const std::function<bool(int)>& isActive)
{
    const int first = m_queue.ids().front();
    if (const auto due = baselineDueBefore(first); due && !isActive(*due) && !m_queue.contains(*due))
        m_queue.prepend(*due);
    const std::optional<int> baseline = m_baselines.baselineOf(first);
    if (!baseline || *baseline == first)
        return true;
    if (isActive(*baseline))
        return false;
    if (m_queue.remove(*baseline))
        m_queue.prepend(*baseline);
    return true;
}

void RunLine::requeue(const study::Run& run)
{
    if (run.kind == RunKind::Baseline)
        m_queue.prepend(run.id);
    else
        m_queue.append(run.id);
}

bool RunLine::noteEnded(const study::Run& ended)
{
    const bool isDone = ended.status == RunStatus::Done;
    if (ended.kind == RunKind::Baseline) {
        if (isDone)
            m_baselines.noteMeasured(ended);
        else
            giveUp(ended.id);
        return isDone;
    }
    const bool isSentinel = ended.kind == RunKind::Center && isDone;
    if (isSentinel && m_options.hasDrifted && m_options.hasDrifted(m_study))
        m_baselines.expire();
    return false;
}

int RunLine::countRuns() const
{
    int runs = 0;
    for (const int id : m_queue.ids())
        runs += study::findRun(m_study, id)->kind == RunKind::Baseline ? 0 : 1;
    return runs;
}

const study::Settings& RunLine::settingsForDuration(const study::Run& run) const
{
    if (run.kind != RunKind::Baseline)
        return run.settings;
    const study::Run* dependant = study::findRun(m_study, m_baselines.dependantOf(run.id));
    return dependant ? dependant->settings : run.settings;
}

} // namespace quadric::run
