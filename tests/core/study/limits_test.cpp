// SPDX-License-Identifier: GPL-3.0-or-later
// What a study may have at most: accepted at the limit, refused above it with the number and the limit.
#include "core/study/limits.h"

#include "core/study/document/document.h"
#include "core/study/document/json.h"
#include "core/study/run_records.h"
#include "study_fixtures.h"

#include <gmock/gmock.h>

namespace quadric::study {
namespace {

using ::testing::HasSubstr;
using testing::messageOf;

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
    putRuns(study, records);
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

TEST(SnapTest, FindsTheNearestLevelOnTheFactorsScale)
{
    Factor factor{.name = "x", .type = FactorType::Discrete, .low = 1, .high = 64, .scale = Scale::Log2};
    factor.levels = {1, 4, 16, 64};
    for (const auto& [actual, legal] : std::vector<std::pair<double, double>>{
             {0.5, 1}, {1, 1}, {1.9, 1}, {2, 1}, {2.1, 4}, {7.9, 4}, {8.1, 16}, {64, 64}, {1000, 64}})
        EXPECT_EQ(snapToLegal(factor, actual), legal) << actual;
}

} // namespace
} // namespace quadric::study
