// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/generate/box_behnken.h"

#include "design_fixture.h"
#include "tests/support/test_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <Eigen/QR>

#include <fstream>
#include <set>

namespace quadric::design {
namespace {

std::multiset<std::string> rowsOf(const Eigen::MatrixXd& design)
{
    return test::sorted(test::signTexts(design));
}

class BoxBehnken : public testing::TestWithParam<int> {};

TEST_P(BoxBehnken, HasThePublishedNumberOfRuns)
{
    static const std::map<int, int> kPublished = {{3, 12},  {4, 24},   {5, 40},   {6, 48},   {7, 56},
                                                  {9, 120}, {10, 160}, {11, 176}, {12, 192}, {16, 384}};
    EXPECT_EQ(boxBehnken(GetParam()).rows(), kPublished.at(GetParam()));
}

TEST_P(BoxBehnken, IsBalancedAndOrthogonalInLinearTerms)
{
    const Eigen::MatrixXd design = boxBehnken(GetParam());
    EXPECT_EQ(design.colwise().sum().cwiseAbs().maxCoeff(), 0.0);
    const Eigen::MatrixXd gram = design.transpose() * design;
    EXPECT_TRUE(gram.isDiagonal());
    EXPECT_EQ(gram.diagonal().minCoeff(), gram.diagonal().maxCoeff());
}

TEST_P(BoxBehnken, EstimatesTheQuadraticModelWithCenterRuns)
{
    const Eigen::MatrixXd points = boxBehnken(GetParam());
    Eigen::MatrixXd design = Eigen::MatrixXd::Zero(points.rows() + 3, points.cols());
    design.topRows(points.rows()) = points;
    const Eigen::MatrixXd x = test::quadraticColumns(design);
    EXPECT_EQ(x.colPivHouseholderQr().rank(), x.cols());
}

/// Each factor in as many groups as every other, and each pair together in as many groups as the paper's
/// balanced and partially balanced blocks say: λ = 1 up to 5 factors; 6: 1 and 2; 7: 1; 9: 1 and 2 …
TEST_P(BoxBehnken, HasThePairsOfThePublishedBlocks)
{
    const int k = GetParam();
    const Eigen::MatrixXd squares = boxBehnken(k).array().square();
    const Eigen::MatrixXd together = squares.transpose() * squares;
    static const std::map<int, std::map<int, int>> kPairs = {// factor pairs by runs in which both are varied
                                                             {3, {{4, 3}}},
                                                             {4, {{4, 6}}},
                                                             {5, {{4, 10}}},
                                                             {6, {{8, 12}, {16, 3}}},
                                                             {7, {{8, 21}}},
                                                             {9, {{8, 27}, {16, 9}}},
                                                             {10, {{16, 30}, {32, 15}}},
                                                             {11, {{32, 55}}},
                                                             {12, {{16, 60}, {32, 6}}},
                                                             {16, {{16, 96}, {32, 24}}}};
    std::map<int, int> pairs;
    for (int i = 0; i < k; ++i)
        for (int j = 0; j < i; ++j)
            ++pairs[static_cast<int>(together(i, j))];
    EXPECT_EQ(pairs, kPairs.at(k));
}

/// Rotatable: Σx⁴ = 3 Σx²y² for all pairs. Exactly so for 4 and 7 factors (Box & Behnken 1960).
TEST_P(BoxBehnken, IsRotatableWhereThePaperSaysSo)
{
    const Eigen::MatrixXd squares = boxBehnken(GetParam()).array().square();
    const Eigen::MatrixXd moments = squares.transpose() * squares;
    bool isRotatable = true;
    for (Eigen::Index i = 0; i < moments.rows(); ++i)
        for (Eigen::Index j = 0; j < i; ++j)
            isRotatable = isRotatable && moments(i, i) == 3.0 * moments(i, j);
    EXPECT_EQ(isRotatable, GetParam() == 4 || GetParam() == 7);
}

/// Each block has the same sums of all columns of the quadratic model per run.
TEST_P(BoxBehnken, HasOrthogonalBlocks)
{
    const int k = GetParam();
    static const std::map<int, std::vector<int>> kBlocks = {
        {3, {1}},           {4, {1, 3}},  {5, {1, 2}}, {6, {1, 2}},  {7, {1, 2}},
        {9, {1, 2, 5, 10}}, {10, {1, 2}}, {11, {1}},   {12, {1, 2}}, {16, {1, 2, 6, 12}}};
    ASSERT_EQ(boxBehnkenBlocks(k), kBlocks.at(k));
    for (const int blocks : boxBehnkenBlocks(k)) {
        const std::vector<DesignPoint> points = boxBehnkenPoints(k, blocks);
        std::vector<Eigen::MatrixXd> moments(static_cast<std::size_t>(blocks),
                                             Eigen::MatrixXd::Zero(k + 1, k + 1));
        for (const DesignPoint& point : points) {
            Eigen::VectorXd x(k + 1);
            x << 1.0, point.point.x;
            moments[static_cast<std::size_t>(point.block) - 1] += x * x.transpose();
        }
        for (const Eigen::MatrixXd& block : moments)
            EXPECT_TRUE(block.isApprox(moments.front())) << k << " factors in " << blocks << " blocks";
    }
}

TEST_P(BoxBehnken, HasNoPointTwice)
{
    if (GetParam() == 9)
        GTEST_SKIP() << "the published design of nine factors runs three of its groups twice";
    const std::multiset<std::string> rows = rowsOf(boxBehnken(GetParam()));
    EXPECT_EQ(std::set<std::string>(rows.begin(), rows.end()).size(), rows.size());
}

INSTANTIATE_TEST_SUITE_P(Factors, BoxBehnken, testing::Values(3, 4, 5, 6, 7, 9, 10, 11, 12, 16));

TEST(BoxBehnkenReference, HasTheRunsOfTheIndependentTable)
{
    std::ifstream file(sourcePath("tests/references/oracles/09_classical_designs.json"));
    ASSERT_TRUE(file) << "missing reference file";
    const auto tables = nlohmann::json::parse(file).at("box_behnken");
    for (const int factors : {3, 4, 5}) {
        const auto expected =
            tables.at(std::to_string(factors)).at("noncentre_runs_sorted").get<std::multiset<std::string>>();
        EXPECT_EQ(rowsOf(boxBehnken(factors)), expected) << factors << " factors";
    }
}

/// Box & Behnken 1960, table 4: for 6 factors every pair meets in one block of three, but for three pairs
/// that meet twice; for 7 factors the blocks are the lines of the Fano plane.
TEST(BoxBehnkenReference, PairsOfSixAndSevenFactorsMeetAsPublished)
{
    const auto meetings = [](int factors) {
        const Eigen::MatrixXd squares = boxBehnken(factors).cwiseAbs2();
        const Eigen::MatrixXd counts = squares.transpose() * squares / 8.0;
        std::multiset<int> pairs;
        for (Eigen::Index i = 0; i < factors; ++i)
            for (Eigen::Index j = i + 1; j < factors; ++j)
                pairs.insert(static_cast<int>(counts(i, j)));
        return pairs;
    };
    const std::multiset<int> six = meetings(6);
    EXPECT_EQ(six.count(1), 12U);
    EXPECT_EQ(six.count(2), 3U);
    EXPECT_EQ(meetings(7).count(1), 21U);
}

TEST(BoxBehnkenReference, RefusesOtherNumbersOfFactors)
{
    for (const int factors : {-1, 0, 2, 8})
        EXPECT_THROW(boxBehnken(factors), DesignError) << factors;
}

} // namespace
} // namespace quadric::design
