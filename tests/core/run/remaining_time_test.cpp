// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/follow/run_durations.h"
#include "core/run/words/events.h"

#include <gtest/gtest.h>

#include <array>

using namespace quadric;

namespace {

study::Run doneRun(const study::Settings& settings, double seconds)
{
    study::Run run{.settings = settings};
    run.status = study::RunStatus::Done;
    run.provenance.seconds = seconds;
    return run;
}

study::Study studyWithDurations(const std::vector<double>& durations)
{
    study::Study study;
    for (const double seconds : durations)
        study.runs.push_back(doneRun({}, seconds));
    return study;
}

double secondsLeft(const study::Study& study, const std::vector<double>& waitingShares,
                   const std::vector<run::RunProgress>& active)
{
    return run::estimateTimeLeft(study, waitingShares, active).value_or(run::TimeLeft{}).seconds;
}

} // namespace

/// Quantiles of 10, 20, 30 and 40 s as `numpy.quantile` has them: 11.5, 25 and 38.5 s.
TEST(RemainingTime, IsTheMedianOfWhatIsDoneForEachThatWaits)
{
    const study::Study study = studyWithDurations({40, 10, 30, 20});
    const auto left = run::estimateTimeLeft(study, {1.0, 1.0, 1.0}, {});
    ASSERT_TRUE(left);
    EXPECT_DOUBLE_EQ(left->seconds, 75.0);
    EXPECT_DOUBLE_EQ(left->low, 34.5);
    EXPECT_DOUBLE_EQ(left->high, 115.5);
    EXPECT_TRUE(left->isUncertain());
    EXPECT_EQ(run::estimateTimeLeft(studyWithDurations({12.5}), {1.0}, {}),
              (run::TimeLeft{12.5, 12.5, 12.5}));
}

TEST(RemainingTime, IsNotKnownBeforeARunTellsIt)
{
    EXPECT_EQ(run::estimateTimeLeft({}, {1.0}, {}), std::nullopt);
    EXPECT_EQ(run::estimateTimeLeft(studyWithDurations({0.0}), {1.0}, {}), std::nullopt);
    EXPECT_EQ(run::estimateTimeLeft({}, {1.0}, {{0.01, 1.0}}), std::nullopt);
    EXPECT_EQ(run::estimateTimeLeft({}, {}, {}), run::TimeLeft{});
    study::Study unreadable = studyWithDurations({12.5});
    study::setProvenanceFact(unreadable.runs[0].provenance, "seconds", "\"soon\"");
    EXPECT_EQ(run::estimateTimeLeft(unreadable, {1.0}, {}), std::nullopt);
}

TEST(RemainingTime, TellsAnIntervalThatIsWide)
{
    EXPECT_TRUE((run::TimeLeft{100.0, 90.0, 121.0}).isUncertain());
    EXPECT_TRUE((run::TimeLeft{100.0, 79.0, 110.0}).isUncertain());
    EXPECT_FALSE((run::TimeLeft{100.0, 81.0, 119.0}).isUncertain());
}

TEST(RemainingTime, OfOneRunIsTheRestOfItsProgress)
{
    EXPECT_DOUBLE_EQ(run::secondsLeft({0.25, 10.0}).value_or(0.0), 30.0);
    EXPECT_EQ(run::secondsLeft({0.02, 10.0}), std::nullopt);
    EXPECT_DOUBLE_EQ(secondsLeft({}, {1.0}, {{0.5, 10.0}}), 30.0) << "the first one tells for all";
    const study::Study study = studyWithDurations({100.0});
    EXPECT_DOUBLE_EQ(secondsLeft(study, {}, {{0.5, 20.0}}), 20.0);
    EXPECT_DOUBLE_EQ(secondsLeft(study, {}, {{0.01, 20.0}}), 80.0);
    EXPECT_DOUBLE_EQ(secondsLeft(study, {}, {{0.0, 500.0}}), 5.0) << "something is left";
}

TEST(RemainingTime, RunsThatFitTogetherAreExecutedTogether)
{
    const study::Study study = studyWithDurations({100.0});
    EXPECT_DOUBLE_EQ(secondsLeft(study, {0.5, 0.5, 0.5, 0.5}, {}), 200.0);
    EXPECT_DOUBLE_EQ(secondsLeft(study, {0.25, 0.25}, {}), 100.0) << "no less than one of them";
    EXPECT_DOUBLE_EQ(secondsLeft(study, {1.0}, {{0.5, 50.0, 0.5}}), 125.0);
}

TEST(LearnDurations, FollowAPowerLaw)
{
    study::Study study;
    study.factors = {{.name = "batch", .low = 32, .high = 256, .scale = study::Scale::Log2},
                     {.name = "bucket", .low = 1, .high = 25}};
    const auto at = [](double batch) { return study::Settings{{"batch", batch}, {"bucket", 13.0}}; };
    EXPECT_FALSE(run::learnDurations(study));
    for (const double batch : {32.0, 64.0, 128.0})
        study.runs.push_back(doneRun(at(batch), batch / 8.0));
    EXPECT_NEAR(run::learnDurations(study)(at(256.0)), 32.0, 0.2 * 32.0);
    study.runs.push_back(doneRun(at(256.0), 32.0));
    EXPECT_NEAR(run::learnDurations(study)(at(256.0)), 32.0, 0.05 * 32.0);
}

TEST(LearnDurations, OfALevelInWordsAreItsOwn)
{
    study::Study study;
    study.factors = {
        {.name = "precision", .type = study::FactorType::Categorical, .categories = {"fp32", "bf16"}}};
    for (int i = 0; i < 3; ++i) {
        study.runs.push_back(doneRun({{"precision", "fp32"}}, 40.0));
        study.runs.push_back(doneRun({{"precision", "bf16"}}, 20.0));
    }
    study.runs.push_back(doneRun({{"precision", "bf16"}}, 0.0)); // says nothing
    const auto secondsOf = run::learnDurations(study);
    EXPECT_NEAR(secondsOf({{"precision", "bf16"}}), 20.0, 0.5);
    EXPECT_NEAR(secondsOf({{"precision", "fp32"}}), 40.0, 1.0);
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
