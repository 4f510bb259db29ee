// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/recipe/output_parse.h"
#include "core/run/recipe/recipe.h"
#include "core/run/recipe/recipe_problems.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

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
