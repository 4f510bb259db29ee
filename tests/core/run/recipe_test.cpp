// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/recipe/approval.h"
#include "core/run/recipe/output_parse.h"
#include "core/run/recipe/recipe.h"
#include "core/run/recipe/recipe_problems.h"
#include "core/study/document/document.h"
#include "core/study/files/file.h"
#include "temporary_home.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>

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

run::ApprovedStudy approvedStudy(const study::Study& study)
{
    static const test::TemporaryHome home;
    run::ApprovalRequest(study, "/tmp/some.quadric").approve();
    return run::requireApproval(study, "/tmp/some.quadric");
}

std::string problemOfRun(const study::Study& study, const study::Run& run)
{
    try {
        run::checkRunSettings(study, run);
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

TEST(Recipe, AFlagIsThereOrNot)
{
    study::Study study =
        commandStudy({"/bin/echo", "{compile?--compile}", "{fused?--fused:--no-fused}", "-{gpu_count?}"});
    study.fixed["compile"] = std::string("no");
    study.fixed["fused"] = std::string("Off");
    EXPECT_EQ(run::fillCommand(study, runWith(8)),
              (std::vector<std::string>{"/bin/echo", "--no-fused", "-"}));
    study.fixed["compile"] = std::string("max-autotune");
    study.fixed["fused"] = 1.0;
    EXPECT_EQ(run::fillCommand(study, runWith(8)),
              (std::vector<std::string>{"/bin/echo", "--compile", "--fused", "-"}));
    EXPECT_EQ(run::placeholdersOf("{compile?--compile}{a?{b}}"), (std::vector<std::string>{"compile", "b"}));
    EXPECT_EQ(run::withPlaceholdersRenamed("{compile?--compile}", {{"compile", "jit"}}), "{jit?--compile}");
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
    const run::Launch launch = run::launchFor(approvedStudy(study), runWith(8));
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
    const run::Launch launch = run::launchFor(approvedStudy(study), runWith(8), "0,1");
    const auto settings =
        study::parseSettings(launch.environment.value("QUADRIC_SETTINGS").toStdString(), "settings");
    EXPECT_EQ(settings,
              (study::Settings{{"gpu_count", 8.0}, {"network", std::string("resnet18")}, {"steps", 5.0}}));
    EXPECT_EQ(launch.environment.value("QUADRIC_RUN_ID"), "12");
    EXPECT_EQ(launch.environment.value("CUDA_VISIBLE_DEVICES"), "0,1");
    EXPECT_EQ(launch.environment.value("MODE"), "fast-8");
}

TEST(Recipe, TakesOnlyValuesOfFactorsFromARun)
{
    study::Study study = commandStudy({"{program}", "{gpu_count}", "{network}"});
    study.fixed["program"] = std::string("/bin/echo");
    study.benchmark.options = {{"steps", 5.0}};
    study::Run run = runWith(8);
    run.settings["program"] = std::string("./evil.sh");
    run.settings["network"] = std::string("other");
    run.settings["steps"] = 6.0;
    EXPECT_EQ(run::workerSettings(study, run), (study::Settings{{"gpu_count", 8.0},
                                                                {"network", std::string("resnet50")},
                                                                {"program", std::string("/bin/echo")},
                                                                {"steps", 5.0}}));
    EXPECT_NE(problemOfRun(study, run).find("run 12: setting \"network\" is not a factor"),
              std::string::npos);
    EXPECT_THROW(run::launchFor(approvedStudy(study), run), run::RecipeError);
}

TEST(Recipe, RefusesARunThatIsNoneOfItsOwnCommand)
{
    study::Study study = commandStudy({"{algorithm}", "{gpu_count}"});
    study.factors.push_back({.name = "algorithm",
                             .type = study::FactorType::Categorical,
                             .categories = {"/bin/echo", "/bin/true"}});
    study::Run run = runWith(8);
    run.settings["algorithm"] = std::string("/bin/true");
    EXPECT_EQ(problemOfRun(study, run), "");
    run.settings["algorithm"] = std::string("./evil.sh");
    EXPECT_NE(problemOfRun(study, run).find("\"./evil.sh\" is not one of its levels"), std::string::npos);
    run.settings["algorithm"] = std::string("/bin/true");
    run.settings["gpu_count"] = std::string("8; ./evil.sh");
    EXPECT_NE(problemOfRun(study, run).find("expected a number"), std::string::npos);
    run.kind = study::RunKind::Baseline; // its settings are its own for the built-in workload alone
    EXPECT_NE(problemOfRun(study, run).find("expected a number"), std::string::npos);
    EXPECT_THROW(run::launchFor(approvedStudy(study), run), run::RecipeError);
}

TEST(Recipe, FindsTheWorkingFolderOfTheFileBehindALink)
{
    const test::TemporaryHome home;
    std::filesystem::create_directories(home.path() / "a");
    std::filesystem::create_directories(home.path() / "b");
    std::ofstream(home.path() / "a/s.quadric") << "{}";
    std::filesystem::create_symlink(home.path() / "a/s.quadric", home.path() / "b/s.quadric");
    study::Study study = commandStudy({"./run.sh"});
    EXPECT_EQ(run::workingFolder(study, study::resolved(home.path() / "b/s.quadric")), home.path() / "a");
    EXPECT_EQ(run::workingFolder(study, home.path() / "a/./s.quadric"), home.path() / "a");
    study.benchmark.cwd = ".";
    EXPECT_EQ(run::workingFolder(study, home.path() / "a/s.quadric"), home.path() / "a");
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
    EXPECT_NE(problemOf(commandStudy({})).find("benchmark.argv: there is no command"), std::string::npos);
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

namespace quadric::run {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

study::Study commandStudyOf(std::vector<std::string> argv)
{
    study::Study study;
    study.factors = {{.name = "lr"}, {.name = "optimizer", .type = study::FactorType::Categorical}};
    study.responses = {{.name = "speed"}};
    study.benchmark.workload = "command";
    study.benchmark.argv = std::move(argv);
    return study;
}

std::vector<std::string> texts(const std::vector<RecipeProblem>& problems)
{
    std::vector<std::string> lines;
    for (const RecipeProblem& problem : problems)
        lines.push_back((problem.isError ? "" : "warning: ") + problem.where + ": " + problem.message);
    return lines;
}

TEST(RecipeProblems, NameThePlaceholderThatWasMeant)
{
    const auto lines = texts(findRecipeProblems(commandStudyOf({"train", "{lr}", "{optimiser}"})));
    EXPECT_THAT(lines,
                ElementsAre("benchmark.argv[2]: {optimiser} is not a factor. Did you mean {optimizer}?",
                            "warning: benchmark.argv: the command does not mention optimizer"));
    study::Study study = commandStudyOf({"train", "{lr}{optimizer}", "{{other}}"});
    EXPECT_THAT(texts(findRecipeProblems(study)), IsEmpty());
    study.benchmark.env = {{"A", "{run}"}};
    EXPECT_THAT(texts(findRecipeProblems(study)),
                ElementsAre(HasSubstr("benchmark.env.A: {run} is not a factor")));
}

TEST(RecipeProblems, SayThatThereIsNoCommandAndNoShell)
{
    EXPECT_THAT(texts(findRecipeProblems(commandStudyOf({}))).front(), HasSubstr("there is no command"));
    const auto lines = texts(findRecipeProblems(commandStudyOf({"a", "{lr}{optimizer}", "|", "tee"})));
    EXPECT_THAT(lines, ElementsAre(HasSubstr("warning: benchmark.argv[2]: no shell reads the command")));
}

TEST(RecipeProblems, JudgeThePatternsOfAllResponses)
{
    study::Study study = commandStudyOf({"a", "{lr}{optimizer}"});
    study.benchmark.parse.kind = study::ParseSpec::Kind::Regex;
    EXPECT_THAT(texts(findRecipeProblems(study)),
                ElementsAre(HasSubstr("benchmark.parse.regex.speed: there is no pattern")));
    study.benchmark.parse.patterns["speed"] = "speed: ([0-9.]+";
    EXPECT_THAT(texts(findRecipeProblems(study)), ElementsAre(HasSubstr("is not a regular expression")));
    EXPECT_THROW(checkRecipe(study), RecipeError);
    study.benchmark.parse.patterns["speed"] = "speed: {number}";
    EXPECT_NO_THROW(checkRecipe(study));
}

TEST(RecipeProblems, JudgeWhichFilesTheCommandWrites)
{
    study::Study study = commandStudyOf({"a", "{lr}{optimizer}", "out.pt"});
    study.benchmark.writes = {"out.pt", "{nothing}.pt"};
    EXPECT_THAT(texts(findRecipeProblems(study)),
                ElementsAre(HasSubstr("benchmark.writes: {nothing} is not a factor")));
}

TEST(RecipeProblems, RefuseAResultFileThatRunsAtOnceShare)
{
    study::Study study = commandStudyOf({"a", "{lr}{optimizer}"});
    study.benchmark.parse = {.kind = study::ParseSpec::Kind::File, .file = "out/result.json"};
    for (int id = 1; id <= 3; ++id) // two at the same setting
        study.runs.push_back(
            {.id = id, .settings = {{"lr", id < 3 ? 0.1 : 0.2}, {"optimizer", std::string("adam")}}});
    EXPECT_THAT(texts(findRecipeProblems(study)), IsEmpty()) << "one after the other";
    EXPECT_THAT(
        texts(findRecipeProblems(study, 2)),
        ElementsAre("benchmark.parse.file: out/result.json is the same file for runs 1 and 2, and up to 2 "
                    "runs are executed at once; write out/result_{run_id}.json, or execute one run at a "
                    "time"));
    study.benchmark.parallel = 4;
    EXPECT_THROW(checkRecipe(study), RecipeError);
    EXPECT_NO_THROW(checkRecipe(study, 1));
    study.benchmark.parse.file = "{lr}.json";
    EXPECT_THROW(checkRecipe(study), RecipeError);
    study.runs[1].status = study::RunStatus::Excluded;
    EXPECT_NO_THROW(checkRecipe(study)) << "no two runs that can be executed share it";
    study.benchmark.parse.file = "result.json";
    study.benchmark.parallel = 1;
    study.benchmark.launcher = study::LauncherKind::Slurm;
    EXPECT_THROW(checkRecipe(study), RecipeError) << "four jobs at a time";
    study.benchmark.parse.file = "{run_id}.json";
    EXPECT_NO_THROW(checkRecipe(study));
}

class PlaceProblems : public ::testing::Test {
protected:
    void SetUp() override
    {
        std::string pattern = (std::filesystem::temp_directory_path() / "quadric-XXXXXX").string();
        m_folder = ::mkdtemp(pattern.data());
        std::ofstream(m_folder / "train.py") << "print(1)";
    }
    void TearDown() override { std::filesystem::remove_all(m_folder); }

    std::vector<std::string> find(const std::vector<std::string>& argv, const std::string& cwd = {}) const
    {
        study::Study study = commandStudyOf(argv);
        study.benchmark.cwd = cwd;
        return texts(findPlaceProblems(study, m_folder / "a.quadric"));
    }

    std::filesystem::path m_folder;
};

TEST(RecipeProblems, AskForNoPatternOfWhatTheRunnerComputes)
{
    study::Study study;
    study.benchmark.workload = "command";
    study.benchmark.argv = {"/bin/echo", "{gpus}"};
    study.factors = {{.name = "gpus", .low = 1, .high = 8}};
    study.responses = {{.name = "tokens_per_sec"}, {.name = "energy_joules"}, {.name = "scaling_efficiency"}};
    study.benchmark.parse = {.kind = study::ParseSpec::Kind::Regex,
                             .patterns = {{"tokens_per_sec", "{number}"}, {"energy_joules", ""}}};
    EXPECT_TRUE(findRecipeProblems(study).empty());
    const study::Run run{.id = 1, .settings = {{"gpus", 2.0}}};
    EXPECT_EQ(forRun(study.benchmark.parse, study, run).patterns.size(), 1U);
    study.benchmark.parse.patterns["tokens_per_sec"] = "";
    EXPECT_EQ(findRecipeProblems(study).size(), 1U);
}

TEST_F(PlaceProblems, AreThoseOfTheProgram)
{
    EXPECT_THAT(find({"sh", "-c", "true"}), IsEmpty());
    EXPECT_THAT(find({"sh", "-m", "nothing"}), IsEmpty());
    EXPECT_THAT(find({"no_such_program_xyzzy"}), ElementsAre(HasSubstr("is not a program on the PATH")));
    EXPECT_THAT(find({"./train.py"}), ElementsAre(HasSubstr("is not executable; run chmod +x")));
    EXPECT_THAT(find({"./trian.py"}), ElementsAre(HasSubstr("Did you mean train.py?")));
    EXPECT_THAT(find({"{program}"}), IsEmpty());
}

TEST_F(PlaceProblems, AreThoseOfScriptAndFolder)
{
    EXPECT_THAT(find({"sh", "train.py", "--lr", "{lr}"}), IsEmpty());
    EXPECT_THAT(find({"sh", "-u", "trian.py"}),
                ElementsAre(HasSubstr("benchmark.argv[2]: \"trian.py\" is not in ")));
    EXPECT_THAT(find({"sh", "-u", "trian.py"}), ElementsAre(HasSubstr("Did you mean train.py?")));
    EXPECT_THAT(find({"env", "sh", "other.py"}), ElementsAre(HasSubstr("warning: ")))
        << "it may be elsewhere";
    EXPECT_THAT(find({"sh", "train.py"}, "nowhere"), ElementsAre(HasSubstr("benchmark.cwd: the folder")));
}

/// The newcomer who writes the three lines before `quadric workload init` is told where the file comes from.
TEST_F(PlaceProblems, SayWhereAFileThatQuadricBringsComesFrom)
{
    const std::string init = "; quadric workload init " + m_folder.string() + " copies it there";
    EXPECT_THAT(find({"python3", "quadric_worker.py", "train.py"}),
                ElementsAre(AllOf(HasSubstr("benchmark.argv[1]: \"quadric_worker.py\" is not in "),
                                  HasSubstr(init))));
    EXPECT_THAT(find({"python3", "quadric_torch.py"}), ElementsAre(HasSubstr(init)));
    std::ofstream(m_folder / "quadric_worker.py") << "import os";
    EXPECT_THAT(find({"python3", "quadric_worker.py", "train.py"}), IsEmpty());
}

TEST_F(PlaceProblems, AreOnlyWarningsForACluster)
{
    study::Study study = commandStudyOf({"no_such_program_xyzzy"});
    study.benchmark.launcher = study::LauncherKind::Slurm;
    EXPECT_THAT(texts(findPlaceProblems(study, m_folder / "a.quadric")), ElementsAre(HasSubstr("warning: ")));
}

} // namespace
} // namespace quadric::run
