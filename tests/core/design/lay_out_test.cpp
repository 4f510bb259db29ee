// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/base/design.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace quadric::design {
namespace {

using study::Factor;
using study::FactorType;
using study::RunKind;
using study::Study;

Study continuousStudy(int factors)
{
    Study study;
    study.design.type = "box-behnken";
    for (int i = 0; i < factors; ++i) {
        Factor factor;
        factor.name = std::string(1, static_cast<char>('a' + i));
        factor.low = 10.0;
        factor.high = 20.0;
        study.factors.push_back(factor);
    }
    return study;
}

std::string messageOf(const Study& study)
{
    try {
        layOut(study);
    } catch (const DesignError& error) {
        return error.what();
    }
    return {};
}

/// Run kinds in run order: "C" center, "." other.
std::string pattern(const Study& study)
{
    std::string text;
    for (const study::Run* run : study::inRunOrder(study))
        text += run->kind == RunKind::Center ? 'C' : '.';
    return text;
}

TEST(LayOut, MakesFifteenRunsForThreeFactors)
{
    const Study study = layOut(continuousStudy(3));
    ASSERT_EQ(study.runs.size(), 15U);
    EXPECT_EQ(runCount(study), 15);
    for (std::size_t i = 0; i < study.runs.size(); ++i) {
        EXPECT_EQ(study.runs[i].id, static_cast<int>(i) + 1);
        EXPECT_EQ(study.runs[i].status, study::RunStatus::Pending);
    }
    EXPECT_EQ(study.runs[0].settings, (study::Settings{{"a", 10.0}, {"b", 10.0}, {"c", 15.0}}));
    EXPECT_EQ(study.runs[14].settings, (study::Settings{{"a", 15.0}, {"b", 15.0}, {"c", 15.0}}));
    EXPECT_EQ(study.runs[14].kind, RunKind::Center);
}

TEST(LayOut, SpreadsCenterRunsWithFirstAndLast)
{
    EXPECT_EQ(pattern(layOut(continuousStudy(3))), "C......C......C");
    Study four = continuousStudy(4);
    four.design.blocks = 3;
    EXPECT_EQ(pattern(layOut(four)), "C............C............C");
}

TEST(LayOut, OrderIsAPermutationThatDependsOnTheSeedOnly)
{
    Study study = continuousStudy(3);
    std::set<int> orders;
    for (const study::Run& run : layOut(study).runs)
        orders.insert(run.order);
    EXPECT_EQ(orders.size(), 15U);
    EXPECT_EQ(*orders.begin(), 1);
    EXPECT_EQ(*orders.rbegin(), 15);
    EXPECT_EQ(layOut(study), layOut(study));
    Study other = study;
    other.design.seed = 43;
    EXPECT_NE(layOut(study).runs, layOut(other).runs);
}

/// The values follow from std::mt19937_64, whose sequence the standard fixes, and Fisher–Yates from the end:
/// computed by a separate program in Python for seed 42.
TEST(LayOut, OrderIsTheSameOnEveryPlatform)
{
    const Study study = layOut(continuousStudy(3));
    std::vector<int> ids;
    for (const study::Run* run : study::inRunOrder(study))
        ids.push_back(run->id);
    EXPECT_THAT(ids, testing::ElementsAre(13, 10, 4, 2, 3, 8, 5, 14, 9, 6, 12, 11, 1, 7, 15));
}

TEST(LayOut, KeepsStandardOrderWhenAsked)
{
    Study study = continuousStudy(3);
    study.design.randomize = false;
    for (const study::Run& run : layOut(study).runs)
        EXPECT_EQ(run.order, run.id);
}

TEST(LayOut, RepeatsDesignRunsAndKeepsCenterRuns)
{
    Study study = continuousStudy(3);
    study.design.replicates = 2;
    study.design.centerRuns = 5;
    study = layOut(study);
    EXPECT_EQ(study.runs.size(), 29U);
    EXPECT_EQ(pattern(study), "C......C......C......C......C");
}

/// Blocks are orthogonal to the quadratic model: sums of all its columns are the same in every block.
TEST(LayOut, BlocksAreOrthogonalToTheQuadraticModel)
{
    for (const auto& [factors, blocks, centers] : {std::tuple{4, 3, 3}, {5, 2, 6}, {6, 2, 6}, {7, 2, 6}}) {
        Study study = continuousStudy(factors);
        study.design.blocks = blocks;
        study.design.centerRuns = centers;
        study = layOut(study);
        const study::Coding coding(study.factors);
        std::vector<Eigen::MatrixXd> moments(static_cast<std::size_t>(blocks),
                                             Eigen::MatrixXd::Zero(factors + 1, factors + 1));
        for (const study::Run& run : study.runs) {
            Eigen::VectorXd x(factors + 1);
            x << 1.0, coding.toCoded(run.settings).x;
            moments[static_cast<std::size_t>(run.block) - 1] += x * x.transpose();
        }
        for (const Eigen::MatrixXd& block : moments)
            EXPECT_TRUE(block.isApprox(moments.front())) << factors << " factors";
    }
}

TEST(LayOut, RefusesBlocksThatDoNotExist)
{
    Study study = continuousStudy(3);
    study.design.blocks = 2;
    study.design.centerRuns = 4;
    EXPECT_THAT(messageOf(study), testing::HasSubstr("blocks"));
    EXPECT_EQ(runCount(study), 0);
    study = continuousStudy(5);
    study.design.blocks = 2;
    EXPECT_THAT(messageOf(study), testing::HasSubstr("cannot be divided over 2 blocks"));
}

TEST(LayOut, SettingsCanBeRun)
{
    Study study = continuousStudy(3);
    study.factors[0].type = FactorType::Integer;
    study.factors[0].low = 8;
    study.factors[0].high = 64;
    study.factors[0].multipleOf = 8;
    study.factors[1].type = FactorType::Integer;
    study.factors[1].low = 32;
    study.factors[1].high = 256;
    study.factors[1].scale = study::Scale::Log2;
    study.factors[2].type = FactorType::Discrete;
    study.factors[2].levels = {10, 14, 20};
    for (const study::Run& run : layOut(study).runs) {
        EXPECT_EQ(std::fmod(study::numberOf(run.settings.at("a")), 8.0), 0.0);
        EXPECT_THAT(study::numberOf(run.settings.at("b")), testing::AnyOf(32.0, 91.0, 256.0));
        EXPECT_THAT(study::numberOf(run.settings.at("c")), testing::AnyOf(10.0, 14.0, 20.0));
    }
}

TEST(LayOut, NamesTheFactorWhoseCenterCannotBeRun)
{
    Study study = continuousStudy(3);
    study.factors[1].name = "ranks";
    study.factors[1].type = FactorType::Integer;
    study.factors[1].low = 1;
    study.factors[1].high = 2;
    EXPECT_THAT(messageOf(study), testing::HasSubstr("factor 'ranks'"));
}

TEST(LayOut, NamesTheRunThatBreaksAConstraint)
{
    Study study = continuousStudy(3);
    study.constraints = {"a * b <= 50"};
    EXPECT_THAT(messageOf(study), testing::AllOf(testing::HasSubstr("a * b <= 50"),
                                                 testing::HasSubstr("run 1 (a = 10, b = 10, c = 15)")));
    study.constraints = {"a * unknown <= 300"};
    EXPECT_THAT(messageOf(study), testing::HasSubstr("unknown"));
}

TEST(LayOut, RefusesWhatTheDesignCannotDo)
{
    Study categorical = continuousStudy(3);
    categorical.factors[2].type = FactorType::Categorical;
    categorical.factors[2].categories = {"fp32", "bf16"};
    EXPECT_THAT(messageOf(categorical), testing::HasSubstr("'c' is categorical"));
    EXPECT_THAT(messageOf(continuousStudy(2)), testing::HasSubstr("3 to 7"));
    EXPECT_EQ(runCount(continuousStudy(2)), 0);
    Study unknown = continuousStudy(3);
    unknown.design.type = "star";
    EXPECT_THAT(messageOf(unknown), testing::HasSubstr("box-behnken"));
    Study noCenter = continuousStudy(3);
    noCenter.design.centerRuns = 0;
    EXPECT_THAT(messageOf(noCenter), testing::HasSubstr("center run"));
    Study broken = continuousStudy(3);
    broken.factors[0].high = broken.factors[0].low;
    EXPECT_THAT(messageOf(broken), testing::HasSubstr("factors[0]"));
    EXPECT_EQ(runCount(broken), 0);
}

TEST(LayOut, NeverThrowsResultsAway)
{
    Study study = layOut(continuousStudy(3));
    study.runs[4].status = study::RunStatus::Done;
    EXPECT_THAT(messageOf(study), testing::HasSubstr("run 5 is done"));
    EXPECT_EQ(layOut(study, true).runs[4].status, study::RunStatus::Pending);
}

} // namespace
} // namespace quadric::design
