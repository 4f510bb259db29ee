// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/time/run_durations.h"
#include "core/run/words/events.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <random>

using namespace quadric;
using run::RemainingTime;

namespace {

study::Study studyWithThreeFactors()
{
    study::Study study;
    study.factors = {{.name = "batch", .low = 32, .high = 256, .scale = study::Scale::Log2},
                     {.name = "bucket", .low = 1, .high = 25},
                     {.name = "compression", .low = 0, .high = 90}};
    return study;
}

/// The 12 edge midpoints of the cube and three centers (Box & Behnken 1960), coded.
std::vector<std::array<double, 3>> boxBehnken()
{
    std::vector<std::array<double, 3>> points(3, {0, 0, 0});
    for (std::size_t fixed = 0; fixed < 3; ++fixed) {
        for (const double a : {-1.0, 1.0}) {
            for (const double b : {-1.0, 1.0}) {
                std::array<double, 3> point{};
                point[(fixed + 1) % 3] = a;
                point[(fixed + 2) % 3] = b;
                points.push_back(point);
            }
        }
    }
    return points;
}

study::Settings settingsAt(const study::Coding& coding, const std::array<double, 3>& x)
{
    return coding.toSettings(study::CodedPoint(Eigen::Vector3d(x[0], x[1], x[2])));
}

/// Seconds of a run at a coded point.
using Truth = std::function<double(const std::array<double, 3>&)>;

double secondsOf(const RemainingTime& remaining, const std::vector<run::WaitingRun>& waiting,
                 const std::vector<run::RunProgress>& active)
{
    return remaining.estimate(waiting, active).value_or(run::TimeLeft{}).seconds;
}

/// What an experiment tells after some of its runs, and what its others really take.
struct Outcome {
    run::TimeLeft estimate;
    double rest = 0.0;
};

Outcome outcomeAfter(std::size_t runsDone, std::mt19937& random, const Truth& truth)
{
    const study::Study study = studyWithThreeFactors();
    const study::Coding coding(study.factors);
    auto points = boxBehnken();
    std::ranges::shuffle(points, random);
    RemainingTime remaining(study);
    std::vector<run::WaitingRun> waiting;
    Outcome outcome;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double seconds = truth(points[i]);
        if (i < runsDone) {
            remaining.addMeasuredDuration(settingsAt(coding, points[i]), seconds);
            continue;
        }
        waiting.push_back({settingsAt(coding, points[i])});
        outcome.rest += seconds;
    }
    outcome.estimate = remaining.estimate(waiting, {}).value_or(run::TimeLeft{});
    return outcome;
}

struct Shares {
    double right = 0.0;   ///< estimates within 20 % of the truth
    double covered = 0.0; ///< truths within the interval
};

/// Of 500 simulated experiments. Each has its own slopes of the log duration, normal with this standard
/// deviation per coded unit, and noise.
Shares sharesAfter(std::size_t runsDone, double slopeSd, double noiseSd)
{
    constexpr int kExperiments = 500;
    std::mt19937 random(20240117);
    std::normal_distribution<double> normal;
    Shares shares;
    for (int i = 0; i < kExperiments; ++i) {
        std::array<double, 3> slopes{};
        for (double& slope : slopes)
            slope = slopeSd * normal(random);
        const auto [estimate, rest] = outcomeAfter(runsDone, random, [&](const std::array<double, 3>& x) {
            return 60.0 * std::exp(slopes[0] * x[0] + slopes[1] * x[1] + slopes[2] * x[2] +
                                   noiseSd * normal(random));
        });
        shares.right += std::abs(estimate.seconds - rest) < 0.2 * rest ? 1.0 / kExperiments : 0.0;
        shares.covered += estimate.low <= rest && rest <= estimate.high ? 1.0 / kExperiments : 0.0;
    }
    return shares;
}

} // namespace

TEST(RemainingTime, IsRightWithinAFifthAfterThreeRuns)
{
    EXPECT_GE(sharesAfter(3, 0.0, 0.03).right, 0.99); // runs that have a time budget
    EXPECT_GE(sharesAfter(3, 0.1, 0.03).right, 0.97);
    EXPECT_GE(sharesAfter(3, 0.2, 0.03).right,
              0.9); // durations between the corners differ by a factor of two
    EXPECT_GE(sharesAfter(3, 0.4, 0.03).right, 0.78);
}

/// Also where durations between the corners differ by a factor of sixteen.
TEST(RemainingTime, IsRightWithinAFifthAfterFiveRuns)
{
    for (const double slopeSd : {0.0, 0.1, 0.2, 0.4})
        EXPECT_GE(sharesAfter(5, slopeSd, 0.03).right, 0.95) << "slopes ±" << slopeSd;
    EXPECT_GE(sharesAfter(5, 0.8, 0.03).right, 0.85);
}

/// Nine of ten, also where three runs cannot tell how long the others take.
TEST(RemainingTime, LiesInItsIntervalInNineOfTenExperiments)
{
    for (const std::size_t runsDone : {3U, 6U, 10U}) {
        for (const double slopeSd : {0.0, 0.1, 0.2, 0.4, 0.8}) {
            const double covered = sharesAfter(runsDone, slopeSd, 0.03).covered;
            const bool isHardest = runsDone == 3 && slopeSd == 0.8;
            EXPECT_GE(covered, isHardest ? 0.82 : 0.87) << runsDone << " runs, slopes ±" << slopeSd;
        }
        EXPECT_GE(sharesAfter(runsDone, 0.2, 0.1).covered, 0.8) << runsDone << " runs, much noise";
    }
    EXPECT_LE(sharesAfter(6, 0.1, 0.03).covered, 0.985) << "an interval that is too wide tells nothing";
}

/// Of four equal durations no slope and no misfit are left: the variance is 0.05² / 4, a fifth run adds its
/// own noise to a quarter of it, and Student's t with 3 degrees of freedom is 2.353.
TEST(RemainingTime, HasTheIntervalOfTheClosedForm)
{
    const study::Study study = studyWithThreeFactors();
    const study::Coding coding(study.factors);
    const study::Settings center = settingsAt(coding, {0.0, 0.0, 0.0});
    RemainingTime remaining(study);
    for (int run = 0; run < 4; ++run)
        remaining.addMeasuredDuration(center, 60.0);
    const auto left = remaining.estimate({{center}}, {});
    ASSERT_TRUE(left);
    EXPECT_NEAR(left->seconds, 60.0, 0.01);
    EXPECT_NEAR(left->high, 60.0 * std::exp(2.353 * 0.025 * std::sqrt(1.25)), 0.02);
    EXPECT_NEAR(left->low, 60.0 * std::exp(-2.353 * 0.025 * std::sqrt(1.25)), 0.02);
    EXPECT_FALSE(left->isUncertain());
}

TEST(RemainingTime, TellsAnIntervalThatIsWide)
{
    EXPECT_TRUE((run::TimeLeft{100.0, 90.0, 121.0}).isUncertain());
    EXPECT_TRUE((run::TimeLeft{100.0, 79.0, 110.0}).isUncertain());
    EXPECT_FALSE((run::TimeLeft{100.0, 81.0, 119.0}).isUncertain());
}

TEST(RemainingTime, APowerLawIsLearnedFromThreeRuns)
{
    const study::Study study = studyWithThreeFactors();
    RemainingTime remaining(study);
    const auto at = [](double batch) {
        return study::Settings{{"batch", batch}, {"bucket", 13.0}, {"compression", 45.0}};
    };
    for (const double batch : {32.0, 64.0, 128.0})
        remaining.addMeasuredDuration(at(batch), batch / 8.0);
    EXPECT_NEAR(secondsOf(remaining, {{at(256.0)}}, {}), 32.0, 0.2 * 32.0);
    remaining.addMeasuredDuration(at(256.0), 32.0);
    EXPECT_NEAR(secondsOf(remaining, {{at(256.0)}}, {}), 32.0, 0.05 * 32.0);
}

TEST(RemainingTime, EqualDurationsStayEqual)
{
    const study::Study study = studyWithThreeFactors();
    const study::Coding coding(study.factors);
    RemainingTime remaining(study);
    for (const auto& point : {std::array{-1.0, 0.0, 1.0}, std::array{1.0, 1.0, 0.0}})
        remaining.addMeasuredDuration(settingsAt(coding, point), 30.0);
    const study::Settings far = settingsAt(coding, {1.0, -1.0, -1.0});
    EXPECT_NEAR(secondsOf(remaining, {{far}, {far}}, {}), 60.0, 0.2);
    EXPECT_NEAR(secondsOf(remaining, {{far, 0.5}, {far, 0.5}}, {}), 30.0, 0.1);
    EXPECT_NEAR(secondsOf(remaining, {{far, 0.25}}, {}), 30.0, 0.1);
}

TEST(RemainingTime, TheFirstRunTellsByItsProgress)
{
    const study::Study study = studyWithThreeFactors();
    const study::Settings center =
        study::Coding(study.factors).toSettings(study::Coding(study.factors).center());
    const RemainingTime remaining(study);
    EXPECT_EQ(remaining.estimate({{center}}, {{center, 0.01, 1.0}}), std::nullopt);
    EXPECT_NEAR(secondsOf(remaining, {{center}}, {{center, 0.5, 10.0}}), 30.0, 1e-6);
    const auto far = settingsAt(study::Coding(study.factors), {1.0, -1.0, -1.0});
    EXPECT_TRUE(remaining.estimate({{far}}, {{center, 0.5, 10.0}})->isUncertain());
    EXPECT_EQ(remaining.estimate({}, {}), run::TimeLeft{});
}

TEST(RemainingTime, ARunThatIsFarEnoughTellsItsOwnRest)
{
    const study::Study study = studyWithThreeFactors();
    const study::Settings center =
        study::Coding(study.factors).toSettings(study::Coding(study.factors).center());
    RemainingTime remaining(study);
    remaining.addMeasuredDuration(center, 100.0);
    EXPECT_NEAR(secondsOf(remaining, {}, {{center, 0.5, 20.0}}), 20.0, 1e-9);
    EXPECT_NEAR(secondsOf(remaining, {}, {{center, 0.1, 20.0}}), 80.0, 0.5);
    EXPECT_GT(secondsOf(remaining, {}, {{center, 0.1, 500.0}}), 0.0);
}

/// Runs of 100 s each; nobody overtakes.
TEST(RemainingTime, RunsThatFitTogetherAreExecutedTogether)
{
    const study::Study study = studyWithThreeFactors();
    const study::Settings center =
        study::Coding(study.factors).toSettings(study::Coding(study.factors).center());
    RemainingTime remaining(study);
    remaining.addMeasuredDuration(center, 100.0);
    const auto seconds = [&](const std::vector<double>& shares, const std::vector<run::RunProgress>& active) {
        std::vector<run::WaitingRun> waiting;
        for (const double share : shares)
            waiting.push_back({center, share});
        return std::round(secondsOf(remaining, waiting, active));
    };
    EXPECT_EQ(seconds({0.5, 0.5, 0.5}, {}), 200.0); // two, then one
    EXPECT_EQ(seconds({1.0 / 3, 1.0 / 3, 1.0 / 3}, {}), 100.0);
    EXPECT_EQ(seconds({0.5, 1.0, 0.5}, {}), 300.0);
    EXPECT_EQ(seconds({0.75, 0.5, 0.25, 0.25}, {}), 200.0);
    // One is half done; the waiting one begins beside it, or after it.
    EXPECT_EQ(seconds({0.5}, {{center, 0.5, 50.0, 0.5}}), 100.0);
    EXPECT_EQ(seconds({0.5}, {{center, 0.5, 50.0, 1.0}}), 150.0);
    EXPECT_EQ(seconds({1.0}, {{center, 0.5, 50.0, 0.25}, {center, 0.9, 90.0, 0.25}}), 150.0);
}

TEST(RemainingTime, OfOneRunIsTheRestOfItsProgress)
{
    EXPECT_DOUBLE_EQ(run::secondsLeft({{}, 0.25, 10.0}).value_or(0.0), 30.0);
    EXPECT_EQ(run::secondsLeft({{}, 0.02, 10.0}), std::nullopt);
}

TEST(RemainingTime, BeginsWithWhatTheStudyHolds)
{
    study::Study study = studyWithThreeFactors();
    study::Run run{.id = 1, .settings = {{"batch", 64.0}, {"bucket", 5.0}, {"compression", 10.0}}};
    run.status = study::RunStatus::Done;
    run.provenance.seconds = 12.5;
    study.runs = {run};
    EXPECT_NEAR(secondsOf(RemainingTime(study), {{run.settings}}, {}), 12.5, 0.05);
    study::setProvenanceFact(study.runs[0].provenance, "seconds", "\"soon\"");
    EXPECT_EQ(RemainingTime(study).estimate({{run.settings}}, {}), std::nullopt);
}

TEST(DurationModel, LevelsOfAFactorInWordsHaveTheirOwnDurations)
{
    study::Study study;
    study.factors = {
        {.name = "precision", .type = study::FactorType::Categorical, .categories = {"fp32", "bf16"}}};
    run::DurationModel model(study.factors);
    for (int i = 0; i < 3; ++i) {
        model.add({{"precision", "fp32"}}, 40.0);
        model.add({{"precision", "bf16"}}, 20.0);
    }
    model.add({{"precision", "bf16"}}, 0.0);
    const std::vector<double> seconds =
        model.forecast({{{"precision", "bf16"}}, {{"precision", "fp32"}}}, {1.0, 1.0}).seconds;
    EXPECT_NEAR(seconds.at(0), 20.0, 0.5);
    EXPECT_NEAR(seconds.at(1), 40.0, 1.0);
}

using namespace quadric::run;
using enum RunPhase;

namespace {
constexpr std::array kAll = {Waiting, Starting, Executing, Stopping, Done, Failed};
}

TEST(RunPhase, OutcomesAreFinal)
{
    for (const RunPhase phase : kAll) {
        EXPECT_FALSE(isAllowedTransition(Done, phase)) << nameOf(phase);
        EXPECT_FALSE(isAllowedTransition(Failed, phase)) << nameOf(phase);
        EXPECT_FALSE(isAllowedTransition(phase, phase)) << nameOf(phase);
    }
}

TEST(RunPhase, NothingIsDoneThatDidNotStart)
{
    EXPECT_FALSE(isAllowedTransition(Waiting, Executing));
    EXPECT_FALSE(isAllowedTransition(Waiting, Done));
    EXPECT_FALSE(isAllowedTransition(Waiting, Failed));
    EXPECT_FALSE(isAllowedTransition(Starting, Done));
}

TEST(RunPhase, OnlyStoppingLeadsBack)
{
    for (const RunPhase phase : kAll)
        EXPECT_EQ(isAllowedTransition(phase, Waiting), phase == Stopping) << nameOf(phase);
}
