// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/feasibility/run_outcomes.h"

#include "core/study/outcome.h"

#include <algorithm>
#include <stdexcept>

namespace quadric::model {

namespace {

/// Coded settings nearer to each other than this are the same setting.
constexpr double kSamePlace = 1e-9;

} // namespace

std::optional<Eigen::VectorXd> findPlace(const study::Coding& coding, const study::Settings& settings)
{
    try {
        const study::CodedPoint point = coding.toCoded(settings);
        return point.x.allFinite() ? std::optional(point.x) : std::nullopt;
    } catch (const std::invalid_argument&) {
        return std::nullopt;
    }
}

int RunOutcomes::countRun() const
{
    return static_cast<int>(std::ranges::count(hasRun, true));
}

int RunOutcomes::countFailed() const
{
    return static_cast<int>(size()) - countRun();
}

RunOutcomes outcomesOf(const study::Study& study)
{
    const study::Coding coding(study.factors);
    RunOutcomes outcomes;
    std::vector<Eigen::VectorXd> places;
    for (const study::Run& run : study.runs) {
        const bool hasFailed = study::isFailureOfSettings(run);
        if (run.status != study::RunStatus::Done && !hasFailed)
            continue;
        const std::optional<Eigen::VectorXd> place = findPlace(coding, run.settings);
        if (!place)
            continue;
        if (hasFailed)
            ++outcomes.causes[run.failure ? run.failure->kind : ""];
        std::size_t i = 0;
        while (i < places.size() &&
               (outcomes.hasRun[i] == hasFailed || (places[i] - *place).cwiseAbs().maxCoeff() > kSamePlace))
            ++i;
        if (i == places.size()) {
            places.push_back(*place);
            outcomes.hasRun.push_back(!hasFailed);
            outcomes.runs.emplace_back();
        }
        outcomes.runs[i].push_back(run.id);
    }
    outcomes.points.resize(std::ssize(places), coding.size());
    for (std::size_t i = 0; i < places.size(); ++i)
        outcomes.points.row(static_cast<Eigen::Index>(i)) = places[i].transpose();
    return outcomes;
}

} // namespace quadric::model
