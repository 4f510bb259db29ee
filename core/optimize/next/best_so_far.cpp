// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/next/best_so_far.h"

#include "core/optimize/merit/goals.h"
#include "core/study/outcome.h"

namespace quadric::optimize {

namespace {

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
