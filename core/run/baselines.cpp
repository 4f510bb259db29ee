// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/baselines.h"

#include "core/run/run_policy.h"
#include "core/run/telemetry/json_text.h"
#include "core/study/baselines.h"
#include "core/study/disturbance.h"

#include <QDateTime>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace quadric::run {

namespace {

using study::RunStatus;

constexpr const char* kConditions = "baseline_conditions";
constexpr const char* kBaselineRun = "baseline_run";
constexpr const char* kWhyNone = "no_shared_baseline_because";

/// When it was measured, on the clock of this process; empty for a time that cannot be told or is yet to
/// come.
std::optional<Baselines::Clock::time_point> measuredAt(const study::Run& baseline)
{
    const auto started = QDateTime::fromString(
        QString::fromStdString(study::provenanceString(baseline, "started")), Qt::ISODate);
    const qint64 age = started.isValid() ? started.secsTo(QDateTime::currentDateTimeUtc()) : -1;
    return age < 0 ? std::nullopt : std::optional(Baselines::Clock::now() - std::chrono::seconds(age));
}

bool isTooOld(const std::optional<Baselines::Clock::time_point>& measured)
{
    return !measured || Baselines::Clock::now() - *measured > kOldestBaseline;
}

/// Null where there is none of that name.
nlohmann::json detailOf(const study::Run& run, const char* key)
{
    const auto found = run.provenance.details.find(key);
    return found == run.provenance.details.end() ? nlohmann::json()
                                                 : nlohmann::json::parse(found->second, nullptr, false);
}

/// However a document writes them.
bool hasConditions(const study::Run& baseline, const std::string& conditions)
{
    return baseline.provenance.details.contains(kConditions) &&
           detailOf(baseline, kConditions) == nlohmann::json::parse(conditions, nullptr, false);
}

/// Why the runs that need it measure their own; empty where they need not.
std::string whyUnusable(const study::Run& baseline)
{
    const std::string name = "baseline run " + std::to_string(baseline.id);
    if (baseline.failure)
        return name + " failed (" + baseline.failure->kind + "): " + baseline.failure->message;
    if (baseline.status != RunStatus::Done)
        return name + " was not measured";
    if (study::isDisturbed(baseline))
        return name + " was disturbed: " + study::disturbanceOf(baseline);
    const auto rate = baseline.results.find(kBaselineSpeed);
    const bool isSpeed = rate != baseline.results.end() && std::isfinite(rate->second) && rate->second > 0.0;
    return isSpeed ? std::string() : name + " has no " + kBaselineSpeed;
}

/// The name of what it was measured on, as the trainer tells it; empty where it does not.
std::string deviceOf(const study::Run& baseline)
{
    const nlohmann::json device = detailOf(baseline, "device");
    return device.is_object() && device.contains("name") && device["name"].is_string()
               ? device["name"].get<std::string>()
               : std::string();
}

QStringList argumentsOf(const study::Run& baseline)
{
    const auto number = [](double value) { return QString::fromStdString(study::toText(value)); };
    QStringList arguments = {QStringLiteral("--baseline-rate"), number(baseline.results.at(kBaselineSpeed))};
    if (const auto half = baseline.spread.find(kBaselineSpeed); half != baseline.spread.end())
        arguments << QStringLiteral("--baseline-half-width") << number(half->second);
    // On another machine of a cluster, where only the run itself sees on which.
    if (const std::string device = deviceOf(baseline); !device.empty())
        arguments << QStringLiteral("--baseline-device") << QString::fromStdString(device);
    return arguments;
}

} // namespace

bool asksForBaselines(const study::Study& study)
{
    return study.benchmark.workload == "builtin" && study::findResponse(study, kScalingEfficiency) != nullptr;
}

study::Run withOwnBaselineNoted(study::Run run)
{
    const nlohmann::json baseline = detailOf(run, "baseline");
    if (!baseline.is_object() || !baseline.contains("own_because") || !baseline["own_because"].is_string())
        return run;
    const nlohmann::json shared = detailOf(run, kBaselineRun);
    if (run.provenance.details.erase(kBaselineRun) > 0)
        run.provenance.details[kWhyNone] =
            telemetry::textOf("baseline run " + shared.dump() +
                              " does not count: " + baseline["own_because"].get<std::string>());
    return run;
}

Baselines::Baselines(std::map<int, BaselineNeed> needs, const std::vector<study::Run>& known,
                     bool retryFailed)
    : m_needs(std::move(needs))
{
    for (const study::Run& baseline : known)
        adopt(baseline, retryFailed);
}

/// A baseline that waits has nothing yet that could be out of date.
void Baselines::adopt(const study::Run& baseline, bool retryFailed)
{
    const bool waits = baseline.status == RunStatus::Pending || baseline.status == RunStatus::Running;
    const bool isDone = baseline.status == RunStatus::Done && !isRepetitionOwed(baseline);
    const auto need = std::ranges::find_if(m_needs, [&](const auto& entry) {
        return entry.second.settings == baseline.settings &&
               (waits || hasConditions(baseline, entry.second.conditions));
    });
    const bool isLost = baseline.status == RunStatus::Failed && !retryFailed;
    if (need == m_needs.end() || (isDone && isTooOld(measuredAt(baseline))))
        return;
    std::erase_if(m_known, [&](const Known& each) { return each.need == need->second; });
    m_known.push_back({need->second, baseline.id, isDone ? measuredAt(baseline) : std::nullopt, isLost});
}

const Baselines::Known* Baselines::knownFor(int run) const
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
    return std::ranges::count(m_needs, need, &std::pair<const int, BaselineNeed>::second) > 1;
}

std::optional<study::Run> Baselines::dueBefore(int run, const study::Study& study)
{
    const auto need = m_needs.find(run);
    if (need == m_needs.end())
        return std::nullopt;
    const Known* now = knownFor(run);
    if (now && (now->isGivenUp || (now->measured && !isTooOld(now->measured))))
        return std::nullopt;
    if (now && !now->measured)
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

std::optional<int> Baselines::baselineOf(int run) const
{
    const Known* found = knownFor(run);
    return found ? std::optional(found->id) : std::nullopt;
}

int Baselines::dependantOf(int baseline) const
{
    const auto known = std::ranges::find(m_known, baseline, &Known::id);
    if (known == m_known.end())
        return 0;
    const auto run =
        std::ranges::find_if(m_needs, [&](const auto& entry) { return entry.second == known->need; });
    return run == m_needs.end() ? 0 : run->first;
}

void Baselines::noteMeasured(int baseline)
{
    if (Known* found = known(baseline))
        found->measured = Clock::now();
}

void Baselines::giveUp(int baseline)
{
    if (Known* found = known(baseline))
        found->isGivenUp = true;
}

void Baselines::expire()
{
    std::erase_if(m_known, [](const Known& each) { return each.measured.has_value(); });
}

BaselineShare Baselines::shareOf(const study::Run& run, const study::Study& study) const
{
    BaselineShare share;
    if (run.kind == study::RunKind::Baseline) {
        const auto found = std::ranges::find(m_known, run.id, &Known::id);
        if (found != m_known.end())
            share.details[kConditions] = found->need.conditions;
        return share;
    }
    const std::optional<int> id = baselineOf(run.id);
    const study::Run* baseline = id ? study::findRun(study, *id) : nullptr;
    if (!baseline) {
        if (m_needs.contains(run.id))
            share.details[kWhyNone] = telemetry::textOf("no other run needs the same");
        return share;
    }
    const std::string why = whyUnusable(*baseline);
    share.details[why.empty() ? kBaselineRun : kWhyNone] =
        why.empty() ? std::to_string(*id) : telemetry::textOf(why);
    if (why.empty())
        share.arguments = argumentsOf(*baseline);
    return share;
}

} // namespace quadric::run
