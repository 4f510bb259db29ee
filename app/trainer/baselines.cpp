// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch_ranks.h"

#include "app/shell/visible_output.h"
#include "core/trainer/base/compiler_name.h"
#include "core/trainer/base/failure.h"
#include "core/trainer/cpu/cpu_support.h"
#include "core/trainer/workload/knobs.h"
#include "look_around.h"

#include <algorithm>
#include <array>
#include <istream>
#include <map>

namespace quadric::app {

using nlohmann::json;
using trainer::EngineKind;

namespace {

/// What is always said of a baseline; of the other settings only those that are not the usual ones.
constexpr auto kAlwaysSaid = std::to_array<std::string_view>(
    {"engine", "ranks", "batch_per_rank", "network", "image_size", "precision", "threads_per_rank"});

json settingsOf(const trainer::Workload& baseline)
{
    json settings = json::parse(trainer::settingsJson(baseline));
    const json usual = json::parse(trainer::settingsJson({}));
    for (const auto& [name, value] : usual.items()) {
        if (settings[name] == value && std::ranges::find(kAlwaysSaid, name) == kAlwaysSaid.end())
            settings.erase(name);
    }
    return settings;
}

/// What else the speed of one rank depends on: the program, and the machine where it is not simulated. GPUs
/// are looked for only where they may be used.
json readConditions(trainer::Workload workload)
{
    json conditions = {{"program", std::string("quadric-trainer ") + QUADRIC_VERSION}};
    if (workload.engine == EngineKind::Simulated)
        return conditions;
    const Surroundings here = lookAround(workload);
    conditions["host"] = here.machine.host;
    conditions["cpu"] = here.machine.cpu;
    conditions["cores"] = here.machine.limits.cores;
    conditions["compiler"] = trainer::compilerName();
    conditions["compute"] = trainer::readCpuSupport().library;
    if (workload.engine != EngineKind::Cuda)
        return conditions;
    for (const machine::Gpu& gpu : here.gpus.survey.gpus)
        conditions["gpus"].push_back(gpu.name);
    conditions["driver"] = here.gpus.survey.driver;
    conditions["libraries"] = here.gpus.versions;
    return conditions;
}

class Answers {
public:
    json answer(const std::string& line)
    {
        try {
            trainer::Workload workload;
            trainer::applySettings(workload, line);
            workload = trainer::resolved(workload);
            return workload.measuresBaseline() ? baselineOf(workload) : json::object();
        } catch (const trainer::Failure& failure) {
            return {{"failure", failure.what()}};
        }
    }

private:
    json baselineOf(const trainer::Workload& workload)
    {
        auto found = m_conditions.find(workload.engine);
        if (found == m_conditions.end())
            found = m_conditions.emplace(workload.engine, readConditions(workload)).first;
        return {{"baseline", settingsOf(trainer::sharedBaselineOf(workload))}, {"conditions", found->second}};
    }

    std::map<EngineKind, json> m_conditions;
};

} // namespace

int listBaselines(std::istream& lines)
{
    Answers answers;
    for (std::string line; std::getline(lines, line);)
        printData(answers.answer(line).dump() + '\n');
    return 0;
}

} // namespace quadric::app
