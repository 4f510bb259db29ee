// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/base/design.h"
#include "core/design/base/design_space.h"
#include "core/study/space/constraint.h"
#include "design_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace quadric::design {
namespace {

using study::FactorType;
using study::RunKind;
using study::Study;
using test::messageOf;

/// As somebody sets a Box–Behnken design up: with center runs, in random order.
Study continuousStudy(int factors)
{
    Study study = test::continuousStudy(factors, "");
    study.design = {.type = "box-behnken"};
    return study;
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

study::Study boxBehnkenCube(int factors)
{
    study::Study study = cube(factors);
    study.design.type = "box-behnken";
    return study;
}

double at(const study::Run& run, const std::string& factor)
{
    return study::numberOf(run.settings.at(factor));
}

/// Of all 729 settings on a grid the nearest legal one, by trying them all.
TEST(NearestLegal, IsTheNearestOfAllSettings)
{
    study::Study study = boxBehnkenCube(3);
    for (study::Factor& factor : study.factors)
        factor = {.name = factor.name, .type = study::FactorType::Integer, .low = -4, .high = 4};
    study.constraints = {"a * b + c <= 3", "a % 2 == 0 or b < 0"};
    const study::LegalSpace legal = makeSpaceToDesign(study);
    for (int a = -4; a <= 4; ++a)
        for (int b = -4; b <= 4; ++b) {
            const Eigen::Vector3d target(a / 4.0, b / 4.0, 1.0);
            double best = 1e300;
            for (int i = -4; i <= 4; ++i)
                for (int j = -4; j <= 4; ++j)
                    for (int k = -4; k <= 4; ++k) {
                        const bool isLegal = i * j + k <= 3 && (i % 2 == 0 || j < 0);
                        const Eigen::Vector3d point(i / 4.0, j / 4.0, k / 4.0);
                        if (isLegal)
                            best = std::min(best, (point - target).squaredNorm());
                    }
            const std::optional<Eigen::VectorXd> found = legal.nearest(target);
            ASSERT_TRUE(found);
            EXPECT_TRUE(legal.satisfiesConstraints(*found));
            EXPECT_NEAR((*found - target).squaredNorm(), best, 1e-12) << a << " " << b;
        }
}

TEST(NearestLegal, SaysThatThereIsNone)
{
    study::Study study = boxBehnkenCube(2);
    study.constraints = {"a > 3"};
    EXPECT_FALSE(study::LegalSpace(study).nearest(Eigen::Vector2d(0.0, 0.0)));
}

TEST(LegalCandidates, AreAllLegalAndDifferent)
{
    study::Study study = boxBehnkenCube(3);
    study.factors[1] = {.name = "b",
                        .type = study::FactorType::Integer,
                        .low = 8,
                        .high = 64,
                        .scale = study::Scale::Log2,
                        .multipleOf = 8};
    study.factors[2] = {.name = "c", .type = study::FactorType::Categorical, .categories = {"x", "y", "z"}};
    study.constraints = {"a * b <= 30", "c != \"z\" or b == 8"};
    const Eigen::MatrixXd points = legalCandidates(makeSpaceToDesign(study), {2, 2, 1});
    const study::Coding coding(study.factors);
    std::set<std::vector<double>> seen;
    for (const auto& point : points.rowwise()) {
        const study::Settings settings = coding.toLegalSettings(study::CodedPoint(point.transpose()));
        EXPECT_TRUE(study::isLegal(study, settings));
        EXPECT_NEAR((coding.toCoded(settings).x.transpose() - point).norm(), 0.0, 1e-9);
        seen.insert({point.begin(), point.end()});
    }
    EXPECT_EQ(static_cast<Eigen::Index>(seen.size()), points.rows());
    EXPECT_GT(points.rows(), 27);
    EXPECT_LE(points.rows(), 4000);
}

TEST(LegalCandidates, StayFewForManyFactors)
{
    const Eigen::MatrixXd points =
        legalCandidates(makeSpaceToDesign(boxBehnkenCube(15)), std::vector<int>(15, 2), 3000);
    EXPECT_EQ(points.rows(), 3000);
    EXPECT_EQ(points.cols(), 15);
}

/// a·b ≤ 0.5 forbids the two corners a = b = ±1 of the Box–Behnken design; they move to the nearest products
/// of one half, (1, ½) or (½, 1) or between.
TEST(LegalRepair, MovesOnlyWhatAConstraintForbids)
{
    study::Study study = boxBehnkenCube(3);
    const study::Study free = layOut(study);
    study.constraints = {"a * b <= 0.5"};
    const study::Study laidOut = layOut(study);
    int moved = 0;
    for (std::size_t i = 0; i < laidOut.runs.size(); ++i) {
        EXPECT_TRUE(study::isLegal(study, laidOut.runs[i].settings));
        if (laidOut.runs[i].settings == free.runs[i].settings)
            continue;
        ++moved;
        EXPECT_EQ(at(laidOut.runs[i], "c"), 0.0) << "no constraint names c";
        const double shift = std::hypot(at(laidOut.runs[i], "a") - at(free.runs[i], "a"),
                                        at(laidOut.runs[i], "b") - at(free.runs[i], "b"));
        EXPECT_NEAR(shift, std::sqrt(2.0) * (1.0 - std::sqrt(0.5)), 0.03) << "both to √½ is nearest";
    }
    EXPECT_EQ(moved, 2);
}

TEST(LegalReport, SaysWhatWasMovedAndWhatItCosts)
{
    study::Study study = boxBehnkenCube(3);
    study.constraints = {"a * b <= 0.5"};
    const study::Study laidOut = layOut(study);
    const std::optional<LegalReport> report = legalReport(laidOut);
    ASSERT_TRUE(report);
    EXPECT_EQ(report->runs, 15);
    EXPECT_EQ(report->repairedRuns.size(), 2U);
    EXPECT_TRUE(report->roundedRuns.empty());
    EXPECT_NEAR(report->dEfficiencyBefore, evaluate(layOut(boxBehnkenCube(3)), "quadratic").dEfficiency,
                1e-9);
    EXPECT_NEAR(report->dEfficiencyAfter, evaluate(laidOut, "quadratic").dEfficiency, 1e-9);
    EXPECT_LT(report->dEfficiencyAfter, report->dEfficiencyBefore);
    EXPECT_GT(report->worstCorrelationAfter, report->worstCorrelationBefore);
    EXPECT_THAT(report->repairedRuns, testing::Contains(report->largestShiftRun));
}

/// Coded levels −1, 0, 1 of 1 … 4 are 1, 2.5, 4: the middle is rounded to 2 or 3, a third of the way.
TEST(LegalReport, CountsRoundedRuns)
{
    study::Study study = boxBehnkenCube(3);
    study.factors[0].type = study::FactorType::Integer;
    study.factors[0].low = 1.0;
    study.factors[0].high = 4.0;
    const std::optional<LegalReport> report = legalReport(layOut(study));
    ASSERT_TRUE(report);
    EXPECT_EQ(report->roundedRuns.size(), 4U + 3U) << "edges with a at its middle, and the center runs";
    EXPECT_TRUE(report->repairedRuns.empty());
    EXPECT_NEAR(report->largestShift, 1.0 / 3.0, 1e-9);
}

TEST(LegalReport, NoticesRunsThatHaveBecomeEqual)
{
    study::Study study = boxBehnkenCube(3);
    study.constraints = {"a == 0"};
    const std::optional<LegalReport> report = legalReport(layOut(study));
    ASSERT_TRUE(report);
    EXPECT_FALSE(report->equalRuns.empty());
    EXPECT_THAT(report->lostTerms, testing::Contains("a"));
    EXPECT_EQ(report->dEfficiencyAfter, 0.0);
}

TEST(LegalReport, IsSilentWhereNothingWasMoved)
{
    const std::optional<LegalReport> report = legalReport(layOut(boxBehnkenCube(4)));
    ASSERT_TRUE(report);
    EXPECT_FALSE(report->isMoved());
    EXPECT_EQ(report->largestShiftRun, 0);
    study::Study own = codedStudy({{-1, -1}, {1, 1}, {0, 0}});
    own.design.type = "custom";
    EXPECT_FALSE(legalReport(own)) << "nobody knows what was meant";
}

TEST(LegalReport, IsPartOfTheEvaluation)
{
    study::Study study = boxBehnkenCube(3);
    study.constraints = {"a * b <= 0.5"};
    const Evaluation evaluation = evaluate(layOut(study));
    ASSERT_TRUE(evaluation.legal);
    EXPECT_EQ(evaluation.legal->repairedRuns.size(), 2U);
}

} // namespace
} // namespace quadric::design
