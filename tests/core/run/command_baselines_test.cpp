// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/recipe/command_baselines.h"

#include "core/run/runner/baselines.h"
#include "core/study/derived.h"
#include "core/study/run_records.h"

#include <QDateTime>

#include <gtest/gtest.h>

namespace quadric::run {
namespace {

study::Study torchStudy()
{
    study::Study study;
    study.benchmark.workload = "command";
    study.benchmark.argv = {"torchrun", "train.py"};
    study.factors = {{.name = "gpus", .low = 2, .high = 8}, {.name = "batch", .low = 1, .high = 64}};
    study.responses = {{.name = "scaling_efficiency"}, {.name = "tokens_per_sec"}};
    return study;
}

study::Run runOf(double gpus, double speed, double spread)
{
    study::Run run{.id = static_cast<int>(gpus), .settings = {{"gpus", gpus}, {"batch", 4.0}}};
    run.results["tokens_per_sec"] = speed;
    run.spread["tokens_per_sec"] = spread;
    return run;
}

TEST(CommandBaselines, EfficiencyAndSpeedUpAreThoseOfTheTrainer)
{
    study::Study study = torchStudy();
    study.responses.push_back({.name = "speed_up"});
    const study::Run alone = runOf(1, 1000, 30);
    const study::Run run = withScaling(study, runOf(8, 6000, 240), &alone);
    EXPECT_DOUBLE_EQ(run.results.at("scaling_efficiency"), 75.0);
    EXPECT_DOUBLE_EQ(run.results.at("speed_up"), 6.0);
    EXPECT_DOUBLE_EQ(run.spread.at("scaling_efficiency"), 75.0 * 0.05) << "hypot(0.03, 0.04)";
    EXPECT_DOUBLE_EQ(run.spread.at("speed_up"), 6.0 * 0.05);
    EXPECT_DOUBLE_EQ(withScaling(study, alone, nullptr).results.at("scaling_efficiency"), 100.0);
    EXPECT_FALSE(withScaling(study, runOf(8, 6000, 240), nullptr).results.contains("speed_up"));
}

TEST(CommandBaselines, AJobThatNeedsSeveralRanksIsRelatedToThem)
{
    study::Study study = torchStudy();
    study.fixed["baseline_ranks"] = 4.0;
    const study::Run four = runOf(4, 4000, 0);
    EXPECT_DOUBLE_EQ(withScaling(study, runOf(8, 6000, 0), &four).results.at("scaling_efficiency"), 75.0);
    const auto needs = commandBaselines(study, {runOf(2, 1, 0), four});
    ASSERT_EQ(needs.size(), 1U);
    EXPECT_EQ(needs.at(2).settings, (study::Settings{{"gpus", 4.0}, {"batch", 4.0}}));
}

TEST(CommandBaselines, RunsThatDifferInRanksAloneShareOne)
{
    const study::Study study = torchStudy();
    study::Run other = runOf(4, 1, 0);
    other.id = 9;
    other.settings["batch"] = 8.0;
    const auto needs = commandBaselines(study, {runOf(2, 1, 0), runOf(8, 1, 0), other, runOf(1, 1, 0)});
    ASSERT_EQ(needs.size(), 3U) << "one rank is its own baseline";
    EXPECT_EQ(needs.at(2), needs.at(8));
    EXPECT_NE(needs.at(2), needs.at(9));
}

/// On a machine that others always use there would be none otherwise.
TEST(CommandBaselines, ADisturbedOneIsUsedAndNamed)
{
    study::Study study = torchStudy();
    study.runs = {runOf(2, 1, 0)};
    Baselines baselines(commandBaselines(study, study.runs), {}, false, "tokens_per_sec");
    const auto due = baselines.dueBefore(2, study);
    ASSERT_TRUE(due) << "also for a run that shares its need with no other";
    study.runs.push_back(*due);
    study.runs.back().status = study::RunStatus::Done;
    study.runs.back().results["tokens_per_sec"] = 1000;
    study.runs.back().provenance.disturbed = true;
    study.runs.back().provenance.disturbedBecause = "others computed";
    baselines.noteMeasured(study.runs.back());
    const BaselineShare share = baselines.shareOf(study.runs.front(), study);
    EXPECT_EQ(share.run, due->id);
    EXPECT_TRUE(share.arguments.isEmpty());
    study::Provenance provenance;
    share.note(provenance);
    EXPECT_NE(provenance.unknown["baseline_disturbed"].find("others computed"), std::string::npos);
    study.runs.back().results.clear();
    EXPECT_NE(baselines.shareOf(study.runs.front(), study).noneBecause.find("has no tokens_per_sec"),
              std::string::npos);
}

/// A machine on which others have computed may be calm a few minutes later.
TEST(CommandBaselines, ADisturbedOneCountsForFiveMinutes)
{
    study::Study study = torchStudy();
    study.runs = {runOf(2, 1, 0)};
    auto needs = commandBaselines(study, study.runs);
    needs.at(2).conditions = R"({"host": "here"})";
    const auto isMeasuredAgain = [&](int minutesAgo, bool isDisturbed, double seconds = 20.0) {
        study::Run baseline = runOf(1, 1000, 0);
        baseline.id = 7;
        baseline.status = study::RunStatus::Done;
        baseline.kind = study::RunKind::Baseline;
        baseline.settings = needs.at(2).settings;
        study::takeFact(baseline.provenance, "baseline_conditions", needs.at(2).conditions);
        baseline.provenance.attempt = 2; // what is disturbed is measured twice
        baseline.provenance.started =
            QDateTime::currentDateTimeUtc().addSecs(-60 * minutesAgo).toString(Qt::ISODate).toStdString();
        baseline.provenance.disturbed = isDisturbed;
        baseline.provenance.seconds = seconds;
        return Baselines(needs, {baseline}, false, "tokens_per_sec").dueBefore(2, study).has_value();
    };
    EXPECT_FALSE(isMeasuredAgain(3, true));
    EXPECT_TRUE(isMeasuredAgain(6, true));
    EXPECT_FALSE(isMeasuredAgain(6, true, 60.0)) << "again would cost more than a tenth";
    EXPECT_TRUE(isMeasuredAgain(11, true, 60.0));
    EXPECT_FALSE(isMeasuredAgain(6, false));
    EXPECT_TRUE(isMeasuredAgain(61, false));
}

TEST(CommandBaselines, AreAskedForByResponsesAndExpressions)
{
    study::Study study = torchStudy();
    EXPECT_TRUE(relatesCommands(study));
    EXPECT_EQ(speedResponse(study), "tokens_per_sec");
    study.responses.erase(study.responses.begin());
    EXPECT_FALSE(relatesCommands(study));
    study::setDerived(study, "loss_pct", "100 - scaling_efficiency");
    EXPECT_TRUE(relatesCommands(study));
    study.factors[0].name = "lr";
    EXPECT_FALSE(relatesCommands(study)) << "no factor sets the ranks";
    study.factors[1].binds = "ranks";
    EXPECT_EQ(rankFactorOf(study)->name, "batch");
    study.responses[0] = {.name = "speed", .unit = "img/s"};
    EXPECT_EQ(speedResponse(study), "speed");
    study.benchmark.workload = "builtin";
    EXPECT_FALSE(relatesCommands(study)) << "quadric-trainer relates its own";
}

} // namespace
} // namespace quadric::run
