// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/proposal/command_line.h"
#include "core/run/recipe/baseline_needs.h"
#include "core/run/recipe/recipe.h"
#include "core/run/recipe/recipe_problems.h"
#include "core/run/runner/baselines.h"
#include "core/study/derived.h"
#include "core/study/run_records.h"
#include "core/workload/knob_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace quadric::run {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

study::Study scriptStudy()
{
    study::Study study;
    study.factors = {{.name = "lr", .low = 0.001, .high = 0.1, .scale = study::Scale::Log2},
                     {.name = "optimizer",
                      .type = study::FactorType::Categorical,
                      .categories = {"adam", "sgd with momentum"}}};
    study.benchmark.workload = "command";
    study.benchmark.argv = {"python3", "train.py", "--lr", "{lr}", "--optimizer", "{optimizer}"};
    return study;
}

TEST(CommandLine, IsTakenApartAsAShellDoesIt)
{
    EXPECT_THAT(splitCommand("python3  train.py --name 'a b' \"c 'd'\" e\\ f"),
                ElementsAre("python3", "train.py", "--name", "a b", "c 'd'", "e f"));
    EXPECT_THAT(splitCommand(R"(x "a\"b" "C:\dir" '\n' "")"), ElementsAre("x", "a\"b", "C:\\dir", "\\n", ""));
    EXPECT_THAT(splitCommand("a=$HOME *.txt {lr}"), ElementsAre("a=$HOME", "*.txt", "{lr}"));
    EXPECT_THAT(splitCommand("train \\\n --lr 1"), ElementsAre("train", "--lr", "1")) << "a pasted line";
    EXPECT_THAT(splitCommand("   "), IsEmpty());
    EXPECT_THAT(splitCommand("x 'open"), ElementsAre("x", "open"));
}

TEST(CommandLine, IsPutTogetherAgain)
{
    const std::vector<std::string> words = {"sh", "-c", "echo 'hi' \"$A\" \\n", "", "a\tb", "{x}"};
    EXPECT_EQ(splitCommand(joinCommand(words)), words);
    EXPECT_EQ(joinCommand({"python3", "train.py", "a b"}), "python3 train.py 'a b'");
}

TEST(CommandPreview, HasTheValuesOfTheFirstRun)
{
    study::Study study = scriptStudy();
    study.runs = {
        {.id = 1, .order = 2, .settings = {{"lr", 0.02}, {"optimizer", std::string("sgd with momentum")}}},
        {.id = 2, .order = 1, .settings = {{"lr", 0.1}, {"optimizer", std::string("adam")}}}};
    study.benchmark.env = {{"RUN", "{run_id}"}};
    EXPECT_EQ(makeCommandPreview(study), "RUN=1 python3 train.py --lr 0.02 --optimizer 'sgd with momentum'");
}

TEST(CommandPreview, HasTheCenterWhileThereAreNoRuns)
{
    study::Study study = scriptStudy();
    study.benchmark.argv.push_back("{optimiser}");
    EXPECT_EQ(makeCommandPreview(study), "python3 train.py --lr 0.01 --optimizer adam {optimiser}");
    study.benchmark.argv.clear();
    EXPECT_EQ(makeCommandPreview(study), "");
}

TEST(CommandScript, IsExchangedAndTheRestStays)
{
    const study::Study study = scriptStudy();
    const std::vector<std::string>& argv = study.benchmark.argv;
    EXPECT_THAT(withScript(argv, "bench.py", false, study),
                ElementsAre("python3", "bench.py", "--lr", "{lr}", "--optimizer", "{optimizer}"));
    EXPECT_THAT(withScript(argv, "run.sh", false, study),
                ElementsAre("bash", "run.sh", "--lr", "{lr}", "--optimizer", "{optimizer}"));
    EXPECT_THAT(withScript(argv, "run.sh", true, study),
                ElementsAre("./run.sh", "--lr", "{lr}", "--optimizer", "{optimizer}"));
    EXPECT_THAT(withScript({"./run.sh", "{lr}"}, "train.py", false, study),
                ElementsAre("python3", "train.py", "{lr}"));
    EXPECT_THAT(withScript({"python3.11", "-u", "a.py", "{lr}"}, "b.py", true, study),
                ElementsAre("python3.11", "-u", "b.py", "{lr}"));
    EXPECT_THAT(withScript({}, "train.py", false, study),
                ElementsAre("python3", "train.py", "--lr", "{lr}", "--optimizer", "{optimizer}"));
    EXPECT_THAT(withScript({}, "solver", true, study),
                ElementsAre("./solver", "--lr", "{lr}", "--optimizer", "{optimizer}"));
}

/// Dropped on the window, a script with our three lines is started with its ranks and read as the protocol.
TEST(CommandScript, IsStartedByTheWorkerThatItImports)
{
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("command-line-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "train.py") << "import torch\nimport quadric_worker as quadric\n";
    std::ofstream(folder / "other.py") << "print('quadric_worker.py is not for me')\n";
    study::Study study = scriptStudy();
    study.benchmark.argv.clear();
    study.benchmark.parse = {.kind = study::ParseSpec::Kind::LastJson};
    const study::Benchmark made = withScriptFile(study, {}, folder / "train.py", false);
    EXPECT_THAT(made.argv, ElementsAre("python3", "quadric_worker.py", "train.py"));
    EXPECT_EQ(made.parse, study::ParseSpec{});
    EXPECT_EQ(findScript(made.argv), 2U);
    EXPECT_EQ(withScriptFile(study, {}, folder / "other.py", false).parse, study.benchmark.parse);
    study.benchmark.argv = {"python3", "train.py", "--lr", "{lr}"};
    EXPECT_THAT(withScriptFile(study, {}, folder / "train.py", false).argv,
                ElementsAre("python3", "train.py", "--lr", "{lr}"))
        << "what was typed stays";
    std::filesystem::remove_all(folder);
}

TEST(CommandScript, BringsItsFolderUnlessItIsInTheWorkingFolder)
{
    study::Study study = scriptStudy();
    study.benchmark.argv.clear();
    const auto made = [&study](const char* file) {
        return withScriptFile(study, "/home/me/studies/a.quadric", file, false);
    };
    EXPECT_EQ(made("/home/me/train/train.py").cwd, "/home/me/train");
    EXPECT_EQ(made("/home/me/train/train.py").argv[1], "train.py");
    EXPECT_EQ(made("/home/me/studies/tools/train.py").cwd, "");
    EXPECT_EQ(made("/home/me/studies/tools/train.py").argv[1], "tools/train.py");
    study.benchmark.cwd = "/home/me/train";
    EXPECT_EQ(made("/home/me/train/sub/x.py").argv[1], "sub/x.py");
    EXPECT_EQ(made("/home/me/train/sub/x.py").cwd, "/home/me/train");
}

using ::testing::HasSubstr;
using ::testing::Not;

study::Study builtinStudyWith(const std::string& factor, const std::string& response)
{
    study::Study study;
    study.factors = {{.name = "ranks", .low = 1, .high = 8}, {.name = factor, .low = 1, .high = 8}};
    study.responses = {{.name = "images_per_sec"}, {.name = response}};
    return study;
}

/// The runner computes them from what the trainer reports.
TEST(BuiltinWorkload, NeedNotReportWhatIsComputed)
{
    study::Study study = builtinStudyWith("batch_per_rank", "ms_per_image");
    EXPECT_EQ(findBuiltinGaps(study).size(), 1U);
    study::setDerived(study, "ms_per_image", "step_ms / batch_per_rank");
    EXPECT_THAT(findBuiltinGaps(study), IsEmpty());
    EXPECT_THAT(findBuiltinGaps(builtinStudyWith("batch_per_rank", "run_seconds")), IsEmpty());
}

TEST(BuiltinWorkload, NamesWhatItDoesNotHaveAndWhere)
{
    EXPECT_THAT(findBuiltinGaps(builtinStudyWith("batch_per_rank", "step_ms")), IsEmpty());
    EXPECT_EQ(gapsInWords(builtinStudyWith("batch_per_rank", "step_ms")), "");
    const auto gaps = findBuiltinGaps(builtinStudyWith("batch_pre_rank", "speed"));
    ASSERT_EQ(gaps.size(), 2U);
    EXPECT_EQ(gaps[0].where, "factors[1]");
    EXPECT_THAT(gaps[0].why, HasSubstr("no setting \"batch_pre_rank\""));
    EXPECT_EQ(gaps[1].where, "responses[1]");
    EXPECT_THAT(gaps[1].why, HasSubstr("does not report \"speed\""));
    const std::string words = gapsInWords(builtinStudyWith("batch_pre_rank", "step_ms"));
    EXPECT_THAT(words, HasSubstr("factors[1]: the built-in workload"));
    EXPECT_THAT(words, HasSubstr("Its settings are engine, ranks, batch_per_rank, "));
    EXPECT_THAT(words, Not(HasSubstr("It reports")));
}

TEST(BuiltinWorkload, UnderstandsWhatAFactorBindsAndOtherNames)
{
    study::Study study = builtinStudyWith("gpus", "step_ms");
    study.factors[0].name = "batch_per_gpu";
    study.factors[1].binds = "ranks";
    EXPECT_THAT(findBuiltinGaps(study), IsEmpty());
    study.factors[1].binds = "nodes";
    ASSERT_EQ(findBuiltinGaps(study).size(), 1U);
    EXPECT_THAT(findBuiltinGaps(study)[0].why, HasSubstr("no setting \"nodes\""));
}

TEST(BuiltinWorkload, IsNotAskedForWhatTheOthersMeasure)
{
    study::Study study = builtinStudyWith("color", "speed");
    for (const char* workload : {"command", "none"}) {
        study.benchmark.workload = workload;
        EXPECT_THAT(findBuiltinGaps(study), IsEmpty()) << workload;
    }
}

std::string whyNot(const char* response, const study::Settings& fixed)
{
    study::Study study = builtinStudyWith("seed", response);
    study.fixed = fixed;
    const auto gaps = findBuiltinGaps(study);
    return gaps.empty() ? std::string() : gaps.front().why;
}

TEST(BuiltinWorkload, KnowsWhichResponsesNeedASetting)
{
    const std::string simulated = "simulated";
    EXPECT_THAT(whyNot("cost_per_epoch", {}), HasSubstr("expected a setting price_per_rank_hour above 0"));
    EXPECT_THAT(whyNot("cost_per_epoch", {{"price_per_rank_hour", 0.0}}), HasSubstr("only with a price"));
    EXPECT_EQ(whyNot("cost_per_epoch", {{"price_per_rank_hour", 1.5}}), "");
    EXPECT_THAT(whyNot("loss_end", {{"engine", simulated}}), HasSubstr("the engine is \"simulated\""));
    EXPECT_EQ(whyNot("loss_end", {}), "");
    EXPECT_THAT(whyNot("loss_after_50_steps", {{"engine", simulated}}), HasSubstr("is \"simulated\""));
    EXPECT_THAT(whyNot("loss_after_50_steps", {{"loss_training", std::string("off")}}),
                HasSubstr("only with loss_training on, and that is switched off"));
    EXPECT_EQ(whyNot("loss_after_50_steps", {}), "") << "the runner switches it on";
    EXPECT_THAT(whyNot("joules_per_image", {{"engine", std::string("cpu")}}), HasSubstr("only on GPUs"));
    EXPECT_EQ(whyNot("joules_per_image", {}), "") << "there may be GPUs";
    EXPECT_THAT(whyNot("scaling_efficiency", {{"baseline", std::string("off")}}), HasSubstr("switched off"));
    study::Study varied = builtinStudyWith("price_per_rank_hour", "cost_per_epoch");
    EXPECT_THAT(findBuiltinGaps(varied), IsEmpty());
}

/// Fifty steps before the measurement are for those who want to know their loss.
TEST(BuiltinWorkload, TrainsForTheLossWhereTheStudyAsksForIt)
{
    study::Study study = builtinStudyWith("seed", "loss_after_50_steps");
    EXPECT_EQ(study::toText(workerSettings(study, {}).at("loss_training")), "on");
    study.fixed["loss_training"] = std::string("off");
    EXPECT_EQ(study::toText(workerSettings(study, {}).at("loss_training")), "off") << "as the study says";
    EXPECT_FALSE(workerSettings(builtinStudyWith("seed", "loss_end"), {}).contains("loss_training"));
}

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
    study.runs = {runOf(2, 1, 0), four};
    const auto needs = findBaselineNeeds(study);
    ASSERT_EQ(needs.size(), 1U);
    EXPECT_EQ(needs.at(2), (study::Settings{{"gpus", 4.0}, {"batch", 4.0}}));
}

TEST(CommandBaselines, RunsThatDifferInRanksAloneShareOne)
{
    study::Study study = torchStudy();
    study::Run other = runOf(4, 1, 0);
    other.id = 9;
    other.settings["batch"] = 8.0;
    study.runs = {runOf(2, 1, 0), runOf(8, 1, 0), other, runOf(1, 1, 0)};
    const auto needs = findBaselineNeeds(study);
    ASSERT_EQ(needs.size(), 3U) << "one rank is its own baseline";
    EXPECT_EQ(needs.at(2), needs.at(8));
    EXPECT_NE(needs.at(2), needs.at(9));
}

TEST(CommandBaselines, OneThatWasMeasuredServesEvenDisturbed)
{
    study::Study study = torchStudy();
    study.runs = {runOf(2, 1, 0)};
    const Baselines baselines(study, R"({"host": "here"})", false);
    const auto due = baselines.findDueBaseline(2, study);
    ASSERT_TRUE(due) << "also for a run that shares its need with no other";
    study.runs.push_back(*due);
    study::Run& measured = study.runs.back();
    measured.status = study::RunStatus::Done;
    measured.results["tokens_per_sec"] = 1000;
    measured.provenance.disturbed = true;
    measured.provenance.attempt = 1;
    baselines.makeBaselineShare(measured, study).note(measured.provenance);
    EXPECT_FALSE(baselines.findDueBaseline(2, study));
    const BaselineShare share = baselines.makeBaselineShare(study.runs.front(), study);
    EXPECT_EQ(share.run, due->id);
    EXPECT_TRUE(share.arguments.isEmpty());
    EXPECT_TRUE(Baselines(study, R"({"host": "elsewhere"})", false).findDueBaseline(2, study));
    measured.results.clear();
    EXPECT_THAT(baselines.makeBaselineShare(study.runs.front(), study).noneBecause,
                HasSubstr("has no tokens_per_sec"));
}

/// Of a run of two ranks of the built-in workload with these settings; empty: it needs none.
study::Settings trainerBaseline(study::Settings settings)
{
    study::Study study;
    study.benchmark.workload = "builtin";
    study.responses = {{.name = "scaling_efficiency"}};
    study.runs = {{.id = 1}};
    settings.try_emplace("ranks", 2.0);
    study.fixed = std::move(settings);
    const auto needs = findBaselineNeeds(study);
    return needs.empty() ? study::Settings() : needs.at(1);
}

study::Value anotherValue(const workload::Knob& knob)
{
    if (workload::isNumber(knob))
        return knob.values.highest; // no default
    const auto choices = workload::choicesOf(knob);
    return std::string(choices[choices.front() == knob.usual ? 1 : 0]);
}

TEST(TrainerBaselines, DependOnWhatOneRankExecutes)
{
    const study::Settings plain = trainerBaseline({});
    EXPECT_EQ(plain, (study::Settings{{"ranks", 1.0}, {"batch_per_rank", 16.0}}));
    for (const workload::Knob& knob : workload::kKnobs) {
        const std::string name(knob.name);
        if (name == "ranks" || name == "scaling" || name == "baseline" || name == "baseline_rate")
            continue;
        EXPECT_EQ(trainerBaseline({{name, anotherValue(knob)}}) != plain,
                  knob.oneRank == workload::OneRank::Executes)
            << name;
    }
}

TEST(TrainerBaselines, AreNotNeededWhereNoneIsMeasured)
{
    EXPECT_TRUE(trainerBaseline({{"ranks", 1.0}}).empty());
    EXPECT_TRUE(trainerBaseline({{"ranks", std::string("many")}}).empty());
    EXPECT_TRUE(trainerBaseline({{"baseline", std::string("off")}}).empty());
    EXPECT_TRUE(trainerBaseline({{"baseline_rate", 100.0}}).empty());
    EXPECT_TRUE(trainerBaseline({{"scaling", std::string("strong")}, {"global_batch", 1.0}}).empty());
}

/// Strong scaling keeps the work of all ranks as it was rounded.
TEST(TrainerBaselines, OfStrongScalingDoTheWorkOfAllRanks)
{
    const auto strong = [](double ranks, double global) {
        return trainerBaseline(
            {{"scaling", std::string("strong")}, {"ranks", ranks}, {"global_batch", global}});
    };
    EXPECT_EQ(strong(2, 64),
              trainerBaseline({{"ranks", 8.0}, {"batch_per_rank", 32.0}, {"aggregation", 2.0}}))
        << "the same work alone";
    EXPECT_NE(strong(2, 64), strong(4, 64)) << "the same work in other micro-batches";
    EXPECT_NE(strong(2, 64), strong(2, 128));
    EXPECT_NE(strong(3, 64), strong(2, 64)) << "three ranks compute 63 images";
    EXPECT_EQ(strong(3, 64), strong(3, 65));
}

TEST(CommandBaselines, AreAskedForByResponsesAndExpressions)
{
    study::Study study = torchStudy();
    EXPECT_TRUE(computesScaling(study));
    EXPECT_EQ(speedResponse(study), "tokens_per_sec");
    study.responses.erase(study.responses.begin());
    EXPECT_FALSE(computesScaling(study));
    study::setDerived(study, "loss_pct", "100 - scaling_efficiency");
    EXPECT_TRUE(computesScaling(study));
    study.factors[0].name = "lr";
    EXPECT_FALSE(computesScaling(study)) << "no factor sets the ranks";
    study.factors[1].binds = "ranks";
    EXPECT_EQ(rankFactorOf(study)->name, "batch");
    study.responses[0] = {.name = "speed", .unit = "img/s"};
    EXPECT_EQ(speedResponse(study), "speed");
    study.benchmark.workload = "builtin";
    EXPECT_FALSE(computesScaling(study)) << "quadric-trainer relates its own";
}

} // namespace
} // namespace quadric::run
