// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/own_best.h"

#include "core/optimize/merit/goals.h"
#include "core/optimize/search/search.h"

#include <stdexcept>

namespace quadric::optimize {

namespace {

/// The search for one response's own best is easier than that for a compromise.
constexpr Effort kOwnEffort{.scout = 60, .starts = 2, .polished = 1, .peaks = 0, .boxes = 2000, .lines = 128};

std::optional<double> findAlone(const study::Study& study, const model::Fit& fit,
                                const Desirability& desirability)
{
    const SearchSpace space(study, {}, {});
    Evaluator evaluator({&fit});
    const Merit merit = ownMerit(0, desirability.goal, desirability.target, scaleOf(fit));
    const std::vector<Candidate> found = Search(space, evaluator, merit, kOwnEffort).run();
    if (found.empty())
        return std::nullopt;
    Eigen::ArrayXd y;
    evaluator.predict(found.front().x, y);
    return std::isfinite(y[0]) ? std::optional(y[0]) : std::nullopt;
}

} // namespace

double findOwnBest(const SearchSpace& space, Evaluator& evaluator, std::size_t response,
                   const Desirability& desirability, const std::vector<Eigen::VectorXd>& hints,
                   std::stop_token stop)
{
    const auto row = static_cast<Eigen::Index>(response);
    const Merit merit =
        ownMerit(row, desirability.goal, desirability.target, scaleOf(*evaluator.fits()[response]));
    Search search(space, evaluator, merit, kOwnEffort, std::move(stop));
    const std::vector<Candidate> found = search.run(hints);
    Eigen::ArrayXd y;
    evaluator.predict(found.empty() ? hints.front() : found.front().x, y);
    return y[row];
}

void findOwnBests(const study::Study& study, std::vector<model::Fit>& fits)
{
    const Goals goals = goalsOf(study, fits);
    if (study.factors.empty() || goals.countWanted() > kMostGoals)
        return;
    for (std::size_t i = 0; i < goals.count(); ++i) {
        const Desirability& desirability = goals.desirabilities[i];
        if (desirability.goal != study::Goal::Maximize && desirability.goal != study::Goal::Minimize)
            continue;
        const auto fit = std::ranges::find(fits, desirability.response, &model::Fit::response);
        try {
            if (const std::optional<double> best = findAlone(study, *fit, desirability))
                fit->ownBest = {desirability.goal, *best};
        } catch (const std::invalid_argument&) {
            return; // no setting is legal: said by whoever looks for the best one
        }
    }
}

std::vector<model::Fit> fitForGoals(const study::Study& study, double confidence, bool reduce)
{
    std::vector<model::Fit> fits = model::fitStudy(study, confidence, reduce);
    findOwnBests(study, fits);
    return fits;
}

} // namespace quadric::optimize
