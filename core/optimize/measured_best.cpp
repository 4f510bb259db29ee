// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/measured_best.h"

#include "core/optimize/merit/goals.h"
#include "core/study/disturbance.h"

#include <algorithm>
#include <cmath>

namespace quadric::optimize {

namespace {

bool isWanted(const Desirability& desirability)
{
    return desirability.goal != study::Goal::None && desirability.weight > 0.0;
}

/// Empty where a result is missing.
std::optional<MeasuredRun> measuredAs(const study::Run& run, const std::vector<Desirability>& wanted)
{
    MeasuredRun measured{
        run.id, 0.0, run.settings, {}, run.kind == study::RunKind::Confirmation, study::isDisturbed(run)};
    std::vector<double> values;
    for (const Desirability& desirability : wanted) {
        const auto found = run.results.find(desirability.response);
        if (found == run.results.end() || !std::isfinite(found->second))
            return std::nullopt;
        values.push_back(found->second);
        measured.results.emplace_back(desirability.response, found->second);
    }
    measured.overall = overall(wanted, values);
    return measured;
}

} // namespace

std::vector<MeasuredRun> findBestMeasured(const study::Study& study, const std::vector<model::Fit>& fits,
                                          std::size_t most)
{
    std::vector<Desirability> wanted = goalsOf(study, fits).desirabilities;
    std::erase_if(wanted, [](const Desirability& each) { return !isWanted(each); });
    std::vector<MeasuredRun> runs;
    for (const study::Run& run : study.runs) {
        if (run.status != study::RunStatus::Done || wanted.empty())
            continue;
        if (auto measured = measuredAs(run, wanted))
            runs.push_back(std::move(*measured));
    }
    std::ranges::stable_sort(runs, std::ranges::greater{}, &MeasuredRun::overall);
    runs.resize(std::min(runs.size(), most));
    return runs;
}

} // namespace quadric::optimize
