// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/feasibility/feasibility.h"
#include "core/model/process/process_choice.h"
#include "core/optimize/answer/find_optimum.h"
#include "core/optimize/next/next_runs.h"
#include "core/optimize/next/run_gain.h"
#include "core/optimize/next/run_plan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <stop_token>

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
        EXPECT_TRUE(feasibility->at(x).low >= 0.9 - 1e-6 || feasibility->isKnownToRun(x))
            << "the whole interval is at least what is asked for";
    }
    OptimizeOptions anything;
    anything.leastRunsProbability = 0.0;
    EXPECT_TRUE(needsTooMuch(findOptimum(study, fitForGoals(study), anything).settings))
        << "without the limit the model alone decides";
}

/// A confirmation that fails moves the answer, however small the probability that is asked for.
/// Nor where a factor is in no model: whether a setting gives a result may depend on it all the same.
TEST(AvoidedFailures, NothingThatRanIsBetterThanWhatIsRecommended)
{
    study::Study study = growing();
    study.factors.push_back({.name = "workers",
                             .type = study::FactorType::Integer,
                             .low = 1,
                             .high = 4,
                             .scale = study::Scale::Log2});
    for (study::Run& run : study.runs)
        run.settings["workers"] = run.id % 2 == 0 ? 1.0 : 4.0;
    const std::vector<model::Fit> fits = {model::fitResponse(study, "speed", {.model = "batch + layers"})};
    ASSERT_TRUE(fits.front().isOk()) << fits.front().message;
    const Optimum optimum = findOptimum(study, fits);
    ASSERT_TRUE(optimum.isOk()) << optimum.message;
    EXPECT_TRUE(optimum.indifferent.empty());
    for (const study::Run& run : study.runs) {
        if (run.status != study::RunStatus::Done)
            continue;
        EXPECT_GE(optimum.overall, assess(study, fits, run.settings).overall - 1e-9) << run.id;
    }
}

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
    const NextRuns next = nextRunsByBetterModel(study, fitForGoals(study), 3, RunCriterion::Improvement);
    ASSERT_TRUE(next.isOk()) << next.message;
    for (const NextRun& run : next.runs)
        EXPECT_FALSE(needsTooMuch(run.settings));
}

/// What one more run at a setting that ran is expected to make the choice better by, against simulated
/// results. The best setting, far ahead of all others, gains nothing by being run again.
TEST(ProcessGoals, RepeatGainAgreesWithSimulation)
{
    const study::Study study = growing();
    const std::vector<model::Process> processes = model::fitProcesses(study);
    const ProcessGoals goals(study, processes);
    ASSERT_TRUE(goals.isOneValue());
    const Eigen::VectorXd x = study::Coding(study.factors).toCoded(study.runs[5].settings).x;
    const auto [mean, deviation] = processes[0].surfaceAt(x);
    const double noise = processes[0].sigma;
    std::mt19937_64 random(5);
    std::normal_distribution<double> normal;
    for (const double ahead : {-1.0, 0.0, 0.7}) {
        const double best = mean - ahead * deviation;
        double sum = 0.0;
        constexpr int kDraws = 200000;
        for (int i = 0; i < kDraws; ++i) {
            const double result = mean + deviation * normal(random) + noise * normal(random);
            const double weight = deviation * deviation / (deviation * deviation + noise * noise);
            sum += std::max(best, mean + weight * (result - mean)) - std::max(best, mean);
        }
        const double gain = sum / kDraws;
        EXPECT_NEAR(std::exp(goals.logRepeatGain(x, best)), gain, 0.03 * gain + 1e-4 * deviation);
    }
    EXPECT_LT(std::exp(goals.logRepeatGain(x, mean - 9.0 * deviation)), 1e-9 * deviation);
}

/// Where a quadratic bends too little, the process chooses what to run next, and both errors are told.
TEST(NextRuns, AreChosenByTheBetterModel)
{
    study::Study study = growing();
    for (study::Run& run : study.runs) {
        run.status = study::RunStatus::Done;
        run.failure.reset();
        const double batch = study::numberOf(run.settings.at("batch"));
        run.results["speed"] =
            50.0 + 40.0 * std::tanh(3.0 * std::log2(batch / 60.0)) + 0.1 * std::sin(1.7 * run.id);
    }
    const NextRuns next = nextRunsByBetterModel(study, fitForGoals(study), 2, RunCriterion::Improvement);
    ASSERT_TRUE(next.isOk()) << next.message;
    ASSERT_EQ(next.errors.size(), 1U);
    EXPECT_EQ(next.isByProcess, next.errors[0].isProcessBetter());
    EXPECT_TRUE(next.isByProcess);
    ASSERT_EQ(next.runs.size(), 2U);
    EXPECT_TRUE(next.runs[0].isShareOfBest);
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
        EXPECT_GE(run.runsProbability, 0.5);
        EXPECT_EQ(run.isExploration, !run.isRepeat && run.runsProbability < 0.9);
    }
}

/// As the window does when other settings are asked for: before anything was looked at.
TEST(RunPlan, MayBeStoppedAtOnce)
{
    std::stop_source source;
    source.request_stop();
    PlanOptions options;
    options.search.stop = source.get_token();
    const study::Study study = growing();
    const std::vector<model::Process> processes = model::fitProcesses(study);
    const RunPlan plan = planRuns(study, processes, options);
    EXPECT_EQ(plan.status, OptimumStatus::Stopped);
    EXPECT_TRUE(plan.runs.empty());
    EXPECT_EQ(findOptimum(study, model::fitsOf(processes, study), options.search).status,
              OptimumStatus::Stopped);
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
    const std::vector<model::Fit> fits = model::fitsOf(model::fitProcesses(study), study);
    const Optimum optimum = findOptimum(study, fits);
    ASSERT_TRUE(optimum.isOk()) << optimum.message;
    EXPECT_FALSE(needsTooMuch(optimum.settings));
    ASSERT_EQ(optimum.responses.size(), 1U);
    EXPECT_NEAR(optimum.overall, 1.0, 1e-6) << "one response: its own best";
    EXPECT_NEAR(assess(study, fits, optimum.settings).responses[0].predicted.mean,
                optimum.responses[0].predicted.mean, 1e-9);
}

} // namespace
} // namespace quadric::optimize
