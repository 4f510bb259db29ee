// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/runner/baselines.h"

#include "core/run/recipe/baseline_needs.h"
#include "core/run/worker/run_policy.h"
#include "core/study/document/document.h"
#include "core/study/document/json.h"
#include "core/study/run.h"
#include "core/study/run_records.h"

#include <QSysInfo>

#include <algorithm>
#include <ranges>

namespace quadric::run {

namespace {

using study::Json;
using study::RunStatus;

constexpr const char* kConditions = "baseline_conditions";

/// However a document writes them.
bool hasConditions(const study::Run& baseline, const std::string& conditions)
{
    study::Provenance wanted;
    study::setProvenanceFact(wanted, kConditions, conditions);
    return baseline.provenance.baselineConditions == wanted.baselineConditions;
}

/// Why the runs that need it measure their own; empty where they need not.
std::string whyUnusable(const study::Run& baseline, const std::string& speed)
{
    const std::string name = "baseline run " + std::to_string(baseline.id);
    if (baseline.failure)
        return name + " failed (" + baseline.failure->kind + "): " + baseline.failure->message;
    if (baseline.status != RunStatus::Done)
        return name + " was not measured";
    return hasSpeed(baseline, speed) ? std::string() : name + " has no " + speed;
}

QStringList argumentsOf(const study::Run& baseline)
{
    const auto number = [](double value) { return QString::fromStdString(study::toText(value)); };
    QStringList arguments = {QStringLiteral("--baseline-rate"), number(baseline.results.at(kBaselineSpeed))};
    if (const auto half = baseline.spread.find(kBaselineSpeed); half != baseline.spread.end())
        arguments << QStringLiteral("--baseline-half-width") << number(half->second);
    // On another machine of a cluster, where only the run itself sees on which.
    if (const auto& device = baseline.provenance.device; device && !device->name.empty())
        arguments << QStringLiteral("--baseline-device") << QString::fromStdString(device->name);
    return arguments;
}

} // namespace

study::Run withOwnBaselineNoted(study::Run run)
{
    study::Provenance& provenance = run.provenance;
    if (!provenance.baseline || provenance.baseline->ownBecause.empty() || !provenance.baselineRun)
        return run;
    provenance.noSharedBaselineBecause = "baseline run " + std::to_string(*provenance.baselineRun) +
                                         " does not count: " + provenance.baseline->ownBecause;
    provenance.baselineRun.reset();
    return run;
}

std::string baselineConditions(const study::Study& study, const Launcher& launcher)
{
    Json conditions = {{"launcher", launcher.name()}, {"program", "quadric-trainer " QUADRIC_VERSION}};
    if (study.benchmark.workload == "command")
        conditions["program"] = {{"argv", study.benchmark.argv}, {"env", study.benchmark.env}};
    if (launcher.name() == "slurm") {
        conditions["options"] = Json::parse(study::writeSlurm(study.benchmark.slurm));
    } else {
        conditions["host"] = QSysInfo::machineHostName().toStdString();
        conditions["runs_at_once"] = launcher.mostRuns();
    }
    return conditions.dump();
}

void BaselineShare::note(study::Provenance& provenance) const
{
    provenance.baselineRun = run;
    provenance.noSharedBaselineBecause = noneBecause;
    if (!conditions.empty())
        study::setProvenanceFact(provenance, kConditions, conditions);
}

Baselines::Baselines(const study::Study& study, std::string conditions, bool retryFailed)
    : m_needs(findBaselineNeeds(study))
    , m_conditions(std::move(conditions))
    , m_speed(baselineSpeed(study))
{
    for (const study::Run& baseline : study.baselines) {
        if (baseline.status == RunStatus::Failed && !retryFailed)
            giveUp(baseline.id);
    }
}

const study::Run* Baselines::findBaseline(int run, const study::Study& study) const
{
    const auto need = m_needs.find(run);
    if (need == m_needs.end())
        return nullptr;
    const auto counts = [&](const study::Run& each) {
        const bool waits = each.status == RunStatus::Pending || each.status == RunStatus::Running;
        return each.kind == study::RunKind::Baseline && each.settings == need->second &&
               (waits || hasConditions(each, m_conditions));
    };
    const auto newestFirst = std::views::reverse(study.runs);
    const auto found = std::ranges::find_if(newestFirst, counts);
    return found == newestFirst.end() ? nullptr : &*found;
}

bool Baselines::isShared(const study::Settings& need) const
{
    return m_speed != kBaselineSpeed || std::ranges::count(m_needs | std::views::values, need) > 1;
}

std::optional<study::Run> Baselines::findDueBaseline(int run, const study::Study& study) const
{
    if (const study::Run* known = findBaseline(run, study)) {
        const bool isMeasured = known->status == RunStatus::Done && !needsRepetition(*known);
        return isMeasured || m_givenUp.contains(known->id) ? std::nullopt : std::optional(*known);
    }
    const auto need = m_needs.find(run);
    if (need == m_needs.end() || !isShared(need->second))
        return std::nullopt;
    study::Run added;
    added.id = added.order = study::largestRunId(study) + 1;
    added.kind = study::RunKind::Baseline;
    added.settings = need->second;
    return added;
}

BaselineShare Baselines::makeBaselineShare(const study::Run& run, const study::Study& study) const
{
    BaselineShare share;
    if (run.kind == study::RunKind::Baseline) {
        share.conditions = m_conditions;
        return share;
    }
    const study::Run* baseline = findBaseline(run.id, study);
    if (!baseline) {
        if (const auto need = m_needs.find(run.id); need != m_needs.end())
            share.noneBecause =
                isShared(need->second) ? "it was not measured" : "no other run needs the same";
        return share;
    }
    share.noneBecause = whyUnusable(*baseline, m_speed);
    if (!share.noneBecause.empty())
        return share;
    share.run = baseline->id;
    if (m_speed == kBaselineSpeed)
        share.arguments = argumentsOf(*baseline);
    return share;
}

} // namespace quadric::run
