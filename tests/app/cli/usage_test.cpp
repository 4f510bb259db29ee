// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_fixture.h"
#include "tests/support/test_paths.h"

#include <cstdlib>
#include <fstream>

using quadric::builtPath;
using quadric::test::CommandResult;

namespace {

const std::vector<std::string> kCommands = {"new",  "design",  "evaluate", "run",      "status",
                                            "info", "analyze", "predict",  "optimize", "report"};

class Usage : public quadric::test::CommandTest {
protected:
};

} // namespace

TEST_F(Usage, HelpAndVersionAreNoErrors)
{
    EXPECT_EQ(quadric({"--version"}).status, 0);
    EXPECT_EQ(quadric({"--version"}).out.substr(0, 8), "quadric ");
    const CommandResult help = quadric({"--help"});
    EXPECT_EQ(help.status, 0);
    for (const std::string& command : kCommands) {
        EXPECT_NE(help.out.find("  " + command + " "), std::string::npos) << command;
        const CommandResult own = quadric({command, "--help"});
        EXPECT_EQ(own.status, 0) << command;
        EXPECT_FALSE(own.out.empty()) << command;
    }
}

TEST_F(Usage, AWordThatIsNothingOpensNoWindow)
{
    expectWrong({"frobnicate"}, {"frobnicate", "neither a command nor a file"});
}

TEST_F(Usage, TheWindowKnowsNoOptionsAndOneStudy)
{
    ::setenv("QT_QPA_PLATFORM", "offscreen", 1);
    const std::string study = example("resnet50-scaling.quadric");
    expectWrong({"--frobnicate"}, {"no option --frobnicate"});
    expectWrong({"--json", "info", study}, {"no option --json"});
    expectWrong({study, study}, {"one file"});
}

TEST_F(Usage, NothingIsLeftAsideWithoutAWord)
{
    const std::string study = example("resnet50-scaling.quadric");
    expectWrong(
        {"predict", study, "--at", "gpu_count=8,gpu_count=16,batch_per_gpu=64,gradient_compression=0"},
        {"--at gpu_count", "twice"});
    expectWrong({"run", study, "--devices", "0,gpu1"}, {"--devices", "gpu1", "GPU-"});
    expectWrong({"new", "a.quadric", "--factor", "x:0:1", "--response", "y:maximize", "--center", "3"},
                {"--type", "none given", "box-behnken"});
}

TEST_F(Usage, NamesFileFieldValueAndExpectation)
{
    const std::string study = example("resnet50-scaling.quadric");
    expectWrong({"info", "absent.quadric"}, {"absent.quadric"});
    expectWrong({"info"}, {"study"});
    expectWrong({"analyze", study, "--response", "speed"}, {"--response", "speed", "images_per_sec"});
    expectWrong({"analyze", study, "--transform", "cube"}, {"--transform", "cube", "boxcox"});
    expectWrong({"analyze", study, "--model", "gpu_count + nonsense"},
                {"model of images_per_sec", "nonsense"});
    expectWrong({"analyze", study, "--confidence", "1.5"}, {"--confidence", "1.5"});
    expectWrong({"predict", study, "--at", "gpu_count=8"}, {"--at", "batch_per_gpu"});
    expectWrong({"predict", study, "--at", "gpu_count=many"}, {"--at gpu_count", "many"});
    expectWrong({"predict", study, "--at", "gpus=8"}, {"--at", "gpus", "gpu_count"});
    expectWrong({"optimize", study, "--weight", "images_per_sec=-1"}, {"--weight images_per_sec", "-1"});
    expectWrong({"optimize", study, "--goal", "images_per_sec=target"}, {"--goal", "target:VALUE"});
    expectWrong({"optimize", study, "--limits", "images_per_sec=9:3"}, {"--limits", "9:3"});
    expectWrong({"optimize", study, "--region", "ball:1"}, {"--region", "ball:1", "sphere:R"});
    expectWrong({"optimize", study, "--fix", "gpu_count=x"}, {"--fix gpu_count", "x"});
    expectWrong({"report", study, "-o", "report.txt"}, {"report.txt", ".pdf"});
    expectWrong({"design", study, "--type", "square"}, {"--type", "square", "box-behnken"});
    expectWrong({"design", study, "--type", "box-behnken", "--center", "many"},
                {"--center: many", "a whole number from 0 to 10000"});
    expectWrong({"design", study, "--type", "box-behnken", "--seed", "-1"}, {"--seed: -1", "from 0 to"});
    expectWrong({"analyze", study, "--kfold", "1"}, {"--kfold: 1", "a whole number from 2 to"});
    expectWrong({"predict", study, "--runs", "1.5"}, {"--runs: 1.5", "a whole number from 1 to"});
    expectWrong({"optimize", study, "--solutions", "0"}, {"--solutions: 0", "from 1 to 1000"});
    expectWrong({"run", study, "--parallel", "0"}, {"--parallel: 0", "from 1 to"});
    expectWrong({"run", study, "--only", "1,x"}, {"--only", "x"});
}

TEST_F(Usage, OnlyAnalyzeTakesAModelThatIsChosenByHand)
{
    const std::string study = example("resnet50-scaling.quadric");
    const std::string at = "gpu_count=8,batch_per_gpu=64,gradient_compression=0";
    for (const std::string option : {"--model", "--transform", "--scale"}) {
        expectWrong({"predict", study, "--at", at, option, "log"}, {"no option " + option});
        expectWrong({"optimize", study, option, "log"}, {"no option " + option});
        expectWrong({"plan", "cost", study, option, "log"}, {"no option " + option});
        expectWrong({"export", study, "-o", "a.R", option, "log"}, {"no option " + option});
    }
}

TEST_F(Usage, AMisspelledWordIsAnsweredWithTheOneThatIsMeant)
{
    ::setenv("QT_QPA_PLATFORM", "offscreen", 1);
    const std::string study = example("resnet50-scaling.quadric");
    expectWrong({"anlyze", study}, {"\"anlyze\"", "Did you mean analyze?"});
    expectWrong({"help"}, {"Did you mean --help?"});
    expectWrong({"--hepl"}, {"no option --hepl", "Did you mean --help?"});
    expectWrong({"analyze", study, "--respnse", "images_per_sec"},
                {"no option --respnse", "Did you mean --response?", "quadric analyze --help"});
    expectWrong({"run", study, "--lancher=slurm"}, {"no option --lancher", "Did you mean --launcher?"});
    expectWrong({"run", study, "--launcher", "slrum"}, {"--launcher", "\"slrum\"", "Did you mean slurm?"});
    expectWrong({"analyze", study, "--response", "image_per_sec"}, {"Did you mean images_per_sec?"});
    expectWrong({"analyze", study, "--model", "gpu_cuont"},
                {"model of images_per_sec", "Did you mean gpu_count?"});
    expectWrong({"predict", study, "--at", "gpucount=8"}, {"--at", "Did you mean gpu_count?"});
    expectWrong({"optimize", study, "--goal", "images_per_sec=maximise"}, {"Did you mean maximize?"});
    expectWrong({"optimize", study, "--region", "spere:1"}, {"Did you mean sphere:R?"});
    expectWrong({"control", study, "paus"}, {"Did you mean pause?"});
    expectWrong({"design", study, "--type", "boxbehnken"}, {"--type", "Did you mean box-behnken?"});
    expectWrong({"plot", study, "--kind", "surfce", "-o", "a.svg"}, {"surfce", "Did you mean surface?"});
    expectWrong({"report", study, "-o", "a.pdf", "--sections", "sumary"}, {"Did you mean summary?"});
    expectWrong({"new", "a.quadric", "--template", "cpu-rank"}, {"Did you mean cpu-ranks?"});
    expectWrong({"info", "resnet50-scalling.quadric"}, {"Did you mean resnet50-scaling.quadric?"});
    expectWrong({"info", study, study}, {"one argument too many", "quadric info --help"});
    expectWrong({"info"}, {"STUDY is missing", "quadric info --help"});
    expectWrong({"predict", study}, {"--at is missing", "name=value"});
}

TEST_F(Usage, BadFilesGetAMessageAndStayAsTheyAre)
{
    std::ofstream(file("torn.quadric")) << R"({"quadric": 1, "name": )";
    std::ofstream(file("new.quadric")) << R"({"quadric": 99, "name": "x"})";
    expectWrong({"info", "torn.quadric"}, {"torn.quadric"});
    expectWrong({"design", "torn.quadric", "--type", "box-behnken"}, {"torn.quadric"});
    expectWrong({"analyze", "new.quadric"}, {"new.quadric", "99"});
    std::string text;
    std::getline(std::ifstream(file("torn.quadric")), text);
    EXPECT_EQ(text, R"({"quadric": 1, "name": )");
}

TEST_F(Usage, ASessionWithoutARuntimeFolderGetsNoRemark)
{
    const std::string study = example("resnet50-scaling.quadric");
    ::unsetenv("XDG_RUNTIME_DIR");
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"status", study},
          {"plot", study, "--kind", "pareto", "--response", "images_per_sec", "-o", "pareto.svg"},
          {"report", study, "-o", "report.html", "--sections", "design"}}) {
        const CommandResult result = quadric(arguments);
        EXPECT_EQ(result.status, 0) << arguments.front();
        EXPECT_EQ(result.err, "") << arguments.front();
    }
}

TEST_F(Usage, EveryProgramSaysItsVersionAndHelps)
{
    const std::string version = quadric({"--version"}).out.substr(8);
    const std::filesystem::path folder = std::filesystem::path(builtPath("bin/quadric")).parent_path();
    for (const std::string name : {"quadric-trainer", "quadric-guard", "quadric-watch"}) {
        EXPECT_EQ(program(folder / name, {"--version"}).out, name + " " + version);
        const CommandResult help = program(folder / name, {"--help"});
        EXPECT_EQ(help.status, 0) << name;
        EXPECT_NE(help.out.find("Usage: " + name), std::string::npos) << help.out;
        EXPECT_EQ(help.err, "") << name;
    }
    EXPECT_EQ(program(folder / "quadric-watch", {}).status, 2);
    EXPECT_EQ(program(folder / "quadric-guard", {}).status, 126);
}
