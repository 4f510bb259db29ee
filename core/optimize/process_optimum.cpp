// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/process_optimum.h"

#include "core/optimize/merit/goals.h"
#include "core/optimize/search/pattern_search.h"
#include "core/optimize/search/search.h"

#include <algorithm>
#include <stdexcept>

namespace quadric::optimize {

namespace {

constexpr std::size_t kSpreadPoints = 600;
constexpr std::size_t kClimbsAlone = 4;

bool takesPartIn(const study::Response& response)
{
    return response.goal != study::Goal::None && response.weight > 0.0;
}

/// A response with its process, in the order of the study.
struct Wish {
    const model::Process* process = nullptr;
    Desirability desirability;
    double bestAlone = 0.0;
};

std::vector<Wish> wishesOf(const study::Study& study, const std::vector<model::Process>& processes)
{
    std::vector<Wish> wishes;
    for (const study::Response& response : study.responses) {
        const auto found = std::ranges::find(processes, response.name, &model::Process::response);
        if (found == processes.end() || !found->isOk())
            continue;
        model::Fit observed;
        observed.smallestObserved = found->smallestObserved;
        observed.largestObserved = found->largestObserved;
        wishes.push_back({&*found, desirabilityOf(response, observed), 0.0});
    }
    return wishes;
}

double overallOfWishes(const std::vector<Wish>& wishes, const study::CodedPoint& point)
{
    std::vector<Desirability> desirabilities;
    std::vector<double> values;
    for (const Wish& wish : wishes) {
        desirabilities.push_back(wish.desirability);
        values.push_back(wish.process->predictMean(point));
    }
    return overall(desirabilities, values);
}

/// The distance from the goal, larger is better.
double aloneValue(const Wish& wish, const Eigen::VectorXd& x)
{
    const double y = wish.process->predictMean(study::CodedPoint(x));
    switch (wish.desirability.goal) {
    case study::Goal::Minimize:
        return -y;
    case study::Goal::Target:
        return -std::abs(y - wish.desirability.target);
    default:
        return y;
    }
}

/// Own bests, and with them the ends that nobody has set.
void findAlone(const study::Study& study, const SearchSpace& space,
               const std::vector<Eigen::VectorXd>& points, const OptimizeOptions& options,
               std::vector<Wish>& wishes)
{
    for (Wish& wish : wishes) {
        if (wish.desirability.goal == study::Goal::None)
            continue;
        const Candidate best =
            PatternSearch(
                space, [&](const Eigen::VectorXd& x) { return aloneValue(wish, x); }, options.stop)
                .best(points, kClimbsAlone);
        wish.bestAlone = wish.process->predictMean(study::CodedPoint(best.x));
        model::Fit seen;
        seen.smallestObserved = wish.process->smallestObserved;
        seen.largestObserved = wish.process->largestObserved;
        seen.ownBest = model::OwnBest{wish.desirability.goal, wish.bestAlone};
        wish.desirability = desirabilityOf(*study::findResponse(study, wish.process->response), seen);
    }
}

void describeWishes(const std::vector<Wish>& wishes, const study::CodedPoint& point, Optimum& result)
{
    for (const Wish& wish : wishes) {
        ResponseAtOptimum row;
        row.response = wish.process->response;
        row.goal = wish.desirability.goal;
        row.target = wish.desirability.target;
        row.predicted = wish.process->predict(point);
        row.desirability = valueOf(wish.desirability, row.predicted.mean);
        row.bestAlone = wish.bestAlone;
        row.sacrifice = shortfall(wish.desirability, wish.bestAlone, row.predicted.mean);
        result.responses.push_back(std::move(row));
    }
    result.overall = overallOfWishes(wishes, point);
    result.status = OptimumStatus::Ok;
}

std::vector<Eigen::VectorXd> startingPoints(const SearchSpace& space, const OptimizeOptions& options)
{
    std::vector<Eigen::VectorXd> points = legalSample(space, kSpreadPoints, options.seed);
    if (const model::Feasibility* feasibility = space.feasibility().feasibility()) {
        const model::RunOutcomes& outcomes = feasibility->outcomes();
        for (std::size_t i = 0; i < outcomes.size(); ++i) {
            const Eigen::VectorXd x = outcomes.points.row(static_cast<Eigen::Index>(i)).transpose();
            if (outcomes.hasRun[i] && space.contains(x) && space.isLegal(x))
                points.push_back(x);
        }
    }
    return points;
}

std::vector<Candidate> climbAll(const SearchSpace& space, const std::vector<Eigen::VectorXd>& points,
                                const std::vector<Wish>& wishes, const OptimizeOptions& options)
{
    const PatternSearch::Function merit = [&](const Eigen::VectorXd& x) {
        return overallOfWishes(wishes, study::CodedPoint(x));
    };
    std::vector<Candidate> starts;
    for (const Eigen::VectorXd& x : points)
        starts.push_back({x, merit(x)});
    std::ranges::stable_sort(starts, std::ranges::greater{}, &Candidate::merit);
    starts.resize(std::min(starts.size(), static_cast<std::size_t>(std::max(1, options.starts))));
    PatternSearch search(space, merit, options.stop);
    std::vector<Candidate> found;
    for (const Candidate& start : starts)
        found.push_back(search.climb(start.x));
    return distinctOf(space, std::move(found));
}

Optimum searchByProcess(const study::Study& study, std::vector<Wish> wishes, const OptimizeOptions& options)
{
    Optimum result;
    const SearchSpace space(study, {}, options);
    const std::vector<Eigen::VectorXd> points = startingPoints(space, options);
    if (points.empty()) {
        result.status = OptimumStatus::NoLegalSetting;
        result.message = "No setting in the region satisfies the constraints.";
        return result;
    }
    findAlone(study, space, points, options, wishes);
    const std::vector<Candidate> found = climbAll(space, points, wishes, options);
    result.settings = space.settingsAt(found.front().x);
    describeWishes(wishes, study::CodedPoint(found.front().x), result);
    for (const Candidate& candidate : found) {
        if (std::ssize(result.solutions) >= options.solutions || candidate.merit <= 0.0)
            break;
        Solution solution{candidate.merit, space.settingsAt(candidate.x)};
        for (const Wish& wish : wishes)
            solution.predicted.emplace_back(wish.process->response,
                                            wish.process->predict(study::CodedPoint(candidate.x)));
        result.solutions.push_back(std::move(solution));
    }
    if (result.overall <= 0.0) {
        result.status = OptimumStatus::ZeroDesirability;
        result.message = "No setting that can be run is inside all limits at once.";
    }
    if (options.stop.stop_requested())
        result.status = OptimumStatus::Stopped;
    return result;
}

} // namespace

Optimum findProcessOptimum(const study::Study& study, const std::vector<model::Process>& processes,
                           const OptimizeOptions& options)
{
    Optimum result;
    const bool isWanted = std::ranges::any_of(study.responses, [&](const study::Response& response) {
        const auto found = std::ranges::find(processes, response.name, &model::Process::response);
        return takesPartIn(response) && found != processes.end() && found->isOk();
    });
    if (!isWanted) {
        result.message = "No response with a goal has a usable Gaussian process.";
        return result;
    }
    try {
        return searchByProcess(study, wishesOf(study, processes), options);
    } catch (const std::invalid_argument& error) {
        result.status = OptimumStatus::NoLegalSetting;
        result.message = error.what();
        return result;
    }
}

Optimum assessByProcess(const study::Study& study, const std::vector<model::Process>& processes,
                        const study::Settings& settings)
{
    Optimum result;
    std::vector<Wish> wishes = wishesOf(study, processes);
    if (wishes.empty()) {
        result.message = "No response has a usable Gaussian process.";
        return result;
    }
    result.settings = settings;
    const study::CodedPoint point = study::Coding(study.factors).toCoded(settings);
    for (Wish& wish : wishes)
        wish.bestAlone = wish.process->predictMean(point);
    describeWishes(wishes, point, result);
    return result;
}

} // namespace quadric::optimize
