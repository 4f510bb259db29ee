// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/runner/baselines.h"

#include "core/run/worker/run_policy.h"
#include "core/study/run.h"
#include "core/study/run_records.h"

#include <QDateTime>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace quadric::run {

namespace {

using study::RunStatus;

constexpr double kRunsOfDisturbedBaseline = 10.0; ///< its own time: another one costs a tenth at most
constexpr const char* kConditions = "baseline_conditions";

/// When it was measured, on the clock of this process; empty for a time that cannot be told or is yet to
/// come.
std::optional<Baselines::Clock::time_point> measuredAt(const study::Run& baseline)
{
    const auto started =
        QDateTime::fromString(QString::fromStdString(baseline.provenance.started), Qt::ISODate);
    const qint64 age = started.isValid() ? started.secsTo(QDateTime::currentDateTimeUtc()) : -1;
    return age < 0 ? std::nullopt : std::optional(Baselines::Clock::now() - std::chrono::seconds(age));
}

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
    const auto rate = baseline.results.find(speed);
    const bool isSpeed = rate != baseline.results.end() && std::isfinite(rate->second) && rate->second > 0.0;
    return isSpeed ? std::string() : name + " has no " + speed;
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

void BaselineShare::note(study::Provenance& provenance) const
{
    provenance.baselineRun = run;
    provenance.noSharedBaselineBecause = noneBecause;
    if (!conditions.empty())
        study::setProvenanceFact(provenance, kConditions, conditions);
    if (run && !disturbance.empty())
        study::setProvenanceFact(provenance, "baseline_disturbed", nlohmann::json(disturbance).dump());
}

Baselines::Baselines(std::map<int, BaselineNeed> needs, const std::vector<study::Run>& known,
                     bool retryFailed, std::string speed)
    : m_speed(std::move(speed))
    , m_needs(std::move(needs))
{
    for (const study::Run& baseline : known)
        adopt(baseline, retryFailed);
}

/// A baseline that waits has nothing yet that could be out of date.
void Baselines::adopt(const study::Run& baseline, bool retryFailed)
{
    const bool waits = baseline.status == RunStatus::Pending || baseline.status == RunStatus::Running;
    const bool isDone = baseline.status == RunStatus::Done && !needsRepetition(baseline);
    const auto need = std::ranges::find_if(m_needs, [&](const auto& entry) {
        return entry.second.settings == baseline.settings &&
               (waits || hasConditions(baseline, entry.second.conditions));
    });
    const bool isLost = baseline.status == RunStatus::Failed && !retryFailed;
    const auto measured = isDone ? measuredAt(baseline) : std::nullopt;
    const auto counts = measured ? std::optional(computeExpiry(baseline, *measured)) : std::nullopt;
    if (need == m_needs.end() || (isDone && (!counts || *counts < Clock::now())))
        return;
    std::erase_if(m_known, [&](const Known& each) { return each.need == need->second; });
    m_known.push_back({need->second, baseline.id, counts, isLost});
}

const Baselines::Known* Baselines::findKnownBaseline(int run) const
{
    const auto need = m_needs.find(run);
    if (need == m_needs.end())
        return nullptr;
    const auto found = std::ranges::find(m_known, need->second, &Known::need);
    return found == m_known.end() ? nullptr : &*found;
}

Baselines::Known* Baselines::known(int baseline)
{
    const auto found = std::ranges::find(m_known, baseline, &Known::id);
    return found == m_known.end() ? nullptr : &*found;
}

bool Baselines::isShared(const BaselineNeed& need) const
{
    return !isOfTrainer() ||
           std::ranges::count(m_needs, need, &std::pair<const int, BaselineNeed>::second) > 1;
}

std::optional<study::Run> Baselines::findDueBaseline(int run, const study::Study& study)
{
    const auto need = m_needs.find(run);
    if (need == m_needs.end())
        return std::nullopt;
    const Known* now = findKnownBaseline(run);
    if (now && (now->isGivenUp || (now->counts && *now->counts >= Clock::now())))
        return std::nullopt;
    if (now && !now->counts)
        return *study::findRun(study, now->id);
    if (!isShared(need->second))
        return std::nullopt;
    study::Run added;
    added.id = added.order = study::largestRunId(study) + 1;
    added.kind = study::RunKind::Baseline;
    added.settings = need->second.settings;
    std::erase_if(m_known, [&](const Known& each) { return each.need == need->second; });
    m_known.push_back({need->second, added.id, std::nullopt, false});
    return added;
}

std::optional<int> Baselines::findBaselineRun(int run) const
{
    const Known* found = findKnownBaseline(run);
    return found ? std::optional(found->id) : std::nullopt;
}

int Baselines::findDependentRun(int baseline) const
{
    const auto known = std::ranges::find(m_known, baseline, &Known::id);
    if (known == m_known.end())
        return 0;
    const auto run =
        std::ranges::find_if(m_needs, [&](const auto& entry) { return entry.second == known->need; });
    return run == m_needs.end() ? 0 : run->first;
}

/// Of the trainer no disturbed one is given to a run.
Baselines::Clock::time_point Baselines::computeExpiry(const study::Run& baseline,
                                                      Clock::time_point measured) const
{
    using Seconds = std::chrono::duration<double>;
    if (isOfTrainer() || !study::isDisturbed(baseline))
        return measured + kOldestBaseline;
    const Seconds paysOff(kRunsOfDisturbedBaseline * baseline.provenance.seconds.value_or(0.0));
    return measured + std::chrono::duration_cast<Clock::duration>(
                          std::clamp(paysOff, Seconds(kOldestDisturbedBaseline), Seconds(kOldestBaseline)));
}

void Baselines::markMeasured(const study::Run& baseline)
{
    if (Known* found = known(baseline.id))
        found->counts = computeExpiry(baseline, Clock::now());
}

void Baselines::giveUp(int baseline)
{
    if (Known* found = known(baseline))
        found->isGivenUp = true;
}

BaselineShare Baselines::makeBaselineShare(const study::Run& run, const study::Study& study) const
{
    BaselineShare share;
    if (run.kind == study::RunKind::Baseline) {
        const auto found = std::ranges::find(m_known, run.id, &Known::id);
        if (found != m_known.end())
            share.conditions = found->need.conditions;
        return share;
    }
    const std::optional<int> id = findBaselineRun(run.id);
    const study::Run* baseline = id ? study::findRun(study, *id) : nullptr;
    if (!baseline) {
        if (m_needs.contains(run.id))
            share.noneBecause = isOfTrainer() ? "no other run needs the same" : "it was not measured";
        return share;
    }
    share.noneBecause = whyUnusable(*baseline, m_speed);
    // The trainer measures its own then; other programs have no other one, and the record says what it was.
    const std::string disturbance = study::isDisturbed(*baseline) ? study::disturbanceOf(*baseline) : "";
    if (share.noneBecause.empty() && !disturbance.empty() && isOfTrainer())
        share.noneBecause = "baseline run " + std::to_string(baseline->id) + " was disturbed: " + disturbance;
    share.disturbance = disturbance;
    if (share.noneBecause.empty()) {
        share.run = id;
        if (isOfTrainer())
            share.arguments = argumentsOf(*baseline);
    }
    return share;
}

} // namespace quadric::run
