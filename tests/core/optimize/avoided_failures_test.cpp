// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/feasibility/feasibility.h"
#include "core/optimize/next_runs.h"
#include "core/optimize/own_best.h"
#include "core/optimize/process_optimum.h"
#include "core/optimize/run_plan.h"

#include <gtest/gtest.h>

#include <cmath>

namespace quadric::optimize {
namespace {

bool needsTooMuch(const study::Settings& settings)
{
    return study::numberOf(settings.at("batch")) * study::numberOf(settings.at("layers")) > 6000.0;
}

void execute(study::Study& study)
{
    for (study::Run& run : study.runs) {
        if (run.status != study::RunStatus::Pending)
            continue;
        run.status = needsTooMuch(run.settings) ? study::RunStatus::Failed : study::RunStatus::Done;
        if (run.status == study::RunStatus::Failed) {
            run.failure = study::Failure{"out-of-memory", ""};
            continue;
        }
        const double batch = study::numberOf(run.settings.at("batch"));
        const double layers = study::numberOf(run.settings.at("layers"));
        const double wave = 0.4 * std::sin(1.7 * run.id); // noise that is the same everywhere
        run.results["speed"] = 100.0 * batch / (batch + 90.0) + 0.5 * layers + wave;
        run.provenance.seconds = 10.0;
    }
}

/// More is better, until the memory is used up: 16 runs on a grid, six of them out of memory.
study::Study growing()
{
    study::Study study;
    study.factors = {{.name = "batch",
                      .type = study::FactorType::Integer,
                      .low = 16,
                      .high = 512,
                      .scale = study::Scale::Log2},
                     {.name = "layers", .type = study::FactorType::Integer, .low = 4, .high = 48}};
    study.responses = {{.name = "speed", .goal = study::Goal::Maximize}};
    std::vector<study::Settings> settings;
    for (const double batch : {16.0, 64.0, 180.0, 512.0}) {
        for (const double layers : {4.0, 18.0, 33.0, 48.0})
            settings.push_back({{"batch", batch}, {"layers", layers}});
    }
    study = study::withRuns(study, settings, study::RunKind::Design);
    execute(study);
    return study;
}

TEST(AvoidedFailures, RankedSettingsGiveAResult)
{
    const study::Study study = growing();
    const auto feasibility = model::feasibilityOf(study);
    ASSERT_NE(feasibility, nullptr);
    const Optimum optimum = findOptimum(study, fitForGoals(study));
    ASSERT_TRUE(optimum.isOk()) << optimum.message;
    ASSERT_FALSE(optimum.solutions.empty());
    EXPECT_FALSE(optimum.rounded) << "fewer digits may fail";
    const study::Coding coding(study.factors);
    for (const Solution& solution : optimum.solutions) {
        EXPECT_FALSE(needsTooMuch(solution.settings));
        const Eigen::VectorXd x = coding.toCoded(solution.settings).x;
        EXPECT_TRUE(feasibility->probabilityAt(x) >= 0.9 || feasibility->isKnownToRun(x));
    }
    OptimizeOptions anything;
    anything.leastRunsProbability = 0.0;
    EXPECT_TRUE(needsTooMuch(findOptimum(study, fitForGoals(study), anything).settings))
        << "without the limit the model alone decides";
}

/// A confirmation that fails moves the answer, however small the probability that is asked for.
TEST(AvoidedFailures, FailedConfirmationMovesTheAnswer)
{
    study::Study study = growing();
    OptimizeOptions anything;
    anything.leastRunsProbability = 0.0;
    const study::Settings refused = findOptimum(study, fitForGoals(study), anything).settings;
    study = study::withRuns(study, {refused}, study::RunKind::Confirmation);
    execute(study);
    ASSERT_EQ(study.runs.back().status, study::RunStatus::Failed);
    const Optimum after = findOptimum(study, fitForGoals(study), anything);
    EXPECT_NE(after.settings, refused);
    for (const Solution& solution : after.solutions)
        EXPECT_NE(solution.settings, refused);
}

/// Also where another run gave a result at the setting before.
TEST(AvoidedFailures, FailureCountsBesideAResult)
{
    study::Study study = growing();
    const study::Settings best = findOptimum(study, fitForGoals(study)).settings;
    study = study::withRuns(study, {best, best}, study::RunKind::Confirmation);
    execute(study);
    study.runs.back().status = study::RunStatus::Failed;
    study.runs.back().failure = study::Failure{"out-of-memory", ""};
    for (const Solution& solution : findOptimum(study, fitForGoals(study)).solutions)
        EXPECT_NE(solution.settings, best);
}

TEST(AvoidedFailures, NextRunsStayAway)
{
    const study::Study study = growing();
    const NextRuns next = nextRuns(study, fitForGoals(study), 3, RunCriterion::Improvement);
    ASSERT_TRUE(next.isOk()) << next.message;
    for (const NextRun& run : next.runs)
        EXPECT_FALSE(needsTooMuch(run.settings));
}

TEST(RunPlan, SpendsTheTimeOnWhatGainsMost)
{
    const study::Study study = growing();
    PlanOptions options;
    options.seconds = 25.0;
    options.leastGain = 0.0;
    options.secondsOf = [](const study::Settings&) { return 10.0; };
    const RunPlan plan = planRuns(study, model::fitProcesses(study), options);
    ASSERT_TRUE(plan.isOk()) << plan.message;
    EXPECT_EQ(plan.runs.size(), 2U);
    EXPECT_EQ(plan.seconds, 20.0);
    for (const PlannedRun& run : plan.runs) {
        EXPECT_GE(run.gain, 0.0);
        EXPECT_GT(run.runsProbability, 0.4);
    }
}

/// Where nothing can be gained any more the plan is empty and says so.
TEST(RunPlan, StopsWhereNothingIsGained)
{
    PlanOptions options;
    options.leastGain = 10.0;
    const study::Study study = growing();
    const RunPlan plan = planRuns(study, model::fitProcesses(study), options);
    EXPECT_TRUE(plan.runs.empty());
    EXPECT_TRUE(plan.hasConverged);
    EXPECT_EQ(planRuns(study, {}, options).status, OptimumStatus::NoModel);
}

TEST(ProcessOptimum, IsLegalAndGivesAResult)
{
    const study::Study study = growing();
    const std::vector<model::Process> processes = model::fitProcesses(study);
    const Optimum optimum = findProcessOptimum(study, processes);
    ASSERT_TRUE(optimum.isOk()) << optimum.message;
    EXPECT_FALSE(needsTooMuch(optimum.settings));
    ASSERT_EQ(optimum.responses.size(), 1U);
    EXPECT_NEAR(optimum.overall, 1.0, 1e-6) << "one response: its own best";
    EXPECT_NEAR(assessByProcess(study, processes, optimum.settings).responses[0].predicted.mean,
                optimum.responses[0].predicted.mean, 1e-9);
}

} // namespace
} // namespace quadric::optimize
