// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/next/short_look.h"

#include "core/model/feasibility/run_outcomes.h"
#include "core/optimize/next/process_goals.h"
#include "core/study/coding.h"

namespace quadric::optimize {

namespace {

/// One end of it: 99.97 %. So far out runs miss more often than the interval says, simulated 99.9 %
/// (short_look_test).
constexpr double kTwoSided = 0.9995;

/// Coded settings of the run with the best prediction among those that were measured in full.
std::optional<Eigen::VectorXd> findBestMeasuredPoint(const study::Study& study, const ProcessGoals& goals)
{
    const study::Coding coding(study.factors);
    std::optional<Eigen::VectorXd> best;
    for (const study::Run& run : study.runs) {
        if (run.status != study::RunStatus::Done || run.provenance.shortLook)
            continue;
        std::optional<Eigen::VectorXd> x = model::findPlace(coding, run.settings);
        if (x && (!best || goals.worthAt(*x) > goals.worthAt(*best)))
            best = std::move(x);
    }
    return best;
}

} // namespace

std::optional<study::ShortLook> findShortLookBar(const study::Study& study,
                                                 const std::vector<model::Process>& processes)
{
    const ProcessGoals goals(study, processes);
    if (!goals.isOneValue() || !goals.leftOut().empty())
        return std::nullopt;
    const model::Process& process = goals.process(0);
    const std::optional<Eigen::VectorXd> best = findBestMeasuredPoint(study, goals);
    if (!best)
        return std::nullopt;
    const std::optional<model::Interval> run =
        process.predict(study::CodedPoint(*best), 1, kTwoSided).ofNewRuns();
    if (!run)
        return std::nullopt;
    const bool isSmallerBetter = goals.desirability(0).goal == study::Goal::Minimize;
    return study::ShortLook{process.response, isSmallerBetter ? run->high : run->low};
}

} // namespace quadric::optimize
