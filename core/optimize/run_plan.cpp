// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/run_plan.h"

#include "core/optimize/process_goals.h"
#include "core/optimize/search/pattern_search.h"
#include "core/study/outcome.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace quadric::optimize {

namespace {

constexpr std::size_t kComparedSettings = 500;
constexpr std::size_t kClimbs = 3;
/// Probability of giving a result that a proposed run has at least: as long as none has failed, and where the
/// share that may fail is used up.
constexpr double kBoldest = 0.5;
constexpr double kMostCautious = 0.9;
constexpr double kShareToFail = 0.2; ///< of the follow-ups
constexpr double kRunsBefore = 2.0;  ///< that count as if they had worked
constexpr double kLeastLogGain = -1e3;

/// The more follow-ups of the study have failed, the more cautious are the next ones.
double leastProbabilityFor(const study::Study& study)
{
    double failed = 0.0;
    double all = kRunsBefore;
    for (const study::Run& run : study.runs) {
        if (run.kind != study::RunKind::Augment)
            continue;
        const bool hasFailed = study::isFailureOfSettings(run);
        all += hasFailed || run.status == study::RunStatus::Done ? 1.0 : 0.0;
        failed += hasFailed ? 1.0 : 0.0;
    }
    return kBoldest + (kMostCautious - kBoldest) * std::min(1.0, failed / all / kShareToFail);
}

class Planner {
public:
    Planner(const study::Study& study, const std::vector<model::Process>& processes,
            const PlanOptions& options, double leastProbability)
        : m_options(options)
        , m_goals(study, processes)
        , m_space(study, {}, exploring(options.search, leastProbability))
        , m_points(legalSample(m_space, kComparedSettings, options.search.seed))
    {
        const study::Coding coding(study.factors);
        for (const study::Run& run : study.runs) {
            if (run.status == study::RunStatus::Done)
                addKnown(coding, run.settings);
        }
        m_points.insert(m_points.end(), m_known.begin(), m_known.end());
    }

    const ProcessGoals& goals() const { return m_goals; }
    bool hasPoints() const { return !m_points.empty(); }

    PlannedRun next()
    {
        const double best = bestKnown();
        const PatternSearch::Function merit = [&](const Eigen::VectorXd& x) { return meritAt(x, best); };
        const Eigen::VectorXd x =
            PatternSearch(m_space, merit, m_options.search.stop).best(m_points, kClimbs).x;
        PlannedRun run;
        run.settings = m_space.settingsAt(x);
        run.runsProbability = probabilityAt(x);
        run.gain =
            run.runsProbability * m_goals.readableGain(best, std::exp(m_goals.logExpectedGain(x, best)));
        run.seconds = m_options.secondsOf ? m_options.secondsOf(run.settings) : 0.0;
        run.isRepeat = std::ranges::any_of(m_known, [&](const Eigen::VectorXd& known) { return known == x; });
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
    static OptimizeOptions exploring(OptimizeOptions options, double least)
    {
        options.leastRunsProbability = std::min(options.leastRunsProbability, least);
        return options;
    }

    void addKnown(const study::Coding& coding, const study::Settings& settings)
    {
        try {
            const Eigen::VectorXd x = coding.toCoded(settings).x;
            if (m_space.contains(x) && m_space.isLegal(x))
                m_known.push_back(x);
        } catch (const std::invalid_argument&) {
            return; // of a factor that was changed since
        }
    }

    double bestKnown() const
    {
        double best = -std::numeric_limits<double>::infinity();
        for (const Eigen::VectorXd& x : m_known.empty() ? m_points : m_known)
            best = std::max(best, m_goals.worthAt(x));
        return best;
    }

    double probabilityAt(const Eigen::VectorXd& x) const
    {
        const FeasibilityLimit& limit = m_space.feasibility();
        return limit.isActive() ? limit.feasibility()->probabilityAt(x) : 1.0;
    }

    double meritAt(const Eigen::VectorXd& x, double best) const
    {
        double merit = std::max(kLeastLogGain, m_goals.logExpectedGain(x, best));
        if (m_space.feasibility().isActive())
            merit += std::log(std::max(probabilityAt(x), 1e-12));
        if (m_options.secondsOf)
            merit -= std::log(std::max(m_options.secondsOf(m_space.settingsAt(x)), 1e-3));
        return merit;
    }

    const PlanOptions& m_options;
    ProcessGoals m_goals;
    SearchSpace m_space;
    std::vector<Eigen::VectorXd> m_points, m_known;
    Eigen::VectorXd m_latest;
};

void fillPlan(Planner& planner, const PlanOptions& options, RunPlan& plan)
{
    while (std::ssize(plan.runs) < options.most && !options.search.stop.stop_requested()) {
        PlannedRun run = planner.next();
        plan.nextGain = run.gain;
        plan.hasConverged = run.gain < options.leastGain;
        const bool isTooLong = options.seconds > 0.0 && plan.seconds + run.seconds > options.seconds;
        if (plan.hasConverged || isTooLong)
            return;
        plan.seconds += run.seconds;
        planner.take();
        plan.runs.push_back(std::move(run));
    }
}

RunPlan planWith(const study::Study& study, const std::vector<model::Process>& processes,
                 const PlanOptions& options, double leastProbability)
{
    RunPlan plan;
    Planner planner(study, processes, options, leastProbability);
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

} // namespace

RunPlan planRuns(const study::Study& study, const std::vector<model::Process>& processes,
                 const PlanOptions& options)
{
    try {
        const double least = leastProbabilityFor(study);
        RunPlan plan = planWith(study, processes, options, least);
        // To stop is right only where a bolder run is not worth it either.
        const bool isOnlyCautious = plan.runs.empty() && plan.hasConverged && least > kBoldest;
        return isOnlyCautious ? planWith(study, processes, options, kBoldest) : plan;
    } catch (const std::invalid_argument& error) {
        RunPlan plan;
        plan.status = OptimumStatus::NoLegalSetting;
        plan.message = error.what();
        return plan;
    }
}

} // namespace quadric::optimize
