// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/answer/measured_runs.h"

#include "core/optimize/merit/desirability.h"
#include "core/study/run.h"
#include "core/study/run_records.h"
#include "core/study/space/constraint.h"

#include <algorithm>

namespace quadric::optimize {

namespace {

constexpr std::ptrdiff_t kEnoughFollowUps = 5;

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

/// What is measured over the runs.
struct Measure {
    std::vector<Desirability> wanted;
    bool isOneValue = false;

    std::optional<double> of(const study::Run& run) const
    {
        const std::optional<std::vector<double>> values = findMeasured(run, wanted);
        if (!values)
            return std::nullopt;
        return isOneValue ? values->front() : overall(wanted, *values);
    }
};

Measure measureOf(const study::Study& study, const std::vector<model::Fit>& fits)
{
    Measure measure{goalsOf(study, fits).findWanted()};
    measure.isOneValue =
        measure.wanted.size() == 1 && (measure.wanted.front().goal == study::Goal::Maximize ||
                                       measure.wanted.front().goal == study::Goal::Minimize);
    return measure;
}

BestSoFar namedFor(const study::Study& study, const Measure& measure)
{
    if (!measure.isOneValue)
        return {.title = std::string(1, 'D')}; // GCC 12 warns of a literal here
    const Desirability& only = measure.wanted.front();
    const study::Response* response = study::findResponse(study, only.response);
    return {.title = only.response,
            .unit = response == nullptr ? std::string() : response->unit,
            .isSmallerBetter = only.goal == study::Goal::Minimize};
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

std::optional<MeasuredRun> findBestOfFollowUps(const study::Study& study, const std::vector<model::Fit>& fits)
{
    const auto isMeasured = [](const study::Run& run) {
        return run.kind == study::RunKind::Augment && run.status == study::RunStatus::Done;
    };
    if (std::ranges::count_if(study.runs, isMeasured) < kEnoughFollowUps)
        return std::nullopt;
    for (MeasuredRun& run : findBestMeasured(study, fits, study.runs.size())) {
        const bool hasFailed = std::ranges::any_of(study.runs, [&run](const study::Run& other) {
            return other.settings == run.settings && study::isFailureOfSettings(other);
        });
        if (!hasFailed && study::isLegal(study, run.settings))
            return std::move(run);
    }
    return std::nullopt;
}

BestSoFar findBestSoFar(const study::Study& study, const std::vector<model::Fit>& fits)
{
    const Measure measure = measureOf(study, fits);
    BestSoFar result = namedFor(study, measure);
    if (measure.wanted.empty())
        return result;
    std::optional<double> best;
    for (const study::Run* run : study::inRunOrder(study)) {
        const bool hasFailed = study::isFailureOfSettings(*run);
        if (run->status != study::RunStatus::Done && !hasFailed)
            continue;
        BestStep step{.run = run->id, .kind = run->kind};
        if (hasFailed)
            step.failure = run->failure ? run->failure->kind : std::string();
        else
            step.value = measure.of(*run);
        if (step.value && !run->provenance.shortLook)
            step.isBetter = !best || (result.isSmallerBetter ? *step.value < *best : *step.value > *best);
        if (step.isBetter)
            best = step.value;
        step.best = best;
        result.steps.push_back(std::move(step));
    }
    return result;
}

} // namespace quadric::optimize
