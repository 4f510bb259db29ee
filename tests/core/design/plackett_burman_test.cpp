// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/generate/plackett_burman.h"
#include "design_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quadric::design {
namespace {

using ::testing::HasSubstr;

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
