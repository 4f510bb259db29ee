// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/recipe/recipe.h"

#include "core/study/document.h"

#include <gtest/gtest.h>

using namespace quadric;

namespace {

study::Study commandStudy(std::vector<std::string> argv)
{
    study::Study study;
    study::Factor factor;
    factor.name = "gpu_count";
    factor.type = study::FactorType::Integer;
    factor.low = 1;
    factor.high = 64;
    factor.binds = "ranks";
    study.factors = {factor};
    study.fixed = {{"network", std::string("resnet50")}};
    study.benchmark.workload = "command";
    study.benchmark.argv = std::move(argv);
    return study;
}

study::Run runWith(double gpus)
{
    study::Run run;
    run.id = 12;
    run.settings = {{"gpu_count", gpus}};
    return run;
}

std::string problemOf(const study::Study& study)
{
    try {
        run::checkRecipe(study);
        return {};
    } catch (const run::RecipeError& error) {
        return error.what();
    }
}

} // namespace

TEST(Recipe, FillsInEveryPlaceholder)
{
    const study::Settings settings = {{"a", 0.1}, {"b", std::string("bf 16")}, {"n", 1e6}};
    EXPECT_EQ(run::fillTemplate("--x={a},{b};{n}", settings), "--x=0.1,bf 16;1000000");
    EXPECT_EQ(run::fillTemplate("{{a}} {} { a } {print $1} {1} }", settings),
              "{a} {} { a } {print $1} {1} }");
    EXPECT_EQ(run::placeholdersOf("{a}{{b}}{c}{d"), (std::vector<std::string>{"a", "c"}));
    EXPECT_THROW(run::fillTemplate("{c}", settings), run::RecipeError);
}

TEST(Recipe, DoesNotFillInWhatAValueBringsAlong)
{
    const study::Settings settings = {{"a", std::string("{b}")}, {"b", std::string("secret")}};
    EXPECT_EQ(run::fillTemplate("{a}", settings), "{b}");
}

TEST(Recipe, KeepsEveryValueOneArgument)
{
    study::Study study = commandStudy({"/bin/echo", "-n {gpu_count}", "{network}"});
    study.fixed["network"] = std::string("a b; rm -rf 'x' $HOME");
    const run::Launch launch = run::launchFor(study, runWith(8), "/tmp/some.quadric");
    EXPECT_EQ(launch.program, "/bin/echo");
    ASSERT_EQ(launch.arguments.size(), 2);
    EXPECT_EQ(launch.arguments[0], "-n 8");
    EXPECT_EQ(launch.arguments[1], "a b; rm -rf 'x' $HOME");
    EXPECT_EQ(launch.folder, "/tmp");
}

TEST(Recipe, TellsTheWorkerItsSettings)
{
    study::Study study = commandStudy({"true"});
    study.benchmark.options = {{"steps", 5.0}, {"network", std::string("resnet18")}};
    study.benchmark.env = {{"MODE", "fast-{gpu_count}"}};
    const run::Launch launch = run::launchFor(study, runWith(8), "/tmp/some.quadric", "0,1");
    const auto settings =
        study::parseSettings(launch.environment.value("QUADRIC_SETTINGS").toStdString(), "settings");
    EXPECT_EQ(settings,
              (study::Settings{{"gpu_count", 8.0}, {"network", std::string("resnet18")}, {"steps", 5.0}}));
    EXPECT_EQ(launch.environment.value("QUADRIC_RUN_ID"), "12");
    EXPECT_EQ(launch.environment.value("CUDA_VISIBLE_DEVICES"), "0,1");
    EXPECT_EQ(launch.environment.value("MODE"), "fast-8");
}

TEST(Recipe, GivesTheBuiltInWorkloadItsOwnNames)
{
    study::Study study = commandStudy({});
    study.benchmark.workload = "builtin";
    study.benchmark.engine = "cpu";
    EXPECT_EQ(run::workerSettings(study, runWith(8)),
              (study::Settings{
                  {"engine", std::string("cpu")}, {"network", std::string("resnet50")}, {"ranks", 8.0}}));
}

TEST(Recipe, NamesTheFieldThatIsWrong)
{
    EXPECT_EQ(problemOf(commandStudy({"true", "{gpu_count}", "{run_id}"})), "");
    EXPECT_NE(problemOf(commandStudy({"true", "{gpus}"})).find("benchmark.argv[1]: {gpus}"),
              std::string::npos);
    EXPECT_NE(problemOf(commandStudy({})).find("benchmark.argv is empty"), std::string::npos);
    study::Study study = commandStudy({"true"});
    study.benchmark.workload = "cloud";
    EXPECT_NE(problemOf(study).find("\"cloud\""), std::string::npos);
    study.benchmark.workload = "none";
    EXPECT_NE(problemOf(study).find("nothing to execute"), std::string::npos);
    study = commandStudy({"true"});
    study.benchmark.parse = {.kind = study::ParseSpec::Kind::Regex, .patterns = {{"y", "("}}};
    EXPECT_NE(problemOf(study).find("benchmark.parse.regex.y"), std::string::npos);
    study.benchmark.parse = {};
    study.benchmark.unknown["parse"] = "[]";
    EXPECT_NE(problemOf(study).find("benchmark.parse"), std::string::npos);
}
