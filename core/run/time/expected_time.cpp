// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/time/expected_time.h"

#include "core/workload/knob_table.h"

#include <string>

namespace quadric::run {

namespace {

/// Starting the ranks, building the network and ending them, beside the limit that the trainer keeps.
constexpr double kStartSeconds = 3.0;
constexpr double kSimulatedSeconds = 0.2; ///< for a run, however long its limit is

} // namespace

std::optional<double> expectedSeconds(const study::Study& study)
{
    if (study.benchmark.workload != "builtin")
        return std::nullopt;
    const double pending = study::countRuns(study, study::RunStatus::Pending);
    const auto engine = study.fixed.find("engine");
    if (engine != study.fixed.end() && study::toText(engine->second) == "simulated")
        return pending * kSimulatedSeconds;
    constexpr const workload::Knob& limit = workload::knob("max_seconds");
    const auto found = study.fixed.find(limit.name);
    const double seconds =
        found == study.fixed.end() ? std::stod(std::string(limit.usual)) : study::numberOf(found->second);
    return seconds > 0.0 ? std::optional(pending * (seconds + kStartSeconds)) : std::nullopt;
}

} // namespace quadric::run
