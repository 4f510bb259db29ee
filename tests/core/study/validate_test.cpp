// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/document/document.h"
#include "core/study/document/json.h"
#include "core/study/new_records.h"
#include "core/study/run_records.h"
#include "core/study/study.h"
#include "study_fixtures.h"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>

namespace quadric::study {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::messageOf;
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

void expectProblems(const std::function<void(Study&)>& change, const std::vector<std::string>& expected)
{
    EXPECT_EQ(problemsAfter(change), expected);
}

TEST(ValidateTest, ASoundStudyHasNoProblems)
{
    expectProblems([](Study&) {}, {});
    EXPECT_EQ(validate(Study{}), std::vector<Problem>{});
}

TEST(ValidateTest, Factors)
{
    EXPECT_THAT(problemsAfter([](Study& s) { s.factors[0].name.clear(); }),
                ::testing::Contains("error factors[0].name"));
    expectProblems([](Study& s) { s.factors[0].low = std::nan(""); }, {"error factors[0].low"});
    expectProblems([](Study& s) { s.factors[0].binds = "nodes"; }, {"warning factors[0].binds"});
    expectProblems([](Study& s) { s.factors[0].binds = "ranks"; }, {"warning factors[0].binds"});
    expectProblems([](Study& s) { s.fixed["a"] = 3.0; }, {"warning fixed.a"});
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
    expectProblems([](Study& s) { s.design.alpha = "round"; }, {"error design.alpha"});
    expectProblems([](Study& s) { s.design.alpha = "-1"; }, {"error design.alpha"});
    expectProblems([](Study& s) { s.design.alpha = "1.5"; }, {});
    expectProblems([](Study& s) { s.design.runs = -1; }, {"error design.runs"});
    expectProblems([](Study& s) { s.design.digits = 13; }, {"error design.digits"});
    expectProblems([](Study& s) { s.design.resolution = 2; }, {"error design.resolution"});
    expectProblems(
        [](Study& s) {
            s.design.levels = {{"a", 1}, {"b", 3}};
        },
        {"error design.levels.a", "warning design.levels.b"});
    expectProblems([](Study& s) { s.design.generators = {"D=AB", "e=-ac", "D=", "AB", "I=AB", "D=AI"}; },
                   {"error design.generators", "error design.generators", "error design.generators",
                    "error design.generators"});
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
    expectProblems(
        [](Study& s) {
            s.factors[0].type = FactorType::Integer;
            s.factors[0].multipleOf = -1;
        },
        {"error factors[0].multiple_of"});
}

TEST(ValidateTest, NamesThatFormulasCannotUse)
{
    for (const char* name : {"batch size", "a*b", "2x", "x-y"}) {
        expectProblems([&](Study& s) { s.responses[0].name = name; }, {"warning responses[0].name"});
    }
}

TEST(ValidateTest, Responses)
{
    expectProblems([](Study& s) { s.responses[0].weight = -1.0; }, {"error responses[0].weight"});
    expectProblems([](Study& s) { s.responses[0].shape = {0.0}; }, {"error responses[0].shape"});
    expectProblems([](Study& s) { s.responses[0].shape.clear(); }, {"error responses[0].shape"});
    expectProblems([](Study& s) { s.responses[0].target = HUGE_VAL; }, {"error responses[0]"});
    expectProblems(
        [](Study& s) {
            s.responses[0].low = 5.0;
            s.responses[0].high = 5.0;
        },
        {"warning responses[0].low"});
    expectProblems(
        [](Study& s) {
            s.responses[0].goal = Goal::Target;
            s.responses[0].low = 5.0;
        },
        {"warning responses[0].target"});
    expectProblems([](Study& s) { s.responses[0].name = "a"; }, {"warning responses[0].name"});
    expectProblems([](Study& s) { s.model["z"] = "linear"; }, {"warning model.z"});
}

TEST(ValidateTest, Constraints)
{
    expectProblems(
        [](Study& s) {
            s.constraints = {"a <", "a < nodes", "a < 100"};
        },
        {"warning constraints[0]", "warning constraints[1]"});
}

TEST(ValidateTest, DesignAndBenchmark)
{
    expectProblems(
        [](Study& s) {
            s.design.centerRuns = -1;
            s.design.replicates = 0;
            s.design.blocks = 0;
            s.benchmark.timeoutSeconds = 0.0;
        },
        {"error design.center_runs", "error design.replicates", "error design.blocks",
         "error benchmark.timeout_seconds"});
}

TEST(ValidateTest, RunNumbers)
{
    expectProblems(
        [](Study& s) {
            s.runs[0].id = 0;
            s.runs[2].id = 2;
            s.runs[2].order = 2;
            s.runs[2].block = 0;
        },
        {"error runs[0].id", "error runs[2].id", "warning runs[2].order", "error runs[2].block"});
}

TEST(ValidateTest, SettingsOfRuns)
{
    expectProblems(
        [](Study& s) {
            s.runs[0].settings.clear();
            s.runs[1].settings["a"] = "five";
            s.runs[2].settings["extra"] = 1.0;
        },
        {"warning runs[0].settings", "error runs[1].settings.a", "warning runs[2].settings.extra"});
    expectProblems(
        [](Study& s) {
            s.fixed["extra"] = 2.0;
            s.runs[2].settings["extra"] = 1.0;
        },
        {});
    expectProblems(
        [](Study& s) {
            s.factors.push_back({.name = "p", .type = FactorType::Categorical, .categories = {"x", "y"}});
            s.runs[0].settings["p"] = "x";
            s.runs[1].settings["p"] = "z";
            s.runs[2].settings["p"] = 1.0;
        },
        {"warning runs[1].settings.p", "error runs[2].settings.p"});
}

TEST(ValidateTest, ResultsOfRuns)
{
    expectProblems(
        [](Study& s) {
            s.runs[0].results["y"] = std::nan("");
            s.runs[0].spread["y"] = HUGE_VAL;
            s.runs[1].status = RunStatus::Done;
        },
        {"error runs[0].results.y", "error runs[0].spread.y", "warning runs[1].results"});
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

// What a study may have at most: accepted at the limit, refused above it with the number and the limit.

std::string errorOf(const Study& study)
{
    for (const Problem& problem : validate(study)) {
        if (problem.isError)
            return problem.where + ": " + problem.message;
    }
    return {};
}

Study withFactors(std::size_t count)
{
    Study study;
    study.factors.resize(count);
    for (std::size_t i = 0; i < count; ++i)
        study.factors[i].name = "x" + std::to_string(i);
    return study;
}

TEST(LimitsTest, Factors)
{
    EXPECT_EQ(errorOf(withFactors(kMostFactors)), "");
    EXPECT_EQ(errorOf(withFactors(kMostFactors + 1)),
              "factors: has 1001 entries, expected at most 1000; divide the study");
}

TEST(LimitsTest, Responses)
{
    Study study = withFactors(1);
    study.responses.resize(kMostResponses);
    for (std::size_t i = 0; i < kMostResponses; ++i)
        study.responses[i].name = "y" + std::to_string(i);
    EXPECT_EQ(errorOf(study), "");
    study.responses.push_back({.name = "one more"});
    EXPECT_THAT(errorOf(study), HasSubstr("responses: has 1001 entries"));
}

TEST(LimitsTest, Levels)
{
    Study study = withFactors(1);
    study.factors[0].type = FactorType::Categorical;
    for (std::size_t i = 0; i < kMostLevels; ++i)
        study.factors[0].categories.push_back(std::to_string(i));
    EXPECT_EQ(errorOf(study), "");
    study.factors[0].categories.push_back("one more");
    EXPECT_THAT(errorOf(study), HasSubstr("levels of x0: has 100001 entries"));
}

TEST(LimitsTest, RunsAndBaselinesTogether)
{
    Study study = withFactors(1);
    study.runs.resize(kMostRuns - 1);
    for (std::size_t i = 0; i < study.runs.size(); ++i) {
        study.runs[i].id = study.runs[i].order = static_cast<int>(i) + 1;
        study.runs[i].settings = {{"x0", 0.5}};
    }
    study.baselines.push_back({.id = static_cast<int>(kMostRuns)});
    EXPECT_EQ(errorOf(study), "");
    study.baselines.push_back({.id = static_cast<int>(kMostRuns) + 1});
    EXPECT_THAT(errorOf(study), HasSubstr("runs: has 100001 entries"));
}

TEST(LimitsTest, ValuesOfADocument)
{
    const auto zeros = [](std::size_t count) {
        std::string text = "[";
        for (std::size_t i = 0; i < count; ++i)
            text += i == 0 ? "0" : ",0";
        return text + "]";
    };
    EXPECT_EQ(parseJson(zeros(kMostValues - 1), "s").size(), kMostValues - 1); // and the list itself
    EXPECT_EQ(messageOf<DocumentError>([&] { parseJson(zeros(kMostValues), "s"); }),
              "s: [4999999]: more than 5000000 values, expected a study");
}

TEST(LimitsTest, ProblemsAreListedUpToALimitAndThenCounted)
{
    Study study = withFactors(100);
    study.runs.resize(50);
    for (std::size_t i = 0; i < study.runs.size(); ++i)
        study.runs[i].id = study.runs[i].order = static_cast<int>(i) + 1;
    const std::vector<Problem> problems = validate(study); // each run has no value for any factor
    ASSERT_EQ(problems.size(), kMostProblems + 1);
    EXPECT_EQ(problems.back().message, "4000 more of this kind");
    EXPECT_FALSE(problems.back().isError);
}

TEST(LimitsTest, AnErrorBehindManyWarningsIsFound)
{
    Study study = withFactors(100);
    study.runs.resize(50);
    for (std::size_t i = 0; i < study.runs.size(); ++i)
        study.runs[i].id = study.runs[i].order = static_cast<int>(i) + 1;
    study.runs.back().block = 0;
    EXPECT_EQ(errorOf(study), "runs[49].block: 0, expected at least 1");
}

TEST(RunIndexTest, FindsRunsInAnyOrder)
{
    Study study;
    for (const int id : {7, 2, 3, 11, 1}) {
        study.runs.emplace_back();
        study.runs.back().id = id;
    }
    const RunIndex index(study);
    for (std::size_t i = 0; i < study.runs.size(); ++i) {
        EXPECT_EQ(findRun(study, study.runs[i].id), &study.runs[i]);
        EXPECT_EQ(index.find(study.runs[i].id), &study.runs[i]);
        EXPECT_EQ(index.findPosition(study.runs[i].id), i);
    }
    for (const int missing : {-1, 0, 4, 5, 100}) {
        EXPECT_EQ(findRun(study, missing), nullptr) << missing;
        EXPECT_EQ(index.find(missing), nullptr) << missing;
    }
}

TEST(RunRecordsTest, LaterRecordsReplaceEarlierOnesOfAnyKindInAnyOrder)
{
    Study study = withFactors(1);
    std::vector<study::Run> records;
    for (const int id : {5, 3, 9, 3, 1, 9}) {
        records.emplace_back();
        records.back().id = id;
        records.back().order = static_cast<int>(records.size());
        records.back().kind = id % 3 == 0 ? RunKind::Baseline : RunKind::Design;
    }
    takeRecords(study, records);
    ASSERT_EQ(study.runs.size(), 2U);
    EXPECT_EQ(study.runs[0].id, 5);
    EXPECT_EQ(study.runs[1].id, 1);
    ASSERT_EQ(study.baselines.size(), 2U); // by id
    EXPECT_EQ(study.baselines[0].order, 4);
    EXPECT_EQ(study.baselines[1].order, 6);
}

TEST(CodingTest, FindsALevelAmongManyAsAmongFew)
{
    for (const std::size_t count : {3U, 500U}) {
        Factor factor{.name = "c", .type = FactorType::Categorical};
        for (std::size_t i = 0; i < count; ++i)
            factor.categories.push_back("l" + std::to_string(i));
        const Coding coding({factor});
        EXPECT_EQ(coding.toCoded(Settings{{"c", std::string("l2")}})[0], 2.0);
        EXPECT_THAT(messageOf<std::invalid_argument>([&] {
                        coding.toCoded(Settings{{"c", std::string("x")}});
                    }),
                    HasSubstr("\"x\" is not one of its levels"));
    }
}

} // namespace
} // namespace quadric::study
