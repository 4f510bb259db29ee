// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/generate/central_composite.h"
#include "core/design/generate/full_factorial.h"
#include "core/design/generate/plackett_burman.h"
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
using ::testing::ElementsAre;
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

TEST(FullFactorial, HasEveryCombinationOnceInStandardOrder)
{
    const study::Study study = layOut(test::continuousStudy(3, "full-factorial"));
    EXPECT_THAT(test::signTexts(test::codedRuns(study)),
                ElementsAre("---", "+--", "-+-", "++-", "--+", "+-+", "-++", "+++"));
}

TEST(FullFactorial, HasAnyNumberOfLevels)
{
    study::Study study = test::continuousStudy(2, "full-factorial");
    study.factors.push_back(test::categorical("c", 3));
    study.factors.push_back(
        {.name = "d", .type = FactorType::Discrete, .low = 1, .high = 100, .levels = {1, 4, 25, 100}});
    study.design.levels = {{"b", 5}};
    study = layOut(study);
    EXPECT_EQ(study.runs.size(), 2U * 5U * 3U * 4U);
    std::set<study::Settings> settings;
    std::map<double, int> levels;
    for (const study::Run& run : study.runs) {
        settings.insert(run.settings);
        ++levels[study::numberOf(run.settings.at("b"))];
    }
    EXPECT_EQ(settings.size(), study.runs.size());
    EXPECT_EQ(levels, (std::map<double, int>{{10, 24}, {12.5, 24}, {15, 24}, {17.5, 24}, {20, 24}}));
}

TEST(FullFactorial, LevelsAreEvenOnTheFactorsScale)
{
    study::Study study = test::continuousStudy(1, "full-factorial");
    study.factors[0] = {
        .name = "a", .type = FactorType::Integer, .low = 8, .high = 64, .scale = study::Scale::Log2};
    study.design.levels = {{"a", 4}};
    std::vector<double> values;
    for (const study::Run& run : layOut(study).runs)
        values.push_back(study::numberOf(run.settings.at("a")));
    EXPECT_THAT(values, ElementsAre(8, 16, 32, 64));
}

TEST(FullFactorial, TakesFewerLevelsOfADiscreteFactorFromItsList)
{
    const study::Factor factor{
        .name = "d", .type = FactorType::Discrete, .low = 1, .high = 9, .levels = {1, 2, 5, 8, 9}};
    EXPECT_THAT(factorialLevels(factor, 0), ElementsAre(-1, -0.75, 0, 0.75, 1));
    EXPECT_THAT(factorialLevels(factor, 3), ElementsAre(-1, 0, 1));
    EXPECT_THAT(factorialLevels(factor, 2), ElementsAre(-1, 1));
    EXPECT_THROW(factorialLevels(factor, 6), DesignError);
    EXPECT_THROW(factorialLevels(test::categorical("c", 3), 2), DesignError);
}

/// Montgomery 9: 3² in three blocks by the component AB, 3 runs each, main effects clear of blocks.
TEST(FullFactorial, DividesThreeLevelsIntoThreeBlocks)
{
    study::Study study = test::continuousStudy(2, "full-factorial");
    study.design.levels = {{"a", 3}, {"b", 3}};
    study.design.blocks = 3;
    study = layOut(study);
    std::map<int, std::multiset<double>> seen;
    for (const study::Run& run : study.runs)
        for (const char* name : {"a", "b"})
            seen[run.block].insert(study::numberOf(run.settings.at(name)));
    for (int block = 1; block <= 3; ++block)
        EXPECT_THAT(seen[block], ElementsAre(10, 10, 15, 15, 20, 20));
}

TEST(FullFactorial, CenterRunsGoThroughTheCategories)
{
    study::Study study = test::continuousStudy(2, "full-factorial");
    study.factors.push_back(test::categorical("c", 2));
    study.factors.push_back({.name = "d", .type = FactorType::Integer, .low = 1, .high = 2});
    study.design.centerRuns = 4;
    std::set<std::pair<std::string, double>> seen;
    for (const study::Run& run : layOut(study).runs) {
        if (run.kind != study::RunKind::Center)
            continue;
        EXPECT_EQ(study::numberOf(run.settings.at("a")), 15.0);
        seen.emplace(study::toText(run.settings.at("c")), study::numberOf(run.settings.at("d")));
    }
    EXPECT_EQ(seen.size(), 4U) << "c has two levels, and nothing lies between 1 and 2";
    study.factors.erase(study.factors.begin(), study.factors.begin() + 2);
    EXPECT_THAT(test::messageOf(study), HasSubstr("no center runs"));
}

TEST(FullFactorial, RefusesMoreRunsThanAnybodyMakes)
{
    study::Study study = test::continuousStudy(17, "full-factorial");
    EXPECT_THAT(test::messageOf(study), HasSubstr("131072 runs"));
}

TEST(PlackettBurman, IsBalancedAndOrthogonalInEverySize)
{
    EXPECT_EQ(plackettBurmanRuns().size(), 11U);
    for (const int runs : plackettBurmanRuns()) {
        const Eigen::MatrixXd signs = plackettBurman(runs);
        ASSERT_EQ(signs.rows(), runs);
        ASSERT_EQ(signs.cols(), runs - 1);
        EXPECT_EQ(signs.cwiseAbs().minCoeff(), 1.0);
        EXPECT_EQ(signs.colwise().sum().cwiseAbs().maxCoeff(), 0.0) << runs;
        EXPECT_EQ(Eigen::MatrixXd(signs.transpose() * signs),
                  Eigen::MatrixXd(runs * Eigen::MatrixXd::Identity(runs - 1, runs - 1)))
            << runs;
    }
    EXPECT_THROW(plackettBurman(10), DesignError);
    EXPECT_THROW(plackettBurman(52), DesignError);
}

/// tests/references/oracles/09_classical_designs.json: the published twelve runs.
TEST(PlackettBurman, HasThePublishedTwelveRuns)
{
    const nlohmann::json oracle =
        test::reference("oracles/09_classical_designs.json")["plackett_burman"]["12"];
    const study::Study study = layOut(test::continuousStudy(11, "plackett-burman"));
    EXPECT_EQ(test::sorted(test::signTexts(test::codedRuns(study))),
              test::sorted(oracle["runs_sorted"].get<std::vector<std::string>>()));
    // Every main effect is correlated by ±1/3 with the interactions of the others.
    const Eigen::MatrixXd signs = plackettBurman(12);
    EXPECT_NEAR(std::abs((signs.col(0).array() * signs.col(1).array() * signs.col(2).array()).sum()) / 12.0,
                oracle["properties"]["abs_correlation_main_with_2fi"][0].get<double>(), 1e-6);
}

TEST(PlackettBurman, TakesTheSmallestDesignForTheFactors)
{
    for (const auto& [factors, runs] : {std::pair{3, 8}, {7, 8}, {8, 12}, {11, 12}, {12, 16}, {23, 24}})
        EXPECT_EQ(layOut(test::continuousStudy(factors, "plackett-burman")).runs.size(), std::size_t(runs));
    study::Study study = test::continuousStudy(5, "plackett-burman");
    study.design.runs = 12;
    EXPECT_EQ(layOut(study).runs.size(), 12U);
    study.design.runs = 14;
    EXPECT_THAT(test::messageOf(study), HasSubstr("8, 12, 16 … 48 runs, not 14"));
    study = test::continuousStudy(9, "plackett-burman");
    study.design.runs = 8;
    EXPECT_THAT(test::messageOf(study), HasSubstr("needs 12 runs or more"));
}

TEST(PlackettBurman, BlocksByAnEmptyColumn)
{
    study::Study study = test::continuousStudy(10, "plackett-burman");
    study.design.blocks = 2;
    study = layOut(study);
    const Eigen::MatrixXd rows = test::codedRuns(study);
    EXPECT_EQ(rows.topRows(6).colwise().sum().cwiseAbs().maxCoeff(), 0.0);
    study = test::continuousStudy(11, "plackett-burman");
    study.design.blocks = 2;
    EXPECT_THAT(test::messageOf(study), HasSubstr("2 blocks and more runs"));
}

TEST(PlackettBurman, NamesAFactorOfThreeCategories)
{
    study::Study study = test::continuousStudy(5, "plackett-burman");
    study.factors.push_back(test::categorical("precision", 3));
    EXPECT_THAT(test::messageOf(study),
                HasSubstr("'precision' has 3. A full factorial or an optimal design"));
}

} // namespace
} // namespace quadric::design
