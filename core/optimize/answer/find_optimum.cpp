// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/answer/find_optimum.h"

#include "core/model/fit/regression.h"
#include "core/optimize/answer/measured_runs.h"
#include "core/optimize/answer/rounding.h"
#include "core/optimize/merit/desirability.h"
#include "core/optimize/merit/optimum.h"
#include "core/optimize/search/search.h"
#include "core/study/node_size.h"
#include "core/study/space/constraint.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

namespace quadric::optimize {

namespace {

/// The best prediction of one response, in the sense of its goal. Empty where no legal setting was found.
std::optional<double> searchAlone(const SearchSpace& space, Evaluator& evaluator, Eigen::Index response,
                                  const Desirability& desirability, const std::vector<Eigen::VectorXd>& hints,
                                  std::stop_token stop)
{
    const double scale = observedWidth(*evaluator.fits()[static_cast<std::size_t>(response)]);
    const Merit merit = ownMerit(response, desirability.goal, desirability.target, scale);
    const std::vector<Candidate> found =
        Search(space, evaluator, merit, kOwnEffort, std::move(stop)).run(hints);
    if (found.empty())
        return std::nullopt;
    Eigen::ArrayXd y;
    evaluator.predict(found.front().x, y);
    return y[response];
}

constexpr std::size_t kMostHints = 2;

/// Boxes cannot be excluded by what failed: more of them rarely find anything.
constexpr std::size_t kMostBoxesWithFailures = 1000;

/// Overall desirabilities that differ by less are the same.
constexpr double kTie = 1e-10;

/// A smaller share of a response is a difference between two searches, not between two settings.
constexpr double kRounding = 1e-9;

double meritAt(Evaluator& evaluator, const Merit& merit, const Eigen::VectorXd& x)
{
    Eigen::ArrayXd y;
    evaluator.predict(x, y);
    return merit(y);
}

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
void fillSacrifice(double best, const Desirability& desirability, ResponseAtOptimum& row)
{
    if (shortfall(desirability, best, row.predicted.mean) > 0.0)
        row.bestAlone = best;
    const double sacrifice = shortfall(desirability, row.bestAlone, row.predicted.mean);
    row.sacrifice = sacrifice > kRounding * std::abs(row.bestAlone) ? sacrifice : 0.0;
}

/// What was found for the fit holds for all legal settings, not for other regions or held factors.
bool isWholeRegion(const OptimizeOptions& options)
{
    return options.region.kind == RegionKind::Box && options.fixed.empty() && !options.staysNearRuns &&
           options.leastRunsProbability == kUsualRunsProbability;
}

std::optional<double> knownBest(const model::Fit& fit, const Desirability& desirability,
                                const OptimizeOptions& options)
{
    if (const auto known = options.bestAlone.find(fit.response); known != options.bestAlone.end())
        return known->second;
    if (isWholeRegion(options) && fit.ownBest && fit.ownBest->goal == desirability.goal)
        return fit.ownBest->value;
    return std::nullopt;
}

void compareWithOwnBests(const SearchSpace& space, Evaluator& evaluator, const Goals& goals,
                         const std::vector<Candidate>& found, const OptimizeOptions& options, Optimum& result)
{
    std::vector<Eigen::VectorXd> hints;
    for (std::size_t i = 0; i < found.size() && i < kMostHints; ++i)
        hints.push_back(found[i].x);
    for (std::size_t i = 0; i < goals.count(); ++i) {
        const Desirability& desirability = goals.desirabilities[i];
        if (desirability.goal == study::Goal::None)
            continue;
        std::optional<double> best = knownBest(*goals.fits[i], desirability, options);
        if (!best)
            best = searchAlone(space, evaluator, static_cast<Eigen::Index>(i), desirability, hints,
                               options.stop);
        if (best)
            fillSacrifice(*best, desirability, result.responses[i]);
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

/// What stays while a setting is rounded: the factors that are held, and a count that is to fill its nodes.
study::Settings heldWhileRounding(const study::Study& study, const Optimum& optimum, study::Settings held)
{
    for (const study::Factor& factor : study.factors) {
        if (study::knownNodeOf(study, factor, held))
            held[factor.name] = optimum.settings.at(factor.name);
    }
    return held;
}

void addSolution(const study::Study& study, const Goals& goals, Solution solution, Optimum& result)
{
    const study::CodedPoint point = study::Coding(study.factors).toCoded(solution.settings);
    for (const model::Fit* fit : goals.fits)
        solution.predicted.emplace_back(fit->response, model::predict(*fit, point));
    result.solutions.push_back(std::move(solution));
}

/// The best, other local optima, and what lies beside the best of them, by overall desirability.
void addSolutions(const SearchSpace& space, const Search& search, const Merit& compromise,
                  Evaluator& evaluator, std::vector<Candidate> listed, const study::Study& study,
                  const Goals& goals, const OptimizeOptions& options, Optimum& result)
{
    if (options.hasAlternatives)
        std::ranges::move(search.alternatives(listed.front()), std::back_inserter(listed));
    for (Candidate& candidate : listed)
        candidate.merit = meritAt(evaluator, compromise, candidate.x);
    listed = spreadOut(space, std::move(listed), kDistinct, static_cast<std::size_t>(options.solutions));
    std::erase_if(listed, [](const Candidate& candidate) { return candidate.merit <= 0.0; });
    for (std::size_t i = 0; i < listed.size(); ++i)
        addSolution(
            study, goals,
            {listed[i].merit, space.settingsAt(listed[i].x), i == 0 || search.local().isPeak(listed[i])},
            result);
}

/// The hints that can be run, as points of the space.
std::vector<Eigen::VectorXd> startsOf(const SearchSpace& space, const OptimizeOptions& options)
{
    std::vector<Eigen::VectorXd> starts = space.findPointsThatRan();
    for (const study::Settings& hint : options.hints) {
        const std::optional<Eigen::VectorXd> x = space.pointAt(hint);
        if (x && space.isLegal(*x))
            starts.push_back(*x);
    }
    return starts;
}

/// Factors that neither a response nor a constraint depends on, where the options do not hold them already.
std::vector<std::string> findIndifferent(const SearchSpace& space, const std::vector<model::Fit>& fits,
                                         const study::Settings& fixed)
{
    std::vector<std::string> names;
    // Whether a setting gives a result may depend on any factor.
    if (space.feasibility().isActive())
        return names;
    for (std::size_t i = 0; i < space.factors().size(); ++i) {
        const auto contains = [i](const model::Term& term) { return term.powers[i] != 0; };
        const bool isInModel = std::ranges::any_of(fits, [&](const model::Fit& fit) {
            return fit.factors == space.factors() && std::ranges::any_of(fit.terms, contains);
        });
        const std::string& name = space.factors()[i].name;
        if (!isInModel && !space.constraints().uses(i) && !fixed.contains(name))
            names.push_back(name);
    }
    return names;
}

std::vector<Eigen::VectorXd> placesOf(const std::vector<Candidate>& candidates)
{
    std::vector<Eigen::VectorXd> places;
    places.reserve(candidates.size());
    for (const Candidate& candidate : candidates)
        places.push_back(candidate.x);
    return places;
}

Optimum searchIn(const SearchSpace& space, const study::Study& study, const std::vector<model::Fit>& fits,
                 const Goals& goals, const OptimizeOptions& options)
{
    Optimum result;
    Evaluator evaluator(goals.fits);
    const bool hasFailures = space.feasibility().isActive();
    const Effort effort{options.starts,
                        hasFailures ? std::min(options.boxes, kMostBoxesWithFailures) : options.boxes,
                        options.seed, options.isLocal};
    const Merit compromise = compromiseMerit(goals.desirabilities);
    const Merit slack = slackMerit(goals.desirabilities);
    std::optional<Search> search(std::in_place, space, evaluator, compromise, effort, options.stop);
    std::vector<Candidate> found = search->run(startsOf(space, options));
    result.bound = std::clamp(search->bound(), 0.0, 1.0);
    if (!found.empty() && meritAt(evaluator, slack, found.front().x) >= -kTie) { // all are met: by how far?
        search.emplace(space, evaluator, slack, effort, options.stop);
        found = search->run(placesOf(found));
    }
    // What was left out because it may fail is a guess.
    result.isProven = search->isProven() && !hasFailures;
    if (found.empty()) {
        const bool isStopped = options.stop.stop_requested();
        result.status = isStopped ? OptimumStatus::Stopped : OptimumStatus::NoLegalSetting;
        result.message = isStopped ? "Stopped." : "No setting in the region satisfies the constraints.";
        return result;
    }
    result.settings = space.settingsAt(found.front().x);
    describe(study, goals, result);
    compareWithOwnBests(space, evaluator, goals, found, options, result);
    addSolutions(space, *search, compromise, evaluator, found, study, goals, options, result);
    if (options.hasAlternatives && options.region.kind == RegionKind::Box && !options.staysNearRuns &&
        !hasFailures && result.overall > 0.0)
        result.rounded = findRounded(study, fits, result, heldWhileRounding(study, result, options.fixed));
    if (result.overall <= 0.0)
        reportZero(goals, result);
    if (options.stop.stop_requested())
        result.status = OptimumStatus::Stopped;
    return result;
}

/// The run with the best results of those at settings that can be run; null where none has all of them.
const study::Run* findBestRun(const study::Study& study, const std::vector<Desirability>& wanted)
{
    const study::Run* best = nullptr;
    double most = -1.0;
    for (const study::Run& run : study.runs) {
        if (run.status != study::RunStatus::Done || run.provenance.shortLook)
            continue;
        const auto measured = findMeasured(run, wanted);
        const double worth = measured ? overall(wanted, *measured) : most;
        if (worth > most && study::isLegal(study, run.settings)) {
            best = &run;
            most = worth;
        }
    }
    return best;
}

/// What the runs cannot tell at the best settings, or with one factor of these at an end of its range.
std::string describeUnknown(const study::Study& study, const Goals& goals, const study::Settings& settings)
{
    std::vector<study::CodedPoint> points{study::Coding(study.factors).toCoded(settings)};
    for (std::size_t i = 0; i < study.factors.size(); ++i) {
        if (!study.factors[i].isNumeric())
            continue;
        for (const double end : {-1.0, 1.0}) {
            points.push_back(points.front());
            points.back()[static_cast<Eigen::Index>(i)] = end;
        }
    }
    for (const model::Fit* fit : goals.fits)
        for (const study::CodedPoint& point : points)
            if (std::string unknown = model::describeUnknown(*fit, point); !unknown.empty())
                return goals.count() > 1 ? fit->response + ": " + unknown : unknown;
    return {};
}

/// Makes the best run of follow-ups the recommended one, where the search may go there.
void preferMeasured(const SearchSpace& space, const study::Study& study, const std::vector<model::Fit>& fits,
                    const Goals& goals, const OptimizeOptions& options, Optimum& result)
{
    const std::optional<MeasuredRun> best = result.isOk() ? findBestOfFollowUps(study, fits) : std::nullopt;
    const std::optional<Eigen::VectorXd> x =
        best ? model::findPlace(space.coding(), best->settings) : std::nullopt;
    if (!x || !space.contains(*x) || !space.isLegal(*x))
        return;
    std::vector<Solution> others = std::move(result.solutions);
    std::map<std::string, double> bestAlone;
    for (const ResponseAtOptimum& row : result.responses)
        bestAlone[row.response] = row.bestAlone;
    const double bound = result.bound;
    result = assess(study, fits, best->settings, bestAlone);
    result.bound = std::max(bound, result.overall);
    result.message = "Run " + std::to_string(best->run) +
                     " is the best that was measured: after follow-ups it is recommended, not the best "
                     "prediction." +
                     (result.message.empty() ? "" : " ") + result.message;
    addSolution(study, goals, {.overall = result.overall, .settings = best->settings, .isOptimum = false},
                result);
    for (Solution& other : others)
        if (other.settings != best->settings && std::ssize(result.solutions) < options.solutions)
            result.solutions.push_back(std::move(other));
}

/// With the factors that do not matter held near the center, so that no setting is listed twice.
Optimum searchBest(const study::Study& study, const std::vector<model::Fit>& fits, const Goals& goals,
                   const OptimizeOptions& options)
{
    const SearchSpace whole(study, fits, options);
    std::vector<std::string> indifferent = findIndifferent(whole, fits, options.fixed);
    Optimum result;
    if (indifferent.empty()) {
        result = searchIn(whole, study, fits, goals, options);
        preferMeasured(whole, study, fits, goals, options, result);
        return result;
    }
    const study::Settings center = whole.settingsAt(whole.center());
    OptimizeOptions held = options;
    for (const std::string& name : indifferent)
        held.fixed[name] = center.at(name);
    result = searchIn(SearchSpace(study, fits, held), study, fits, goals, held);
    preferMeasured(whole, study, fits, goals, options, result);
    result.indifferent = std::move(indifferent);
    return result;
}

} // namespace

OptimizeOptions holdAliased(const study::Study& study, const Goals& goals, OptimizeOptions options)
{
    std::set<std::size_t> aliased;
    for (const model::Fit* fit : goals.fits)
        if (fit->data != nullptr)
            for (const std::size_t factor : fit->data->estimability.aliasedFactors())
                aliased.insert(factor);
    const study::Run* best = aliased.empty() ? nullptr : findBestRun(study, goals.findWanted());
    if (best == nullptr)
        return options;
    for (const std::size_t factor : aliased) {
        const std::string& name = study.factors[factor].name;
        options.fixed.try_emplace(name, best->settings.at(name));
    }
    return options;
}

void findOwnBests(const study::Study& study, std::vector<model::Fit>& fits)
{
    const Goals goals = goalsOf(study, fits);
    if (study.factors.empty() || goals.countWanted() > kMostGoals)
        return;
    const OptimizeOptions held = holdAliased(study, goals, {});
    for (std::size_t i = 0; i < goals.count(); ++i) {
        const Desirability& desirability = goals.desirabilities[i];
        if (desirability.goal != study::Goal::Maximize && desirability.goal != study::Goal::Minimize)
            continue;
        const auto fit = std::ranges::find(fits, desirability.response, &model::Fit::response);
        if (fit->ownBest)
            continue;
        try {
            const SearchSpace space(study, {*fit}, held);
            Evaluator evaluator({&*fit});
            const std::optional<double> best = searchAlone(space, evaluator, 0, desirability, {}, {});
            if (best && std::isfinite(*best))
                fit->ownBest = {desirability.goal, *best};
        } catch (const std::invalid_argument&) {
            return; // no setting is legal: said by whoever looks for the best one
        }
    }
}

std::vector<model::Fit> fitForGoals(const study::Study& study, double confidence)
{
    std::vector<model::Fit> fits = model::fitStudy(study, confidence);
    findOwnBests(study, fits);
    return fits;
}

Optimum findOptimum(const study::Study& study, const std::vector<model::Fit>& fits,
                    const OptimizeOptions& options)
{
    const Goals goals = goalsOf(study, fits);
    if (!goals.hasCompromise() || study.factors.empty())
        return noModel(goals);
    if (const std::ptrdiff_t count = goals.countWanted(); count > kMostGoals)
        return tooManyGoals(count);
    try {
        Optimum result = searchBest(study, fits, goals, holdAliased(study, goals, options));
        if (result.settings.empty())
            return result;
        const std::string unknown = describeUnknown(study, goals, result.settings);
        result.message += (result.message.empty() || unknown.empty() ? "" : " ") + unknown;
        return result;
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
    const bool isFeasible = bestAlone.empty() || study::isLegal(study, settings);
    for (std::size_t i = 0; i < goals.count(); ++i) {
        const auto best = bestAlone.find(result.responses[i].response);
        if (best == bestAlone.end())
            continue;
        fillSacrifice(best->second, goals.desirabilities[i], result.responses[i]);
        if (!isFeasible)
            result.responses[i].bestAlone = best->second;
    }
    return result;
}

bool isExtrapolation(const Optimum& optimum)
{
    return std::any_of(optimum.responses.begin(), optimum.responses.end(),
                       [](const ResponseAtOptimum& at) { return at.predicted.isExtrapolation; });
}

} // namespace quadric::optimize
