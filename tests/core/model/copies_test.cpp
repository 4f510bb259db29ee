// SPDX-License-Identifier: GPL-3.0-or-later
// Copies of a run are one observation; equal values that rounding explains are not copies.
#include "center_runs.h"
#include "core/model/base/copies.h"
#include "core/model/fit/regression.h"
#include "core/model/select/center_runs.h"
#include "core/model/select/cross_validation.h"

#include <gmock/gmock.h>

#include <cmath>

namespace quadric::model {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Groups = std::vector<std::vector<int>>;

/// A 3×3 grid of a and b with further runs at the center; y from a formula with what looks like noise.
study::Study gridWithCenters(int centers)
{
    study::Study study;
    for (const char* name : {"a", "b"})
        study.factors.push_back({.name = name, .low = -1, .high = 1});
    study.responses = {{.name = "y"}};
    for (int i = 0; i < 9 + centers; ++i) {
        study::Run run{.id = i + 1, .order = (i * 5) % (9 + centers) + 1};
        const double a = i < 9 ? i % 3 - 1 : 0, b = i < 9 ? i / 3 - 1 : 0;
        run.kind = i < 9 ? study::RunKind::Design : study::RunKind::Center;
        run.settings = {{"a", a}, {"b", b}};
        run.status = study::RunStatus::Done;
        run.results = {{"y", 50 + 4 * a - 3 * b + 2 * a * b + std::sin(7.3 * i + 1.1)}};
        study.runs.push_back(run);
    }
    return study;
}

void setResults(study::Study& study, const std::vector<int>& runs, const std::string& response, double value)
{
    for (const int run : runs)
        study::findRun(study, run)->results[response] = value;
}

study::Study without(study::Study study, const std::vector<int>& runs)
{
    for (const int run : runs)
        study::findRun(study, run)->status = study::RunStatus::Excluded;
    return study;
}

void expectSameAnswers(const study::Study& copied, const study::Study& excluded)
{
    for (const char* model : {"linear", "quadratic", "auto"}) {
        const Fit is = fitResponse(copied, "y", {.model = model});
        const Fit expected = fitResponse(excluded, "y", {.model = model});
        ASSERT_TRUE(is.isOk() && expected.isOk()) << is.message;
        EXPECT_EQ(is.model, expected.model);
        EXPECT_EQ(is.dfResidual, expected.dfResidual);
        EXPECT_NEAR(is.sigma, expected.sigma, 1e-12);
        EXPECT_NEAR(is.press.value_or(0), expected.press.value_or(0), 1e-12);
        for (std::size_t i = 0; i < is.coefficients.size(); ++i) {
            EXPECT_NEAR(*is.coefficients[i].low, *expected.coefficients[i].low, 1e-12);
            EXPECT_NEAR(*is.coefficients[i].high, *expected.coefficients[i].high, 1e-12);
        }
        EXPECT_NEAR(crossValidate(is, 0).error.value_or(0), crossValidate(expected, 0).error.value_or(0),
                    1e-12);
        const AnovaRow *lack = rowOf(is, "Lack of fit"), *lackExpected = rowOf(expected, "Lack of fit");
        ASSERT_EQ(lack == nullptr, lackExpected == nullptr);
        if (lack != nullptr) {
            EXPECT_NEAR(lack->p.value_or(0), lackExpected->p.value_or(0), 1e-12);
        }
    }
}

} // namespace

TEST(Copies, AllReplicatesAreOneObservation)
{
    study::Study study = gridWithCenters(3);
    setResults(study, {5, 10, 11, 12}, "y", 50.123);
    const Copies copies = findCopies(study, "y");
    EXPECT_EQ(copies.groups, (Groups{{5, 10, 11, 12}}));
    EXPECT_TRUE(copies.areAllReplicates);
    EXPECT_FALSE(copies.isRepetition(5));
    EXPECT_TRUE(copies.isRepetition(12));
    expectSameAnswers(study, without(study, {10, 11, 12}));
    EXPECT_FALSE(summarizeSentinels(study, "y")) << "one observation repeats nothing";
}

TEST(Copies, SomeReplicatesAreOneObservation)
{
    study::Study study = gridWithCenters(5);
    setResults(study, {11, 12, 13, 14}, "y", 50.123456);
    const Copies copies = findCopies(study, "y");
    EXPECT_EQ(copies.groups, (Groups{{11, 12, 13, 14}}));
    EXPECT_FALSE(copies.areAllReplicates) << "runs 5 and 10 differ";
    expectSameAnswers(study, without(study, {12, 13, 14}));
    EXPECT_EQ(rowOf(fitResponse(study, "y"), "Pure error")->df, 2);
}

TEST(Copies, AnExcludedRunIsNoOriginal)
{
    study::Study study = gridWithCenters(3);
    setResults(study, {10, 11, 12}, "y", 50.123456);
    EXPECT_EQ(findCopies(without(study, {10}), "y").groups, (Groups{{11, 12}}));
    EXPECT_THAT(findCopies(without(study, {10, 11}), "y").groups, IsEmpty());
}

TEST(Copies, CoarseValuesAgreeByChance)
{
    study::Study percent = gridWithCenters(4); // one decimal: center values differ by up to 2
    setResults(percent, {11, 12}, "y", 50.3);
    for (study::Run& run : percent.runs)
        run.results["y"] = std::round(run.results["y"] * 10) / 10;
    EXPECT_THAT(findCopies(percent, "y").groups, IsEmpty());

    study::Study counts = gridWithCenters(4);
    for (study::Run& run : counts.runs)
        run.results["y"] = std::round(run.results["y"] / 8);
    setResults(counts, {5, 10, 11, 12, 13}, "y", 6);
    EXPECT_THAT(findCopies(counts, "y").groups, IsEmpty());

    study::Study pages = gridWithCenters(4); // multiples of 4096 whose digits look fine
    for (study::Run& run : pages.runs)
        run.results["y"] = 4096 * std::round(run.results["y"]);
    setResults(pages, {10, 11}, "y", 4096 * 50);
    EXPECT_THAT(findCopies(pages, "y").groups, IsEmpty());
}

TEST(Copies, ValuesOfFewSignificantDigitsAreCoarseWhereTheyAreLarge)
{
    study::Study study = gridWithCenters(1); // 0.0123 at one end, 123 at the other; both centers say 50.1
    setResults(study, {1}, "y", 0.0123);
    setResults(study, {9}, "y", 123);
    for (const int run : {2, 3, 4, 6, 7, 8})
        setResults(study, {run}, "y", std::round(study.runs[run - 1].results["y"] * 10) / 10);
    setResults(study, {5, 10}, "y", 50.1);
    EXPECT_THAT(findCopies(study, "y").groups, IsEmpty());
}

TEST(Copies, ARunThatAgreesInEveryResponseIsACopyInTheCoarseOnesToo)
{
    study::Study study = gridWithCenters(3);
    study.responses.push_back({.name = "percent"});
    for (study::Run& run : study.runs)
        run.results["percent"] = 90 + run.id % 4;
    setResults(study, {10, 11, 12}, "percent", 93);
    EXPECT_THAT(findCopies(study, "percent").groups, IsEmpty()) << "y differs, and percents often agree";
    setResults(study, {10, 11, 12}, "y", 50.123456);
    EXPECT_EQ(findCopies(study, "percent").groups, (Groups{{10, 11, 12}}));
    EXPECT_EQ(fitResponse(study, "percent").n, 10);
}

TEST(Copies, AConstantResponseHasNone)
{
    study::Study study = gridWithCenters(3);
    for (study::Run& run : study.runs)
        run.results["y"] = 1.25;
    EXPECT_THAT(findCopies(study, "y").groups, IsEmpty());
}

} // namespace quadric::model

using namespace quadric;

using test::centers;

// R 4.2: o <- c(2, 8, 15); y <- c(100.5, 101.4, 103.2); summary(lm(y ~ o)); sd(y)
TEST(Sentinels, ThreeRunsAgainstR)
{
    const auto found = model::summarizeSentinels(centers({15, 2, 8}, {103.2, 100.5, 101.4}), "speed");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->runs, 3);
    EXPECT_NEAR(found->sd, 1.37477270849, 1e-10);
    EXPECT_NEAR(found->perRun, 0.20905511811, 1e-10);
    EXPECT_NEAR(found->change, 13 * 0.20905511811, 1e-9);
    EXPECT_NEAR(found->t.value_or(0), 6.81273317644, 1e-9);
    EXPECT_NEAR(found->p.value_or(0), 0.09278300827855, 1e-10);
}

// R 4.2: o <- c(1, 5, 9, 13, 17); y <- c(10.1, 9.8, 10.4, 9.9, 10.2); summary(lm(y ~ o))
TEST(Sentinels, FiveRunsAgainstR)
{
    const auto found =
        model::summarizeSentinels(centers({1, 5, 9, 13, 17}, {10.1, 9.8, 10.4, 9.9, 10.2}), "speed");
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->perRun, 0.0075, 1e-12);
    EXPECT_NEAR(found->t.value_or(0), 0.351123441588, 1e-9);
    EXPECT_NEAR(found->p.value_or(0), 0.748707206390, 1e-9);
}

TEST(Sentinels, NeedThreeRunsThatAreDone)
{
    study::Study study = centers({1, 2, 3}, {1, 2, 4});
    study.runs[1].status = study::RunStatus::Failed;
    EXPECT_FALSE(model::summarizeSentinels(study, "speed"));
    EXPECT_FALSE(model::summarizeSentinels(centers({1, 2, 3}, {1, 2, 4}), "loss"));
}

TEST(Sentinels, ALineWithoutResidualHasNoTest)
{
    const auto found = model::summarizeSentinels(centers({1, 2, 3}, {5, 6, 7}), "speed");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->perRun, 1.0);
    EXPECT_FALSE(found->p);
    EXPECT_FALSE(model::summarizeSentinels(centers({1, 2, 3}, {5, 5, 5}), "speed")->p);
}

TEST(Sentinels, RunsAtAnotherSettingAreNotCompared)
{
    study::Study study = centers({1, 2, 3, 4}, {1, 2, 4, 90});
    study.runs[3].settings = {{"a", 1.5}};
    EXPECT_EQ(model::summarizeSentinels(study, "speed")->runs, 3);
}
