// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/next/run_plan.h"

#include "core/optimize/answer/rounding.h"
#include "core/optimize/merit/desirability.h"
#include "core/optimize/next/run_gain.h"
#include "core/optimize/next/run_odds.h"
#include "core/optimize/search/local_search.h"
#include "core/study/factor.h"
#include "core/study/run.h"
#include "core/study/run_records.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace quadric::optimize {

namespace {

constexpr std::size_t kComparedSettings = 500;
constexpr std::size_t kClimbs = 3;
constexpr int kDigits = 3; ///< of continuous settings
constexpr double kSmallestStep = 1e-3;
/// Runs that rather fail than not are never proposed.
constexpr double kLeastProbability = 0.5;
constexpr double kLeastLogGain = -1e3;

class Planner {
public:
    Planner(const study::Study& study, const std::vector<model::Process>& processes,
            const PlanOptions& options)
        : m_study(study)
        , m_options(options)
        , m_coding(study.factors)
        , m_goals(study, processes)
        , m_space(study, {}, searched(options.search))
        , m_leastProbability(std::min(options.search.leastRunsProbability, kLeastProbability))
        , m_odds(study, options.secondsOf)
        , m_points(legalSample(m_space, kComparedSettings, options.search.seed))
    {
        for (const study::Run& run : study.runs) {
            if (run.status == study::RunStatus::Done)
                addKnown(run.settings);
        }
        m_points.insert(m_points.end(), m_known.begin(), m_known.end());
    }

    const ProcessGoals& goals() const { return m_goals; }
    bool hasPoints() const { return !m_points.empty(); }

    /// Empty where the search was stopped before it had looked anywhere, and where everything rather fails.
    std::optional<PlannedRun> next(RunOdds::Caution caution)
    {
        const RunGain gain(m_goals, m_known.empty() ? m_points : m_known);
        const PatternSearch::Function merit = [&](const Eigen::VectorXd& x) {
            return meritAt(x, gain, caution);
        };
        const Eigen::VectorXd found =
            PatternSearch(m_space, merit, m_options.search.stop, kSmallestStep).best(m_points, kClimbs).x;
        if (found.size() == 0 || m_odds.probabilityAt(found) < m_leastProbability)
            return std::nullopt;
        PlannedRun run;
        run.settings = settingsNear(found);
        const Eigen::VectorXd x = isKnown(found) ? found : m_coding.toCoded(run.settings).x;
        run.runsProbability = m_odds.probabilityAt(x);
        run.gain = run.runsProbability * gain.readable(std::exp(gain.logAt(x, isKnown(x))));
        run.seconds = m_odds.secondsOfResult(run.settings);
        run.isRepeat = isKnown(x);
        run.isExploration = !run.isRepeat && run.runsProbability < m_options.search.leastRunsProbability;
        for (std::size_t i = 0; i < m_goals.count(); ++i)
            run.predicted.emplace_back(m_goals.process(i).response,
                                       m_goals.process(i).predictMean(study::CodedPoint(x)));
        m_latest = x;
        return run;
    }

    /// The latest run counts as done.
    void take()
    {
        m_goals.addRun(m_latest);
        m_known.push_back(m_latest);
    }

private:
    /// Nobody sets, or reads, more digits.
    study::Settings settingsNear(const Eigen::VectorXd& x) const
    {
        study::Settings settings = m_space.settingsAt(x);
        return isKnown(x) ? settings
                          : withFewDigits(m_study, std::move(settings), kDigits, m_options.search.fixed);
    }

    /// Everywhere but where runs failed: the odds decide.
    static OptimizeOptions searched(OptimizeOptions options)
    {
        options.leastRunsProbability = 0.0;
        return options;
    }

    void addKnown(const study::Settings& settings)
    {
        const std::optional<Eigen::VectorXd> x = model::findPlace(m_coding, settings);
        // A setting that cannot be run as it is would become another one.
        if (x && m_space.contains(*x) && m_space.isLegal(*x) && m_space.settingsAt(*x) == settings)
            m_known.push_back(*x);
    }

    bool isKnown(const Eigen::VectorXd& x) const { return std::ranges::find(m_known, x) != m_known.end(); }

    double meritAt(const Eigen::VectorXd& x, const RunGain& gain, RunOdds::Caution caution) const
    {
        const double probability = m_odds.probabilityAt(x);
        if (probability < m_leastProbability)
            return kLeastLogGain * (2.0 - probability);
        return std::max(kLeastLogGain, gain.logAt(x, isKnown(x))) +
               m_odds.logWeight(m_space.settingsAt(x), probability, caution);
    }

    const study::Study& m_study;
    const PlanOptions& m_options;
    study::Coding m_coding;
    ProcessGoals m_goals;
    SearchSpace m_space;
    double m_leastProbability;
    RunOdds m_odds;
    std::vector<Eigen::VectorXd> m_points, m_known;
    Eigen::VectorXd m_latest;
};

void fillPlan(Planner& planner, const PlanOptions& options, RunPlan& plan)
{
    while (std::ssize(plan.runs) < options.most && !options.search.stop.stop_requested()) {
        std::optional<PlannedRun> run = planner.next(RunOdds::Caution::AsLearned);
        if (run && run->gain < options.leastGain) // to stop is right only where a bolder run is not worth it
            run = planner.next(RunOdds::Caution::None);
        if (!run) {
            plan.hasConverged = !options.search.stop.stop_requested();
            return;
        }
        plan.nextGain = run->gain;
        plan.hasConverged = run->gain < options.leastGain;
        const bool isTooLong = options.seconds > 0.0 && plan.seconds + run->seconds > options.seconds;
        if (plan.hasConverged || isTooLong)
            return;
        plan.seconds += run->seconds;
        planner.take();
        plan.runs.push_back(*std::move(run));
    }
}

RunPlan planWith(const study::Study& study, const std::vector<model::Process>& processes,
                 const PlanOptions& options)
{
    RunPlan plan;
    Planner planner(study, processes, options);
    if (planner.goals().isEmpty()) {
        plan.message = "No response has a goal, a weight above 0 and a usable Gaussian process" +
                       (planner.goals().leftOut().empty() ? "." : ": " + planner.goals().leftOut() + ".");
        return plan;
    }
    if (!planner.hasPoints()) {
        plan.status = OptimumStatus::NoLegalSetting;
        plan.message = "No setting in the region satisfies the constraints.";
        return plan;
    }
    plan.status = OptimumStatus::Ok;
    fillPlan(planner, options, plan);
    if (options.search.stop.stop_requested())
        plan.status = OptimumStatus::Stopped;
    return plan;
}

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

RunPlan planRuns(const study::Study& study, const std::vector<model::Process>& processes,
                 const PlanOptions& options)
{
    try {
        return planWith(study, processes, options);
    } catch (const std::invalid_argument& error) {
        RunPlan plan;
        plan.status = OptimumStatus::NoLegalSetting;
        plan.message = error.what();
        return plan;
    }
}

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
    const model::Interval run = process.predictNewRun(study::CodedPoint(*best), kTwoSided);
    const bool isSmallerBetter = goals.desirability(0).goal == study::Goal::Minimize;
    return study::ShortLook{process.response, isSmallerBetter ? run.high : run.low};
}

} // namespace quadric::optimize
