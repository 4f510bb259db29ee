// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/answer/own_best.h"

#include "core/model/process/shown_process.h"
#include "core/model/select/recommended_models.h"
#include "core/optimize/merit/goals.h"
#include "core/optimize/search/search.h"

#include <stdexcept>

namespace quadric::optimize {

namespace {

/// The search for one response's own best is easier than that for a compromise.
constexpr Effort kOwnEffort{.scout = 60, .starts = 2, .polished = 1, .peaks = 0, .boxes = 2000, .lines = 128};

/// Empty where no legal setting was found.
std::optional<double> searchAlone(const SearchSpace& space, Evaluator& evaluator, Eigen::Index response,
                                  const Desirability& desirability, const std::vector<Eigen::VectorXd>& hints,
                                  std::stop_token stop)
{
    const double scale = scaleOf(*evaluator.fits()[static_cast<std::size_t>(response)]);
    const Merit merit = ownMerit(response, desirability.goal, desirability.target, scale);
    const std::vector<Candidate> found =
        Search(space, evaluator, merit, kOwnEffort, std::move(stop)).run(hints);
    if (found.empty())
        return std::nullopt;
    Eigen::ArrayXd y;
    evaluator.predict(found.front().x, y);
    return y[response];
}

/// Over all settings that can be run; empty too where the prediction there is not finite.
std::optional<double> searchEverywhere(const study::Study& study, const model::Fit& fit,
                                       const Desirability& desirability)
{
    const SearchSpace space(study, {}, {});
    Evaluator evaluator({&fit});
    const std::optional<double> best = searchAlone(space, evaluator, 0, desirability, {}, {});
    return best && std::isfinite(*best) ? best : std::nullopt;
}

} // namespace

double findOwnBest(const SearchSpace& space, Evaluator& evaluator, std::size_t response,
                   const Desirability& desirability, const std::vector<Eigen::VectorXd>& hints,
                   std::stop_token stop)
{
    const auto row = static_cast<Eigen::Index>(response);
    if (const auto best = searchAlone(space, evaluator, row, desirability, hints, std::move(stop)))
        return *best;
    Eigen::ArrayXd y;
    evaluator.predict(hints.front(), y);
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
        if (fit->ownBest)
            continue;
        try {
            if (const std::optional<double> best = searchEverywhere(study, *fit, desirability))
                fit->ownBest = {desirability.goal, *best};
        } catch (const std::invalid_argument&) {
            return; // no setting is legal: said by whoever looks for the best one
        }
    }
}

std::vector<model::Fit> fitForGoals(const study::Study& study, double confidence, bool reduce)
{
    std::vector<model::Fit> fits = model::fitByDefault(study, confidence, reduce);
    findOwnBests(study, fits);
    return fits;
}

std::vector<model::Fit> shownProcessFits(const study::Study& study, const std::vector<model::Fit>& fits)
{
    std::vector<model::Fit> shown = model::shownFits(study, fits);
    if (std::ranges::none_of(shown, [](const model::Fit& fit) { return fit.predictor != nullptr; }))
        return {};
    findOwnBests(study, shown);
    return shown;
}

std::vector<model::Fit> withShownProcesses(const study::Study& study, std::vector<model::Fit> fits)
{
    std::vector<model::Fit> shown = shownProcessFits(study, fits);
    return shown.empty() ? fits : shown;
}

} // namespace quadric::optimize
