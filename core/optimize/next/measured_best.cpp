// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/next/measured_best.h"

#include "core/optimize/merit/goals.h"
#include "core/study/disturbance.h"

#include <algorithm>

namespace quadric::optimize {

namespace {

/// Empty where a result is missing.
std::optional<MeasuredRun> measuredAs(const study::Run& run, const std::vector<Desirability>& wanted)
{
    const std::optional<std::vector<double>> values = findMeasured(run, wanted);
    if (!values)
        return std::nullopt;
    MeasuredRun measured{run.id,
                         overall(wanted, *values),
                         run.settings,
                         {},
                         run.kind == study::RunKind::Confirmation,
                         study::isDisturbed(run)};
    for (std::size_t i = 0; i < wanted.size(); ++i)
        measured.results.emplace_back(wanted[i].response, (*values)[i]);
    return measured;
}

} // namespace

std::vector<MeasuredRun> findBestMeasured(const study::Study& study, const std::vector<model::Fit>& fits,
                                          std::size_t most)
{
    const std::vector<Desirability> wanted = goalsOf(study, fits).findWanted();
    std::vector<MeasuredRun> runs;
    for (const study::Run& run : study.runs) {
        if (run.status != study::RunStatus::Done || run.provenance.shortLook || wanted.empty())
            continue;
        if (auto measured = measuredAs(run, wanted))
            runs.push_back(std::move(*measured));
    }
    std::ranges::stable_sort(runs, std::ranges::greater{}, &MeasuredRun::overall);
    runs.resize(std::min(runs.size(), most));
    return runs;
}

} // namespace quadric::optimize
