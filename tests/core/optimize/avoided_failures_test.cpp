// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/feasibility/feasibility.h"
#include "core/optimize/answer/find_optimum.h"
#include "core/optimize/answer/optimism.h"
#include "core/optimize/next/run_gain.h"
#include "core/optimize/next/run_odds.h"
#include "core/optimize/next/run_plan.h"
#include "core/optimize/optimum_region.h"
#include "fixtures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
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

/// However small the probability that is asked for.
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

/// Fourteen runs of a Box–Behnken design and one that ran out of memory. Whether a setting runs is asked of a
/// model, which takes longer than a prediction: not of every one of 3,585 values of a factor.
study::Study wideIntegers()
{
    study::Study study;
    study.factors = {{.name = "batch", .type = study::FactorType::Integer, .low = 4, .high = 64},
                     {.name = "seq", .type = study::FactorType::Integer, .low = 512, .high = 4096},
                     {.name = "workers", .type = study::FactorType::Integer, .low = 1, .high = 16}};
    for (study::Factor& factor : study.factors)
        factor.scale = study::Scale::Log2;
    study.responses = {{.name = "y", .goal = study::Goal::Maximize}};
    const std::vector<std::array<int, 3>> coded{{-1, -1, 0}, {1, -1, 0}, {-1, 1, 0}, {1, 1, 0},   {-1, 0, -1},
                                                {1, 0, -1},  {-1, 0, 1}, {1, 0, 1},  {0, -1, -1}, {0, 1, -1},
                                                {0, -1, 1},  {0, 1, 1},  {0, 0, 0},  {0, 0, 0},   {0, 0, 0}};
    std::vector<study::Settings> settings;
    for (const auto& [b, s, w] : coded)
        settings.push_back({{"batch", 16.0 * std::pow(4.0, b)},
                            {"seq", std::round(1448.15 * std::pow(std::sqrt(8.0), s))},
                            {"workers", 4.0 * std::pow(4.0, w)}});
    study = study::withRuns(study, settings, study::RunKind::Design);
    for (study::Run& run : study.runs) {
        const double batch = study::numberOf(run.settings.at("batch"));
        const double seq = study::numberOf(run.settings.at("seq"));
        const double workers = study::numberOf(run.settings.at("workers"));
        run.status = batch * seq > 2e5 ? study::RunStatus::Failed : study::RunStatus::Done;
        if (run.status == study::RunStatus::Failed)
            run.failure = study::Failure{"out-of-memory", ""};
        else
            run.results["y"] = 1e4 * batch / (batch + 10.0) * seq / (seq + 500.0) * workers /
                               (workers + 1.0) * (1.0 + 0.01 * std::sin(1.7 * run.id));
    }
    return study;
}

TEST(AvoidedFailures, WideIntegersTakeNoLonger)
{
    const study::Study study = wideIntegers();
    const std::clock_t begin = std::clock();
    const std::vector<model::Fit> fits = fitForGoals(study);
    const Optimum optimum = findOptimum(study, fits);
    ASSERT_TRUE(optimum.isOk()) << optimum.message;
    const OptimumRegion region = findOptimumRegion(study, fits, optimum);
    EXPECT_FALSE(region.isEmpty()) << region.message();
    EXPECT_GT(correctOptimum(study, fits, optimum).replicates, 0);
    EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 2.0);
    EXPECT_FALSE(optimum.isProven) << "what may fail is a guess";
    for (const study::Run& run : study.runs) {
        if (run.status == study::RunStatus::Failed)
            EXPECT_NE(optimum.settings, run.settings);
        else
            EXPECT_GE(optimum.overall, assess(study, fits, run.settings).overall - 1e-9);
    }
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

/// What was measured is recommended from five follow-ups with a result on, but not where a run failed, and
/// not where the search is not to go.
TEST(FollowUps, LeadToTheBestMeasuredRun)
{
    study::Study study = growing();
    const auto best = [&](const OptimizeOptions& options = {}) {
        const Optimum optimum = findOptimum(study, fitForGoals(study), options);
        EXPECT_TRUE(optimum.isOk()) << optimum.message;
        EXPECT_EQ(optimum.solutions.front().settings, optimum.settings);
        return optimum.settings;
    };
    for (int i = 0; i < 5; ++i)
        study = study::withRuns(study, {{{"batch", 20.0 + 10.0 * i}, {"layers", 10.0 + i}}},
                                study::RunKind::Augment);
    execute(study);
    study.runs.back().status = study::RunStatus::Failed;
    study.runs[18].results["speed"] = 300.0;
    study.runs[2].results["speed"] = 200.0;
    EXPECT_FALSE(findBestOfFollowUps(study, fitForGoals(study))) << "four with a result";
    study.runs.back().status = study::RunStatus::Done;
    EXPECT_EQ(best(), study.runs[18].settings);
    OptimizeOptions held;
    held.fixed = {{"batch", 64.0}};
    EXPECT_EQ(best(held).at("batch"), study::Value(64.0));
    study = study::withRuns(study, {study.runs[18].settings}, study::RunKind::Confirmation);
    study.runs.back().status = study::RunStatus::Failed;
    study.runs.back().failure = study::Failure{"out-of-memory", ""};
    EXPECT_EQ(best(), study.runs[2].settings);
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

/// A failure is charged the time that failures take. Where they take ten times as long as a result, the next
/// run is one that is surer to give one; and what is proposed is never one that rather fails.
TEST(RunPlan, CountsFailuresInTime)
{
    study::Study study = growing();
    const auto surestAfter = [&](double seconds) {
        for (study::Run& run : study.runs) {
            if (run.status == study::RunStatus::Failed)
                run.provenance.seconds = seconds;
        }
        const RunPlan plan = planRuns(study, model::fitProcesses(study), {.most = 1, .leastGain = 0.0});
        EXPECT_EQ(plan.runs.size(), 1U);
        return plan.runs.empty() ? 0.0 : plan.runs.front().runsProbability;
    };
    const double cheap = surestAfter(0.1), dear = surestAfter(100.0);
    EXPECT_GE(cheap, 0.5);
    EXPECT_GT(dear, cheap);
}

/// Eight runs one after the other: the best of all integers that fit is 500 × 12, at 90.7.
TEST(RunPlan, FindsTheBestAtTheBoundary)
{
    study::Study study = growing();
    int failed = 0;
    for (int i = 0; i < 8; ++i) {
        const RunPlan plan = planRuns(study, model::fitProcesses(study), {.most = 1, .leastGain = 0.0});
        ASSERT_EQ(plan.runs.size(), 1U);
        study = study::withRuns(study, {plan.runs.front().settings}, study::RunKind::Augment);
        execute(study);
        failed += study.runs.back().status == study::RunStatus::Failed ? 1 : 0;
    }
    EXPECT_LE(failed, 4);
    EXPECT_GT(findBestMeasured(study, fitForGoals(study)).front().results[0].second, 0.99 * 90.7);
}

/// Runs with a result take 10 s. One that went out of memory and tells no time is taken for a tenth of that.
TEST(RunOdds, ChargeAFailureItsOwnTime)
{
    study::Study study = growing();
    const auto weight = [&](RunOdds::Caution caution, const PlanOptions& options = {}) {
        return RunOdds(study, options.secondsOf).logWeight(study.runs[0].settings, 0.5, caution);
    };
    const auto none = RunOdds::Caution::None, learned = RunOdds::Caution::AsLearned;
    EXPECT_NEAR(weight(none), std::log(0.5 / 5.5), 1e-12);
    EXPECT_NEAR(weight(none, {.secondsOf = [](const study::Settings&) { return 20.0; }}),
                std::log(0.5 / 10.5), 1e-12);
    EXPECT_NEAR(weight(learned), std::log(0.125 / 5.5), 1e-12);
    for (study::Run& run : study.runs) {
        if (run.status == study::RunStatus::Failed)
            run.provenance.seconds = 100.0;
    }
    EXPECT_NEAR(weight(none), std::log(0.5 / 55.0), 1e-12);
    study.runs.back().kind = study::RunKind::Augment;
    ASSERT_EQ(study.runs.back().status, study::RunStatus::Failed);
    EXPECT_NEAR(weight(learned), std::log(0.0625 / 55.0), 1e-12) << "one follow-up has failed";
}

/// Two failures where all others say that a run gives a result: nearby it does so no longer.
TEST(RunOdds, FollowWhatRunsNearbyGave)
{
    study::Study study = growing();
    const Eigen::VectorXd x = study::Coding(study.factors).toCoded({{"batch", 30.0}, {"layers", 25.0}}).x;
    EXPECT_GT(RunOdds(study, {}).probabilityAt(x), 0.9);
    study = study::withRuns(study, {{{"batch", 30.0}, {"layers", 24.0}}, {{"batch", 31.0}, {"layers", 25.0}}},
                            study::RunKind::Augment);
    for (study::Run& run : study.runs) {
        if (run.status != study::RunStatus::Pending)
            continue;
        run.status = study::RunStatus::Failed;
        run.failure = study::Failure{"out-of-memory", ""};
    }
    const RunOdds odds(study, {});
    EXPECT_LT(odds.probabilityAt(x), 0.5);
    EXPECT_GT(model::feasibilityOf(study)->probabilityAt(x), odds.probabilityAt(x) + 0.2);
    EXPECT_EQ(odds.probabilityAt(study::Coding(study.factors).toCoded(study.runs.back().settings).x), 0.0);
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
    EXPECT_EQ(findOptimum(study, fitForGoals(study), options.search).status, OptimumStatus::Stopped);
}

/// Four settings are all there are, each was measured twice, and the best one is far ahead: no run gains
/// anything, the plan is empty and says so.
TEST(RunPlan, ProposesNothingWhereNothingIsGained)
{
    study::Study study;
    study.factors = {{.name = "a", .type = study::FactorType::Integer, .low = 1, .high = 4}};
    study.responses = {{.name = "y", .goal = study::Goal::Maximize}};
    for (int i = 0; i < 8; ++i) {
        const double a = 1.0 + i % 4;
        study = study::withRuns(study, {{{"a", a}}}, study::RunKind::Design);
        study.runs.back().status = study::RunStatus::Done;
        study.runs.back().results["y"] = 100.0 * a + 0.01 * std::sin(1.7 * i);
    }
    const RunPlan plan = planRuns(study, model::fitProcesses(study), {.most = 3, .leastGain = kNoGain});
    EXPECT_TRUE(plan.isOk()) << plan.message;
    EXPECT_TRUE(plan.runs.empty());
    EXPECT_TRUE(plan.hasConverged);
    EXPECT_EQ(planRuns(study, {}).status, OptimumStatus::NoModel);
}

TEST(RunPlan, SettingsAreDistinctAndLegal)
{
    study::Study study = growing();
    study.factors[0].multipleOf = 4;
    study.factors.push_back({.name = "rate", .low = 0.1, .high = 0.9});
    for (study::Run& run : study.runs)
        run.settings["rate"] = 0.1 + 0.05 * run.id;
    study.constraints = {"batch + 10 * layers <= 700"};
    const RunPlan plan = planRuns(study, model::fitProcesses(study), {.most = 6, .leastGain = 0.0});
    ASSERT_EQ(plan.runs.size(), 6U) << plan.message;
    std::vector<study::Settings> known;
    for (const study::Run& run : study.runs)
        known.push_back(run.settings);
    for (const PlannedRun& run : plan.runs) {
        expectLegal(study, run.settings);
        const bool isKnown = std::ranges::find(known, run.settings) != known.end();
        EXPECT_EQ(isKnown, run.isRepeat);
        known.push_back(run.settings);
    }
    EXPECT_LE(std::ranges::count_if(plan.runs, &PlannedRun::isRepeat), 2);
}

} // namespace
} // namespace quadric::optimize
