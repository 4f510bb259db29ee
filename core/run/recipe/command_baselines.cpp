// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/recipe/command_baselines.h"

#include "core/run/recipe/ranks.h"
#include "core/study/derived.h"

#include <QSysInfo>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace quadric::run {

namespace {

constexpr auto kRelated = std::to_array<std::string_view>({kScalingEfficiency, kSpeedUp});

bool isCommand(const study::Study& study)
{
    return study.benchmark.workload == "command";
}

bool isWanted(const study::Study& study, std::string_view result)
{
    return study::findResponse(study, result) != nullptr ||
           std::ranges::any_of(study::derivedResults(study), [&](const study::DerivedResult& derived) {
               const study::Expression expression(derived.expression);
               return std::ranges::find(expression.names(), result) != expression.names().end();
           });
}

double baselineRanks(const study::Study& study)
{
    const auto found = study.fixed.find(kBaselineRanks);
    const double ranks = found == study.fixed.end() ? 1.0 : study::numberOf(found->second);
    return ranks >= 1.0 ? ranks : 1.0;
}

/// The number of ranks of a run; nothing where its setting is none.
std::optional<double> ranksIn(const study::Study& study, const study::Run& run)
{
    const study::Factor* factor = rankFactorOf(study);
    const auto found = factor ? run.settings.find(factor->name) : run.settings.end();
    const double ranks = found == run.settings.end() ? std::nan("") : study::numberOf(found->second);
    return ranks >= 1.0 ? std::optional(ranks) : std::nullopt;
}

/// The half width of a speed, relative to it.
std::optional<double> relativeSpread(const study::Run& run, const std::string& speed)
{
    const auto spread = run.spread.find(speed);
    return spread == run.spread.end() ? std::nullopt : std::optional(spread->second / run.results.at(speed));
}

/// Of the ratio of two independent speeds.
std::optional<double> relativeSpread(const study::Run& run, const study::Run& baseline,
                                     const std::string& speed)
{
    const std::optional<double> own = relativeSpread(run, speed);
    const std::optional<double> of = relativeSpread(baseline, speed);
    if (!own || !of)
        return std::nullopt;
    return std::hypot(*own, *of);
}

void addRelated(const study::Study& study, const char* name, double value, std::optional<double> relative,
                study::Run& run)
{
    if (!isWanted(study, name) || run.results.contains(name))
        return;
    run.results[name] = value;
    if (relative)
        run.spread[name] = value * *relative;
}

bool hasSpeed(const study::Run& run, const std::string& speed)
{
    const auto found = run.results.find(speed);
    return found != run.results.end() && std::isfinite(found->second) && found->second > 0.0;
}

} // namespace

std::string speedResponse(const study::Study& study)
{
    const auto found = std::ranges::find_if(study.responses, [](const study::Response& response) {
        return std::ranges::find(kRelated, response.name) == kRelated.end() &&
               (response.name.ends_with("_per_sec") || response.unit.ends_with("/s"));
    });
    return found == study.responses.end() ? std::string() : found->name;
}

std::string baselineSpeed(const study::Study& study)
{
    return isCommand(study) ? speedResponse(study) : kBaselineSpeed;
}

bool relatesCommands(const study::Study& study)
{
    return isCommand(study) && rankFactorOf(study) && !speedResponse(study).empty() &&
           std::ranges::any_of(kRelated, [&](std::string_view name) { return isWanted(study, name); });
}

bool isRelated(const study::Study& study, std::string_view result)
{
    return std::ranges::find(kRelated, result) != kRelated.end() && relatesCommands(study);
}

std::map<int, BaselineNeed> commandBaselines(const study::Study& study, const std::vector<study::Run>& runs)
{
    const nlohmann::json program = {{"argv", study.benchmark.argv}, {"env", study.benchmark.env}};
    const nlohmann::json conditions = {{"program", program},
                                       {"host", QSysInfo::machineHostName().toStdString()}};
    std::map<int, BaselineNeed> needs;
    for (const study::Run& run : runs) {
        const std::optional<double> ranks = ranksIn(study, run);
        if (!ranks || *ranks == baselineRanks(study))
            continue;
        BaselineNeed need{run.settings, conditions.dump()};
        need.settings[rankFactorOf(study)->name] = baselineRanks(study);
        needs.emplace(run.id, std::move(need));
    }
    return needs;
}

study::Run withScaling(const study::Study& study, study::Run run, const study::Run* baseline)
{
    const std::string speed = speedResponse(study);
    const std::optional<double> ranks = ranksIn(study, run);
    if (run.kind == study::RunKind::Baseline || !relatesCommands(study) || !ranks || !hasSpeed(run, speed))
        return run;
    if (*ranks == baselineRanks(study)) {
        addRelated(study, kScalingEfficiency, 100.0, 0.0, run);
        addRelated(study, kSpeedUp, 1.0, 0.0, run);
        return run;
    }
    if (!baseline || !hasSpeed(*baseline, speed))
        return run;
    const double speedUp = run.results.at(speed) / baseline->results.at(speed);
    const std::optional<double> relative = relativeSpread(run, *baseline, speed);
    addRelated(study, kScalingEfficiency, 100.0 * speedUp * baselineRanks(study) / *ranks, relative, run);
    addRelated(study, kSpeedUp, speedUp, relative, run);
    return run;
}

} // namespace quadric::run
