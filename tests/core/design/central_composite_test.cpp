// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/generate/central_composite.h"
#include "design_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/LU>

#include <cmath>

namespace quadric::design {
namespace {

using nlohmann::json;
using study::FactorType;
using study::RunKind;
using ::testing::HasSubstr;

study::Study compositeStudy(int factors, const std::string& alpha, int centers)
{
    study::Study study = test::continuousStudy(factors, "central-composite");
    for (study::Factor& factor : study.factors)
        factor.low = -(factor.high = 10.0);
    study.design.alpha = alpha;
    study.design.centerRuns = centers;
    return study;
}

/// Distance of the axial runs.
double alphaOf(const study::Study& study)
{
    double alpha = 0.0;
    const Eigen::MatrixXd rows = test::codedRuns(study);
    for (std::size_t i = 0; i < study.runs.size(); ++i)
        if (study.runs[i].kind == RunKind::Axial)
            alpha = std::max(alpha, rows.row(static_cast<Eigen::Index>(i)).cwiseAbs().maxCoeff());
    return alpha;
}

int countOf(const study::Study& study, RunKind kind)
{
    return static_cast<int>(std::ranges::count(study.runs, kind, &study::Run::kind));
}

/// tests/references/oracles/09_classical_designs.json, cross-checked with the R package rsm.
TEST(CentralComposite, HasThePublishedDistances)
{
    const json oracle = test::reference("oracles/09_classical_designs.json")["central_composite"];
    ASSERT_EQ(oracle.size(), 3U);
    for (const json& design : oracle) {
        const int k = design["k"];
        const study::Study rotatable = layOut(compositeStudy(k, "rotatable", 3));
        EXPECT_EQ(countOf(rotatable, RunKind::Design), design["factorial_runs"]);
        EXPECT_EQ(countOf(rotatable, RunKind::Axial), design["axial_runs"]);
        EXPECT_NEAR(alphaOf(rotatable), design["alpha_rotatable"].get<double>(), 1e-12);
        EXPECT_EQ(alphaOf(layOut(compositeStudy(k, "face", 3))), 1.0);
        EXPECT_NEAR(alphaOf(layOut(compositeStudy(k, "practical", 3))), std::pow(k, 0.25), 1e-12);
        EXPECT_EQ(alphaOf(layOut(compositeStudy(k, "1.25", 3))), 1.25);
        for (const json& single : design["orthogonal_single_block"])
            EXPECT_NEAR(alphaOf(layOut(compositeStudy(k, "orthogonal", single["n_centre"]))),
                        single["alpha"].get<double>(), 1e-12);
    }
}

TEST(CentralComposite, HasThePublishedDistancesForOrthogonalBlocks)
{
    const json oracle = test::reference("oracles/09_classical_designs.json")["central_composite"];
    ASSERT_EQ(oracle.size(), 3U);
    for (const json& design : oracle)
        for (const json& blocked : design["orthogonal_blocking"]) {
            AxialGeometry geometry{.factors = design["k"],
                                   .cubeRuns = design["factorial_runs"],
                                   .axialRuns = design["axial_runs"],
                                   .cubeCenters = blocked["centre_in_cube_block"],
                                   .axialCenters = blocked["centre_in_axial_block"],
                                   .isBlocked = true};
            EXPECT_NEAR(axialDistance("orthogonal", geometry), blocked["alpha"].get<double>(), 1e-12);
        }
}

/// Rotatable: Σxᵢ⁴ = 3 Σxᵢ²xⱼ² (Box & Hunter 1957).
TEST(CentralComposite, IsRotatable)
{
    for (int k = 2; k <= 8; ++k) {
        const Eigen::MatrixXd rows = test::codedRuns(layOut(compositeStudy(k, "rotatable", 4)));
        const double fourth = rows.col(0).array().pow(4).sum();
        const double mixed = (rows.col(0).array() * rows.col(1).array()).square().sum();
        EXPECT_NEAR(fourth, 3.0 * mixed, 1e-9) << k;
    }
}

/// Orthogonal: the squares about their mean are uncorrelated.
TEST(CentralComposite, HasOrthogonalSquares)
{
    for (int k = 2; k <= 6; ++k) {
        study::Study study = compositeStudy(k, "orthogonal", 3);
        study.design.replicates = 2;
        const Eigen::MatrixXd rows = test::codedRuns(layOut(study));
        const Eigen::ArrayXd a = rows.col(0).array().square();
        const Eigen::ArrayXd b = rows.col(1).array().square();
        EXPECT_NEAR(((a - a.mean()) * (b - b.mean())).sum(), 0.0, 1e-9) << k;
    }
}

/// Blocks are orthogonal to the quadratic model: column means of the model are the same in every block.
double blockCorrelation(const study::Study& study)
{
    const Eigen::MatrixXd x = test::quadraticColumns(test::codedRuns(study));
    std::map<int, std::pair<Eigen::RowVectorXd, int>> sums;
    for (std::size_t i = 0; i < study.runs.size(); ++i) {
        auto& [sum, count] =
            sums.try_emplace(study.runs[i].block, Eigen::RowVectorXd::Zero(x.cols()), 0).first->second;
        sum += x.row(static_cast<Eigen::Index>(i));
        ++count;
    }
    double largest = 0.0;
    for (const auto& [block, entry] : sums)
        largest = std::max(largest, (entry.first / entry.second - x.colwise().mean()).cwiseAbs().maxCoeff());
    return largest;
}

TEST(CentralComposite, DividesIntoOrthogonalBlocks)
{
    for (const auto& [factors, blocks, centers] :
         {std::tuple{2, 2, 6}, {3, 2, 4}, {3, 3, 6}, {4, 2, 6}, {4, 3, 6}, {5, 2, 7}, {6, 3, 9}}) {
        study::Study study = compositeStudy(factors, "orthogonal", centers);
        study.design.blocks = blocks;
        study = layOut(study);
        EXPECT_NEAR(blockCorrelation(study), 0.0, 1e-12) << factors << " factors in " << blocks << " blocks";
        EXPECT_EQ(countOf(study, RunKind::Center), centers);
        for (const study::Run& run : study.runs)
            EXPECT_EQ(run.kind == RunKind::Axial, run.block == blocks && run.kind != RunKind::Center);
    }
}

/// Box & Hunter 1957, table 4: these rotatable designs are orthogonally blocked with the center runs where we
/// put them: k = 2 with 3 + 3, k = 4 with 2 + 2 + 2, k = 5 (half) with 6 + 1.
TEST(CentralComposite, PutsCenterRunsWhereTheyMakeRotatableBlocksOrthogonal)
{
    for (const auto& [factors, blocks, centers, atAxial] :
         {std::tuple{2, 2, 6, 3}, {4, 3, 6, 2}, {5, 2, 7, 1}}) {
        study::Study study = compositeStudy(factors, "rotatable", centers);
        study.design.blocks = blocks;
        study = layOut(study);
        EXPECT_NEAR(blockCorrelation(study), 0.0, 1e-12) << factors;
        int found = 0;
        for (const study::Run& run : study.runs)
            found += run.kind == RunKind::Center && run.block == blocks ? 1 : 0;
        EXPECT_EQ(found, atAxial) << factors;
    }
}

TEST(CentralComposite, RefusesBlocksThatLoseAnInteraction)
{
    study::Study study = compositeStudy(3, "rotatable", 5);
    study.design.blocks = 5;
    EXPECT_THAT(test::messageOf(study), HasSubstr("without losing a two-factor interaction"));
}

TEST(CentralComposite, HasACoreOfResolutionFive)
{
    const std::map<int, int> kCorners = {{2, 4},  {3, 8},  {4, 16}, {5, 16},
                                         {6, 32}, {7, 64}, {8, 64}, {9, 128}};
    for (const auto& [factors, corners] : kCorners)
        EXPECT_EQ(countOf(layOut(compositeStudy(factors, "face", 1)), RunKind::Design), corners) << factors;
    study::Study full = compositeStudy(5, "face", 1);
    full.design.resolution = 6;
    EXPECT_EQ(countOf(layOut(full), RunKind::Design), 32);
    full.design.resolution = 0;
    full.design.generators = {"E=ABC"};
    EXPECT_THAT(test::messageOf(full), HasSubstr("resolution 4"));
    full.design.generators = {"E=-ABCD"};
    EXPECT_EQ(countOf(layOut(full), RunKind::Design), 16);
}

TEST(CentralComposite, EstimatesEveryQuadraticTerm)
{
    for (int k = 2; k <= 7; ++k) {
        const Eigen::MatrixXd x =
            test::quadraticColumns(test::codedRuns(layOut(compositeStudy(k, "face", 1))));
        EXPECT_EQ(Eigen::FullPivLU<Eigen::MatrixXd>(x).rank(), x.cols()) << k;
    }
}

TEST(CentralComposite, IsRepeatedForEveryCategory)
{
    study::Study study = compositeStudy(2, "face", 6);
    study.factors.push_back(test::categorical("c", 3));
    study = layOut(study);
    EXPECT_EQ(study.runs.size(), 3U * 8U + 6U);
    std::map<std::string, int> counts;
    for (const study::Run& run : study.runs)
        ++counts[study::toText(run.settings.at("c"))];
    EXPECT_EQ(counts, (std::map<std::string, int>{{"c1", 10}, {"c2", 10}, {"c3", 10}}));
}

TEST(CentralComposite, SaysWhichAxialRunCannotBeRun)
{
    study::Study study = compositeStudy(2, "rotatable", 3);
    study.factors[0] = {.name = "batch", .unit = "images", .type = FactorType::Integer, .low = 8, .high = 64};
    EXPECT_THAT(test::messageOf(study),
                HasSubstr("'batch': its axial runs would be at -4 images, which is negative"));
    study.factors[0].low = 28;
    EXPECT_EQ(test::messageOf(study), "");
    study.factors[0].scale = study::Scale::Log2;
    study.factors[0].low = 8;
    EXPECT_EQ(test::messageOf(study), "") << "nothing is negative on the log2 scale";
    study.factors[0] = {.name = "share", .unit = "%", .low = 40, .high = 90};
    EXPECT_THAT(test::messageOf(study), HasSubstr("more than the whole"));
    study.factors[0] = {
        .name = "bucket", .type = FactorType::Discrete, .low = 1, .high = 9, .levels = {1, 5, 9}};
    EXPECT_THAT(test::messageOf(study), HasSubstr("the nearest value that can be run is 1"));
    study.factors[0] = {.name = "nodes", .type = FactorType::Integer, .low = 8, .high = 64, .multipleOf = 8};
    study.design.alpha = "1.05";
    EXPECT_THAT(test::messageOf(study), HasSubstr("nearest value that can be run is 8"));
    study.design.alpha = "face";
    EXPECT_EQ(test::messageOf(study), "");
}

TEST(CentralComposite, FallsBackToTheFacesWhereNoDistanceIsAskedFor)
{
    study::Study study = compositeStudy(2, "", 3);
    EXPECT_NEAR(alphaOf(layOut(study)), std::sqrt(2.0), 1e-12);
    study.factors[0].low = 1.0;
    EXPECT_EQ(alphaOf(layOut(study)), 1.0);
}

TEST(CentralComposite, NeedsTwoNumericFactors)
{
    study::Study study = compositeStudy(1, "face", 3);
    study.factors.push_back(test::categorical("c", 2));
    EXPECT_THAT(test::messageOf(study), HasSubstr("2 numeric factors or more, not 1"));
}

} // namespace
} // namespace quadric::design
