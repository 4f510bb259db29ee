// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/proposal/command_line.h"

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

} // namespace
} // namespace quadric::run
