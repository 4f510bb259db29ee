// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/merit/goals.h"
#include "core/optimize/merit/optimum.h"
#include "core/optimize/search/search.h"

#include <algorithm>
#include <stdexcept>

namespace quadric::optimize {

namespace {

/// The search for one response's own best is easier than that for a compromise.
constexpr Effort kOwnEffort{.scout = 60, .starts = 2, .polished = 1, .peaks = 0, .boxes = 2000, .lines = 128};

Optimum noModel(const Goals& goals)
{
    Optimum result;
    result.status = OptimumStatus::NoModel;
    result.message = goals.leftOut.empty()
                         ? "No response has a goal and a weight above 0."
                         : "No response with a goal has a usable model: " + goals.leftOut + ".";
    return result;
}

ResponseAtOptimum responseAt(const model::Fit& fit, const Desirability& desirability,
                             const study::CodedPoint& point)
{
    ResponseAtOptimum row;
    row.response = fit.response;
    row.goal = desirability.goal;
    row.target = desirability.target;
    row.predicted = model::predict(fit, point);
    row.desirability = valueOf(desirability, row.predicted.mean);
    row.bestAlone = row.predicted.mean;
    return row;
}

Optimum tooManyGoals(std::ptrdiff_t count)
{
    Optimum result;
    result.status = OptimumStatus::TooManyGoals;
    result.message = std::to_string(count) + " responses have a goal, at most " + std::to_string(kMostGoals) +
                     " can be weighed against each other: give the others the goal none.";
    return result;
}

/// Predictions, desirabilities and overall at settings that are in `result`.
void describe(const study::Study& study, const Goals& goals, Optimum& result)
{
    const study::CodedPoint point = study::Coding(study.factors).toCoded(result.settings);
    std::vector<double> predicted;
    for (std::size_t i = 0; i < goals.count(); ++i) {
        result.responses.push_back(responseAt(*goals.fits[i], goals.desirabilities[i], point));
        predicted.push_back(result.responses.back().predicted.mean);
    }
    result.overall = overall(goals.desirabilities, predicted);
    result.status = OptimumStatus::Ok;
    if (!goals.leftOut.empty())
        result.message = "Left out, because there is no usable model: " + goals.leftOut + ".";
}

/// Fills bestAlone and sacrifice. What is better, the known best or the prediction here, counts as best.
void compareWith(double best, const Desirability& desirability, ResponseAtOptimum& row)
{
    if (shortfall(desirability, best, row.predicted.mean) > 0.0)
        row.bestAlone = best;
    row.sacrifice = shortfall(desirability, row.bestAlone, row.predicted.mean);
}

double ownBest(const SearchSpace& space, Evaluator& evaluator, const Goals& goals, std::size_t response,
               const std::vector<Eigen::VectorXd>& hints, const OptimizeOptions& options)
{
    const Desirability& desirability = goals.desirabilities[response];
    const auto row = static_cast<Eigen::Index>(response);
    const Merit merit = ownMerit(row, desirability.goal, desirability.target, scaleOf(*goals.fits[response]));
    Search search(space, evaluator, merit, kOwnEffort, options.stop);
    const std::vector<Candidate> found = search.run(hints);
    Eigen::ArrayXd y;
    evaluator.predict(found.empty() ? hints.front() : found.front().x, y);
    return y[row];
}

void compareWithOwnBests(const SearchSpace& space, Evaluator& evaluator, const Goals& goals,
                         const std::vector<Candidate>& found, const OptimizeOptions& options, Optimum& result)
{
    std::vector<Eigen::VectorXd> hints;
    for (std::size_t i = 0; i < found.size() && i < kOwnEffort.starts; ++i)
        hints.push_back(found[i].x);
    for (std::size_t i = 0; i < goals.count(); ++i) {
        if (goals.desirabilities[i].goal == study::Goal::None)
            continue;
        const auto known = options.bestAlone.find(result.responses[i].response);
        const double best = known != options.bestAlone.end()
                                ? known->second
                                : ownBest(space, evaluator, goals, i, hints, options);
        compareWith(best, goals.desirabilities[i], result.responses[i]);
    }
}

/// Says which responses stand in the way.
void reportZero(const Goals& goals, Optimum& result)
{
    result.status = OptimumStatus::ZeroDesirability;
    std::string names;
    for (std::size_t i = 0; i < goals.count(); ++i) {
        if (goals.desirabilities[i].weight > 0.0 && result.responses[i].desirability <= 0.0)
            names += (names.empty() ? "" : ", ") + goals.fits[i]->response;
    }
    result.message = "No setting that can be run is inside all limits at once; the settings shown come "
                     "nearest. Outside its limits: " +
                     names + "." + (result.message.empty() ? "" : " ") + result.message;
}

/// Local optima, then what lies beside the best of them.
void addSolutions(const SearchSpace& space, Search& search, const std::vector<Candidate>& found,
                  const OptimizeOptions& options, Optimum& result)
{
    std::vector<Candidate> listed;
    const auto add = [&](const Candidate& candidate, bool isOptimum) {
        const bool isNew = std::none_of(listed.begin(), listed.end(), [&](const Candidate& other) {
            return isSameSolution(space, other.x, candidate.x);
        });
        if (candidate.merit <= 0.0 || static_cast<int>(listed.size()) >= options.solutions || !isNew)
            return;
        listed.push_back(candidate);
        result.solutions.push_back({candidate.merit, space.settingsAt(candidate.x), isOptimum});
    };
    for (const Candidate& candidate : found)
        add(candidate, true);
    if (options.hasAlternatives && static_cast<int>(listed.size()) < options.solutions) {
        for (const Candidate& candidate : search.alternatives(found.front()))
            add(candidate, false);
    }
    std::stable_sort(result.solutions.begin(), result.solutions.end(),
                     [](const Solution& a, const Solution& b) { return a.overall > b.overall; });
}

/// The hints that can be run, as points of the space.
std::vector<Eigen::VectorXd> startsOf(const SearchSpace& space, const OptimizeOptions& options)
{
    std::vector<Eigen::VectorXd> starts;
    for (const study::Settings& hint : options.hints) {
        const std::optional<Eigen::VectorXd> x = space.pointAt(hint);
        if (x && space.isLegal(*x))
            starts.push_back(*x);
    }
    return starts;
}

Optimum searchBest(const study::Study& study, const std::vector<model::Fit>& fits, const Goals& goals,
                   const OptimizeOptions& options)
{
    Optimum result;
    const SearchSpace space(study, fits, options);
    Evaluator evaluator(goals.fits);
    const Merit merit = compromiseMerit(goals.desirabilities);
    Effort effort;
    if (options.starts > 0)
        effort.starts = static_cast<std::size_t>(options.starts);
    effort.seed = options.seed;
    effort.boxes = options.boxes;
    effort.isLocal = options.isLocal;
    Search search(space, evaluator, merit, effort, options.stop);
    const std::vector<Candidate> found = search.run(startsOf(space, options));
    result.isProven = search.isProven();
    result.bound = std::clamp(search.bound(), 0.0, 1.0);
    if (found.empty()) {
        const bool isStopped = options.stop.stop_requested();
        result.status = isStopped ? OptimumStatus::Stopped : OptimumStatus::NoLegalSetting;
        result.message = isStopped ? "Stopped." : "No setting in the region satisfies the constraints.";
        return result;
    }
    result.settings = space.settingsAt(found.front().x);
    describe(study, goals, result);
    compareWithOwnBests(space, evaluator, goals, found, options, result);
    addSolutions(space, search, found, options, result);
    if (result.overall <= 0.0)
        reportZero(goals, result);
    if (options.stop.stop_requested())
        result.status = OptimumStatus::Stopped;
    return result;
}

} // namespace

Optimum findOptimum(const study::Study& study, const std::vector<model::Fit>& fits,
                    const OptimizeOptions& options)
{
    const Goals goals = goalsOf(study, fits);
    if (!goals.hasCompromise() || study.factors.empty())
        return noModel(goals);
    if (const std::ptrdiff_t count = goals.countWanted(); count > kMostGoals)
        return tooManyGoals(count);
    try {
        return searchBest(study, fits, goals, options);
    } catch (const std::invalid_argument& error) {
        Optimum result;
        result.status = OptimumStatus::NoLegalSetting;
        result.message = error.what();
        return result;
    }
}

Optimum refineOptimum(const study::Study& study, const std::vector<model::Fit>& fits, const Optimum& previous,
                      OptimizeOptions options)
{
    for (const ResponseAtOptimum& row : previous.responses) {
        const study::Response* response = study::findResponse(study, row.response);
        const bool isSameSense = response != nullptr && response->goal == row.goal &&
                                 (row.goal != study::Goal::Target || response->target == row.target);
        if (isSameSense)
            options.bestAlone.try_emplace(row.response, row.bestAlone);
    }
    options.hasAlternatives = false;
    options.hints.push_back(previous.settings);
    for (const Solution& solution : previous.solutions)
        options.hints.push_back(solution.settings);
    return findOptimum(study, fits, options);
}

Optimum assess(const study::Study& study, const std::vector<model::Fit>& fits,
               const study::Settings& settings, const std::map<std::string, double>& bestAlone)
{
    const Goals goals = goalsOf(study, fits);
    if (goals.count() == 0)
        return noModel(goals);
    Optimum result;
    result.settings = settings;
    describe(study, goals, result);
    for (std::size_t i = 0; i < goals.count(); ++i) {
        const auto best = bestAlone.find(result.responses[i].response);
        if (best != bestAlone.end())
            compareWith(best->second, goals.desirabilities[i], result.responses[i]);
    }
    return result;
}

bool isExtrapolation(const Optimum& optimum)
{
    return std::any_of(optimum.responses.begin(), optimum.responses.end(),
                       [](const ResponseAtOptimum& at) { return at.predicted.isExtrapolation; });
}

} // namespace quadric::optimize
