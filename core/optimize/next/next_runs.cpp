// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/next/next_runs.h"

#include "core/model/process/process_choice.h"
#include "core/optimize/next/fantasy.h"
#include "core/optimize/next/run_gain.h"
#include "core/optimize/next/run_plan.h"
#include "core/optimize/search/search.h"
#include "core/optimize/search/search_space.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace quadric::optimize {

namespace {

constexpr std::size_t kComparedPoints = 300; ///< legal points that are compared before climbing
constexpr std::size_t kRegion = 2000;        ///< legal points that stand for the region in an average
constexpr std::size_t kClimbsOfEach = 4;
constexpr double kNear = 0.1; ///< coded
constexpr RunCriterion kCriteria[] = {RunCriterion::Improvement, RunCriterion::Variance,
                                      RunCriterion::VarianceAtOptimum, RunCriterion::Front};

/// Fits without residual degrees of freedom say nothing of what they do not know.
std::string unknownErrors(const Goals& goals)
{
    std::string names;
    for (std::size_t i = 0; i < goals.count(); ++i) {
        const Desirability& d = goals.desirabilities[i];
        if (takesPart(d) && goals.fits[i]->dfResidual == 0)
            names += (names.empty() ? "" : ", ") + d.response;
    }
    return names;
}

class RunChooser {
public:
    RunChooser(const study::Study& study, const std::vector<model::Fit>& fits, const Goals& goals,
               RunCriterion criterion, const OptimizeOptions& options)
        : m_study(study)
        , m_fits(fits)
        , m_criterion(criterion)
        , m_options(options)
        , m_space(study, fits, options)
        , m_models(goals)
        , m_points(legalSample(m_space, kComparedPoints, options.seed))
    {
        OptimizeOptions quick = options;
        quick.hasAlternatives = false;
        m_best = findOptimum(study, fits, quick);
        const std::optional<Eigen::VectorXd> x = m_space.pointAt(m_best.settings);
        if (x && m_space.isLegal(*x))
            m_points.push_back(*x);
    }

    bool hasPoints() const { return !m_points.empty(); }

    /// The next run; counts as done from then on. Empty where none gains anything.
    std::optional<NextRun> next()
    {
        Candidate found = PatternSearch(m_space, gain(), m_options.stop).best(m_points, kClimbsOfEach);
        if (!(found.merit > 0.0))
            return std::nullopt;
        NextRun run;
        run.isRepeat = takeNear(found.x);
        m_models.add(found.x);
        m_chosen.push_back(found.x);
        run.settings = m_space.settingsAt(found.x);
        run.gain = found.merit;
        run.overall = assess(m_study, m_fits, run.settings).overall;
        return run;
    }

private:
    /// To the nearest point that is chosen already, if that is near: what is next to it would tell the same.
    bool takeNear(Eigen::VectorXd& x) const
    {
        for (const Eigen::VectorXd& chosen : m_chosen) {
            if (distance(m_space, chosen, x) > kNear)
                continue;
            x = chosen;
            return true;
        }
        return false;
    }

    PatternSearch::Function gain()
    {
        if (m_criterion == RunCriterion::Improvement)
            return ExpectedImprovement(m_models, m_best.overall, m_options.seed);
        std::vector<Eigen::VectorXd> region;
        if (m_criterion == RunCriterion::Variance)
            region = legalSample(m_space, kRegion, m_options.seed + 1);
        else
            region = {*m_space.pointAt(m_best.settings)};
        return VarianceReduction(m_models, region);
    }

    const study::Study& m_study;
    const std::vector<model::Fit>& m_fits;
    RunCriterion m_criterion;
    const OptimizeOptions& m_options;
    SearchSpace m_space;
    FantasyModels m_models;
    std::vector<Eigen::VectorXd> m_points, m_chosen;
    Optimum m_best;
};

std::string assumptionOf(RunCriterion criterion)
{
    return criterion == RunCriterion::Improvement
               ? "Expected gain of overall desirability; errors of different responses are taken as "
                 "independent, earlier runs of the list as done with the predicted result."
               : "Share of the prediction variance that each run takes away, mean over the responses; "
                 "earlier "
                 "runs of the list are taken as done.";
}

NextRuns choose(const study::Study& study, const std::vector<model::Fit>& fits, const Goals& goals, int count,
                RunCriterion criterion, const OptimizeOptions& options,
                const std::function<void(double)>& progress)
{
    NextRuns result;
    RunChooser chooser(study, fits, goals, criterion, options);
    if (!chooser.hasPoints()) {
        result.status = OptimumStatus::NoLegalSetting;
        result.message = "No setting in the region satisfies the constraints.";
        return result;
    }
    result.status = OptimumStatus::Ok;
    result.message = assumptionOf(criterion);
    for (int i = 0; i < count && !options.stop.stop_requested(); ++i) {
        const std::optional<NextRun> run = chooser.next();
        if (!run) {
            result.message += " No further run is expected to gain anything.";
            break;
        }
        result.runs.push_back(*run);
        if (progress)
            progress(static_cast<double>(i + 1) / count);
    }
    if (options.stop.stop_requested())
        result.status = OptimumStatus::Stopped;
    const bool isOneSetting =
        result.runs.size() > 1 && std::all_of(result.runs.begin() + 1, result.runs.end(),
                                              [](const NextRun& run) { return run.isRepeat; });
    if (isOneSetting && result.runs.front().settings == result.runs.back().settings)
        result.message =
            text::formatCount(result.runs.size(), "repeat") + " of one setting. " + result.message;
    return result;
}

/// A process knows no leverage.
bool isOnlyForPolynomials(const OptimizeOptions& options)
{
    return options.staysNearRuns || options.maxLeverage.has_value();
}

/// Of the responses that runs are to improve.
std::vector<model::Process> wantedProcesses(const study::Study& study)
{
    std::vector<model::Process> processes;
    for (const study::Response& response : study.responses) {
        if (takesPart(response))
            processes.push_back(model::fitProcess(study, response.name));
    }
    return processes;
}

std::string describeErrors(const std::vector<model::ModelErrors>& errors)
{
    std::string words;
    for (const model::ModelErrors& error : errors)
        words += (words.empty() ? "" : "; ") + error.response + ": Gaussian process " +
                 text::formatPercent(error.process.relative) + ", polynomial " +
                 text::formatPercent(error.polynomial.relative);
    return words.empty() ? "" : "Error at settings left out: " + words + ". ";
}

/// Improvement or Front.
NextRuns chooseByProcess(const study::Study& study, const std::vector<model::Process>& processes, int count,
                         RunCriterion criterion, const OptimizeOptions& options)
{
    PlanOptions asked;
    asked.search = options;
    asked.most = count;
    asked.leastGain = 0.0;
    asked.mayExplore = false;
    asked.isForFront = criterion == RunCriterion::Front;
    const RunPlan plan = planRuns(study, processes, asked);
    NextRuns result;
    result.status = plan.status;
    result.isByProcess = true;
    if (!plan.isOk()) {
        result.message = plan.message;
        return result;
    }
    result.message =
        std::string("Chosen by the Gaussian process: expected ") +
        (asked.isForFront ? "growth of the Pareto front, whatever the weights are," : "gain") +
        " times the probability of a result; earlier runs of the list are taken as done with the "
        "predicted result.";
    const bool isShare = !asked.isForFront && ProcessGoals(study, processes).isOneValue();
    const std::vector<model::Fit> fits = model::fitsOf(processes, study);
    for (const PlannedRun& run : plan.runs)
        result.runs.push_back({.settings = run.settings,
                               .gain = run.gain,
                               .overall = assess(study, fits, run.settings).overall,
                               .isRepeat = run.isRepeat,
                               .isShareOfBest = isShare});
    return result;
}

constexpr const char* kFrontByProcess = "Gaussian processes choose the runs for the Pareto front";

NextRuns nextRunsForFront(const study::Study& study, int count, const OptimizeOptions& options)
{
    if (!isOnlyForPolynomials(options))
        return chooseByProcess(study, wantedProcesses(study), count, RunCriterion::Front, options);
    NextRuns result;
    result.message =
        std::string(kFrontByProcess) +
        ", and have no leverage: search without its limit, and not only inside the region covered by runs.";
    return result;
}

} // namespace

std::string_view nameOf(RunCriterion criterion)
{
    switch (criterion) {
    case RunCriterion::Improvement:
        return "improvement";
    case RunCriterion::Variance:
        return "variance";
    case RunCriterion::VarianceAtOptimum:
        return "variance-at-optimum";
    case RunCriterion::Front:
        break;
    }
    return "front";
}

std::optional<RunCriterion> runCriterionFrom(std::string_view name)
{
    const auto found = std::ranges::find(kCriteria, name, nameOf);
    return found == std::end(kCriteria) ? std::nullopt : std::optional(*found);
}

std::vector<std::string> runCriterionNames()
{
    std::vector<std::string> names;
    for (const RunCriterion criterion : kCriteria)
        names.emplace_back(nameOf(criterion));
    return names;
}

NextRuns nextRuns(const study::Study& study, const std::vector<model::Fit>& fits, int count,
                  RunCriterion criterion, const OptimizeOptions& options,
                  const std::function<void(double)>& progress)
{
    NextRuns result;
    if (criterion == RunCriterion::Front) {
        result.message = std::string(kFrontByProcess) + ".";
        return result;
    }
    const Goals goals = goalsOf(study, fits);
    const std::string unknown = unknownErrors(goals);
    if (!goals.hasCompromise()) {
        result.message = "No response has a goal, a weight above 0 and a usable model.";
        return result;
    }
    if (criterion == RunCriterion::Improvement && !unknown.empty()) {
        result.message = "The model leaves no degrees of freedom to estimate the error of " + unknown + ".";
        return result;
    }
    try {
        return choose(study, fits, goals, count, criterion, options, progress);
    } catch (const std::invalid_argument& error) {
        result.status = OptimumStatus::NoLegalSetting;
        result.message = error.what();
        return result;
    }
}

NextRuns nextRunsByBetterModel(const study::Study& study, const std::vector<model::Fit>& fits, int count,
                               RunCriterion criterion, const OptimizeOptions& options,
                               const std::function<void(double)>& progress)
{
    if (criterion == RunCriterion::Front)
        return nextRunsForFront(study, count, options);
    if (criterion != RunCriterion::Improvement || isOnlyForPolynomials(options))
        return nextRuns(study, fits, count, criterion, options, progress);
    const std::vector<model::Process> processes = wantedProcesses(study);
    std::vector<model::ModelErrors> errors = model::compareErrors(fits, processes);
    const Goals goals = goalsOf(study, fits);
    const bool isHelpless = !goals.hasCompromise() || !unknownErrors(goals).empty();
    NextRuns result;
    if (isHelpless || model::isProcessBetter(errors))
        result = chooseByProcess(study, processes, count, criterion, options);
    if (!result.isOk())
        result = nextRuns(study, fits, count, criterion, options, progress);
    result.message = describeErrors(errors) + result.message;
    result.errors = std::move(errors);
    return result;
}

} // namespace quadric::optimize
