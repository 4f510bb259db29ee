// SPDX-License-Identifier: GPL-3.0-or-later
#include "study_fixtures.h"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>

namespace quadric::study {
namespace {

using ::testing::ElementsAre;
using testing::smallStudy;

/// "error WHERE" or "warning WHERE" for each problem of the small study after `change`.
std::vector<std::string> problemsAfter(const std::function<void(Study&)>& change)
{
    Study study = smallStudy();
    change(study);
    std::vector<std::string> found;
    for (const Problem& problem : validate(study)) {
        EXPECT_NE(problem.message, "");
        found.push_back((problem.isError ? "error " : "warning ") + problem.where);
    }
    return found;
}

TEST(ValidateTest, ASoundStudyHasNoProblems)
{
    EXPECT_THAT(problemsAfter([](Study&) {}), ElementsAre());
    EXPECT_EQ(validate(Study{}), std::vector<Problem>{});
}

TEST(ValidateTest, Factors)
{
    EXPECT_THAT(problemsAfter([](Study& s) { s.factors[0].name.clear(); }),
                ::testing::Contains("error factors[0].name"));
    EXPECT_THAT(problemsAfter([](Study& s) { s.factors[0].low = std::nan(""); }),
                ElementsAre("error factors[0].low"));
    EXPECT_THAT(problemsAfter([](Study& s) { s.factors[0].binds = "nodes"; }),
                ElementsAre("warning factors[0].binds"));
    EXPECT_THAT(problemsAfter([](Study& s) { s.factors[0].binds = "ranks"; }),
                ElementsAre("warning factors[0].binds"));
    EXPECT_THAT(problemsAfter([](Study& s) { s.fixed["a"] = 3.0; }), ElementsAre("warning fixed.a"));
}

/// Names that constraints cannot use say what they could be instead.
TEST(ValidateTest, NamesForConstraints)
{
    const auto messageFor = [](const std::string& name) {
        Study study;
        study.factors = {{.name = name}};
        const std::vector<Problem> problems = validate(study);
        return problems.empty() ? std::string() : problems.front().message;
    };
    EXPECT_EQ(messageFor("temperature_2"), "");
    EXPECT_EQ(messageFor("Θ"), "");
    EXPECT_EQ(messageFor(""), "factor 1 has no name");
    EXPECT_EQ(messageFor("1abc"),
              "\"1abc\" cannot be used in formulas and constraints: expected a letter or an "
              "underscore first, such as \"x1abc\"");
    EXPECT_EQ(messageFor("and"),
              "\"and\" cannot be used in formulas and constraints: the word is an operator "
              "there, expected another name");
    EXPECT_EQ(messageFor("batch size"),
              "\"batch size\" cannot be used in formulas and constraints: expected letters, digits and "
              "underscores, such as \"batch_size\"");
}

TEST(ValidateTest, Design)
{
    EXPECT_THAT(problemsAfter([](Study& s) { s.design.alpha = "round"; }), ElementsAre("error design.alpha"));
    EXPECT_THAT(problemsAfter([](Study& s) { s.design.alpha = "-1"; }), ElementsAre("error design.alpha"));
    EXPECT_THAT(problemsAfter([](Study& s) { s.design.alpha = "1.5"; }), ElementsAre());
    EXPECT_THAT(problemsAfter([](Study& s) { s.design.runs = -1; }), ElementsAre("error design.runs"));
    EXPECT_THAT(problemsAfter([](Study& s) { s.design.digits = 13; }), ElementsAre("error design.digits"));
    EXPECT_THAT(problemsAfter([](Study& s) { s.design.resolution = 2; }),
                ElementsAre("error design.resolution"));
    EXPECT_THAT(problemsAfter([](Study& s) {
                    s.design.levels = {{"a", 1}, {"b", 3}};
                }),
                ElementsAre("error design.levels.a", "warning design.levels.b"));
    EXPECT_THAT(
        problemsAfter([](Study& s) { s.design.generators = {"D=AB", "e=-ac", "D=", "AB", "I=AB", "D=AI"}; }),
        ElementsAre("error design.generators", "error design.generators", "error design.generators",
                    "error design.generators"));
}

TEST(ValidateTest, FactorLetters)
{
    EXPECT_EQ(letterOf(0), 'A');
    EXPECT_EQ(letterOf(7), 'H');
    EXPECT_EQ(letterOf(8), 'J');
    EXPECT_EQ(letterOf(14), 'P');
    EXPECT_EQ(letterOf(25), '?');
    EXPECT_EQ(factorOfLetter('j'), 8U);
    EXPECT_FALSE(factorOfLetter('I'));
    EXPECT_FALSE(factorOfLetter('1'));
}

TEST(ValidateTest, LimitsThatCannotBeRun)
{
    const auto problems = problemsAfter([](Study& s) {
        s.factors[0].type = FactorType::Integer;
        s.factors[0].low = 0.5;
        s.factors[0].multipleOf = 5;
    });
    EXPECT_THAT(problems, ElementsAre("warning factors[0].low"));
    EXPECT_THAT(problemsAfter([](Study& s) {
                    s.factors[0].type = FactorType::Integer;
                    s.factors[0].multipleOf = -1;
                }),
                ElementsAre("error factors[0].multiple_of"));
}

TEST(ValidateTest, NamesThatFormulasCannotUse)
{
    for (const char* name : {"batch size", "a*b", "2x", "x-y"}) {
        EXPECT_THAT(problemsAfter([&](Study& s) { s.responses[0].name = name; }),
                    ElementsAre("warning responses[0].name"))
            << name;
    }
}

TEST(ValidateTest, Responses)
{
    EXPECT_THAT(problemsAfter([](Study& s) { s.responses[0].weight = -1.0; }),
                ElementsAre("error responses[0].weight"));
    EXPECT_THAT(problemsAfter([](Study& s) { s.responses[0].shape = {0.0}; }),
                ElementsAre("error responses[0].shape"));
    EXPECT_THAT(problemsAfter([](Study& s) { s.responses[0].shape.clear(); }),
                ElementsAre("error responses[0].shape"));
    EXPECT_THAT(problemsAfter([](Study& s) { s.responses[0].target = HUGE_VAL; }),
                ElementsAre("error responses[0]"));
    EXPECT_THAT(problemsAfter([](Study& s) {
                    s.responses[0].low = 5.0;
                    s.responses[0].high = 5.0;
                }),
                ElementsAre("warning responses[0].low"));
    EXPECT_THAT(problemsAfter([](Study& s) {
                    s.responses[0].goal = Goal::Target;
                    s.responses[0].low = 5.0;
                }),
                ElementsAre("warning responses[0].target"));
    EXPECT_THAT(problemsAfter([](Study& s) { s.responses[0].name = "a"; }),
                ElementsAre("warning responses[0].name"));
    EXPECT_THAT(problemsAfter([](Study& s) { s.model["z"] = "linear"; }), ElementsAre("warning model.z"));
}

TEST(ValidateTest, Constraints)
{
    EXPECT_THAT(problemsAfter([](Study& s) {
                    s.constraints = {"a <", "a < nodes", "a < 100"};
                }),
                ElementsAre("warning constraints[0]", "warning constraints[1]"));
}

TEST(ValidateTest, DesignAndBenchmark)
{
    EXPECT_THAT(problemsAfter([](Study& s) {
                    s.design.centerRuns = -1;
                    s.design.replicates = 0;
                    s.design.blocks = 0;
                    s.benchmark.timeoutSeconds = 0.0;
                }),
                ElementsAre("error design.center_runs", "error design.replicates", "error design.blocks",
                            "error benchmark.timeout_seconds"));
}

TEST(ValidateTest, RunNumbers)
{
    EXPECT_THAT(
        problemsAfter([](Study& s) {
            s.runs[0].id = 0;
            s.runs[2].id = 2;
            s.runs[2].order = 2;
            s.runs[2].block = 0;
        }),
        ElementsAre("error runs[0].id", "error runs[2].id", "warning runs[2].order", "error runs[2].block"));
}

TEST(ValidateTest, SettingsOfRuns)
{
    EXPECT_THAT(problemsAfter([](Study& s) {
                    s.runs[0].settings.clear();
                    s.runs[1].settings["a"] = "five";
                    s.runs[2].settings["extra"] = 1.0;
                }),
                ElementsAre("warning runs[0].settings", "error runs[1].settings.a",
                            "warning runs[2].settings.extra"));
    EXPECT_THAT(problemsAfter([](Study& s) {
                    s.fixed["extra"] = 2.0;
                    s.runs[2].settings["extra"] = 1.0;
                }),
                ElementsAre());
    EXPECT_THAT(
        problemsAfter([](Study& s) {
            s.factors.push_back({.name = "p", .type = FactorType::Categorical, .categories = {"x", "y"}});
            s.runs[0].settings["p"] = "x";
            s.runs[1].settings["p"] = "z";
            s.runs[2].settings["p"] = 1.0;
        }),
        ElementsAre("warning runs[1].settings.p", "error runs[2].settings.p"));
}

TEST(ValidateTest, ResultsOfRuns)
{
    EXPECT_THAT(problemsAfter([](Study& s) {
                    s.runs[0].results["y"] = std::nan("");
                    s.runs[0].spread["y"] = HUGE_VAL;
                    s.runs[1].status = RunStatus::Done;
                }),
                ElementsAre("error runs[0].results.y", "error runs[0].spread.y", "warning runs[1].results"));
}

TEST(StudyTest, RunsAreFoundCountedAndOrdered)
{
    Study study = smallStudy();
    study.runs[1].status = RunStatus::Failed;
    std::vector<int> ids;
    for (const study::Run* run : inRunOrder(study))
        ids.push_back(run->id);
    EXPECT_THAT(ids, ElementsAre(3, 2, 1));
    EXPECT_EQ(countRuns(study, RunStatus::Pending), 2);
    EXPECT_EQ(findRun(study, 2)->status, RunStatus::Failed);
    EXPECT_EQ(findRun(study, 7), nullptr);
    EXPECT_EQ(findFactor(study, "b"), nullptr);
}

TEST(StudyTest, SimulatedResultsAreRemembered)
{
    Study study = smallStudy();
    study.runs[0].provenance.source = Source::Simulated;
    EXPECT_FALSE(hasSimulatedResults(study)); // nothing is done yet
    study.runs[0].status = RunStatus::Done;
    EXPECT_TRUE(hasSimulatedResults(study));
}

TEST(NamesTest, EveryNameReadsBack)
{
    for (const auto type :
         {FactorType::Continuous, FactorType::Integer, FactorType::Discrete, FactorType::Categorical})
        EXPECT_EQ(factorTypeFrom(nameOf(type)), type);
    for (const auto goal : {Goal::None, Goal::Maximize, Goal::Minimize, Goal::Target})
        EXPECT_EQ(goalFrom(nameOf(goal)), goal);
    for (const Transform& transform :
         {Transform{}, Transform{TransformKind::Log}, Transform{TransformKind::Sqrt},
          Transform{TransformKind::Inverse}, Transform{TransformKind::Logit},
          Transform{TransformKind::BoxCox, -0.25}})
        EXPECT_EQ(transformFrom(nameOf(transform)), transform);
    EXPECT_EQ(nameOf(Transform{TransformKind::BoxCox, 0.5}), "boxcox:0.5");
    for (const char* bad :
         {"", "boxcox", "boxcox:", "boxcox:x", "boxcox:1x", "boxcox:nan", "boxcox:inf", "Log"})
        EXPECT_FALSE(transformFrom(bad)) << bad;
    EXPECT_FALSE(goalFrom("Maximize"));
}

} // namespace
} // namespace quadric::study
