// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/answer/find_optimum.h"

#include "core/model/process/process_choice.h"
#include "core/model/select/recommended_models.h"
#include "core/optimize/answer/sensitivity.h"
#include "core/optimize/merit/desirability.h"
#include "core/optimize/merit/optimum.h"
#include "core/optimize/search/search.h"
#include "core/study/space/constraint.h"

#include <algorithm>
#include <cmath>
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

/// Over all settings that can be run; empty too where the prediction there is not finite.
std::optional<double> searchEverywhere(const study::Study& study, const model::Fit& fit,
                                       const Desirability& desirability)
{
    const SearchSpace space(study, {}, {});
    Evaluator evaluator({&fit});
    const std::optional<double> best = searchAlone(space, evaluator, 0, desirability, {}, {});
    return best && std::isfinite(*best) ? best : std::nullopt;
}

constexpr std::size_t kMostHints = 2;
constexpr std::size_t kMostBoxesWithFailures = 1000;

/// A smaller share of a response is a difference between two searches, not between two settings.
constexpr double kRounding = 1e-9;

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
           !options.maxLeverage && options.leastRunsProbability == kUsualRunsProbability;
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
            best = findOwnBest(space, evaluator, i, desirability, hints, options.stop);
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

void addSolution(const study::Study& study, const Goals& goals, Solution solution, Optimum& result)
{
    const study::CodedPoint point = study::Coding(study.factors).toCoded(solution.settings);
    for (const model::Fit* fit : goals.fits)
        solution.predicted.emplace_back(fit->response, model::predict(*fit, point));
    result.solutions.push_back(std::move(solution));
}

/// The best, other local optima, and what lies beside the best of them, by overall desirability. `found` is
/// in this order already.
void addSolutions(const SearchSpace& space, CompromiseSearch& search, const std::vector<Candidate>& found,
                  const study::Study& study, const Goals& goals, const OptimizeOptions& options,
                  Optimum& result)
{
    std::vector<Candidate> listed = found;
    if (options.hasAlternatives) {
        const std::vector<Candidate> beside = search.alternatives(found.front());
        listed.insert(listed.end(), beside.begin(), beside.end());
    }
    listed = keepDistinct(space, std::move(listed));
    std::erase_if(listed, [](const Candidate& candidate) { return candidate.merit <= 0.0; });
    for (std::size_t i = 0; i < listed.size() && static_cast<int>(i) < options.solutions; ++i)
        addSolution(study, goals,
                    {listed[i].merit, space.settingsAt(listed[i].x), i == 0 || search.isPeak(listed[i])},
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
    // Whether a setting gives a result may depend on any factor, and so may what is no polynomial.
    const bool mayDependOnAll =
        std::ranges::any_of(fits, [](const model::Fit& fit) { return fit.predictor != nullptr; });
    if (space.feasibility().isActive() || mayDependOnAll)
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

/// Peaks come first where they are better than what was found.
void mergePeaks(CompromiseSearch& search, std::vector<Candidate>& found)
{
    if (found.empty() || found.front().merit <= 0.0)
        return;
    std::vector<Candidate> peaks = search.peaksFrom(found);
    std::erase_if(peaks,
                  [&found](const Candidate& peak) { return peak.x == found.front().x || peak.merit <= 0.0; });
    found.insert(found.end(), peaks.begin(), peaks.end());
    std::ranges::stable_sort(found, std::greater<>(), &Candidate::merit);
}

Optimum searchIn(const SearchSpace& space, const study::Study& study, const std::vector<model::Fit>& fits,
                 const Goals& goals, const OptimizeOptions& options)
{
    Optimum result;
    Evaluator evaluator(goals.fits);
    Effort effort;
    if (options.starts > 0)
        effort.starts = static_cast<std::size_t>(options.starts);
    effort.seed = options.seed;
    // Boxes cannot be excluded by what failed: more of them rarely prove anything.
    effort.boxes =
        space.feasibility().isActive() ? std::min(options.boxes, kMostBoxesWithFailures) : options.boxes;
    effort.isLocal = options.isLocal;
    CompromiseSearch search(space, evaluator, goals.desirabilities, effort, options.stop);
    std::vector<Candidate> found = search.run(startsOf(space, options));
    mergePeaks(search, found);
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
    addSolutions(space, search, found, study, goals, options, result);
    const bool isLimited =
        options.staysNearRuns || options.maxLeverage.has_value() || space.feasibility().isActive();
    if (options.hasAlternatives && options.region.kind == RegionKind::Box && !isLimited &&
        result.overall > 0.0)
        result.rounded = findRounded(study, fits, result, options.fixed);
    if (result.overall <= 0.0)
        reportZero(goals, result);
    if (options.stop.stop_requested())
        result.status = OptimumStatus::Stopped;
    return result;
}

/// With the factors that do not matter held near the center, so that no setting is listed twice.
Optimum searchBest(const study::Study& study, const std::vector<model::Fit>& fits, const Goals& goals,
                   const OptimizeOptions& options)
{
    const SearchSpace whole(study, fits, options);
    std::vector<std::string> indifferent = findIndifferent(whole, fits, options.fixed);
    if (indifferent.empty())
        return searchIn(whole, study, fits, goals, options);
    const study::Settings center = whole.settingsAt(whole.center());
    OptimizeOptions held = options;
    for (const std::string& name : indifferent)
        held.fixed[name] = center.at(name);
    Optimum result = searchIn(SearchSpace(study, fits, held), study, fits, goals, held);
    result.indifferent = std::move(indifferent);
    return result;
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
