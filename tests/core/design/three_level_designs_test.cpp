// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/generate/plackett_burman.h"
#include "core/design/generate/three_level_designs.h"
#include "design_fixture.h"
#include "tests/support/test_paths.h"

#include <Eigen/QR>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <set>

namespace quadric::design {
namespace {

using ::testing::HasSubstr;

TEST(ConferenceMatrix, HasOrthogonalRowsWithOneZeroEach)
{
    const std::vector<int> orders = conferenceOrders();
    EXPECT_THAT(orders, ::testing::IsSupersetOf({4, 6, 8, 10, 12, 14, 16, 18, 20, 24, 26, 28, 30, 32}));
    for (const int order : orders) {
        const Eigen::MatrixXd c = conferenceMatrix(order);
        ASSERT_EQ(c.rows(), order);
        EXPECT_EQ(c.diagonal().cwiseAbs().maxCoeff(), 0.0);
        EXPECT_EQ(c.cwiseAbs().sum(), order * (order - 1.0)) << order;
        EXPECT_EQ(Eigen::MatrixXd(c * c.transpose()),
                  Eigen::MatrixXd((order - 1.0) * Eigen::MatrixXd::Identity(order, order)))
            << order;
    }
    // 21 is no sum of two squares: no conference matrix of order 22 (Belevitch 1950).
    EXPECT_EQ(conferenceMatrix(22).size(), 0);
    EXPECT_EQ(conferenceMatrix(5).size(), 0);
}

double correlation(const Eigen::ArrayXd& a, const Eigen::ArrayXd& b)
{
    const Eigen::ArrayXd u = a - a.mean();
    const Eigen::ArrayXd v = b - b.mean();
    return std::abs((u * v).sum()) / std::sqrt(u.square().sum() * v.square().sum());
}

class DefinitiveScreening : public ::testing::TestWithParam<int> {
protected:
    Eigen::MatrixXd rows()
    {
        study::Study study = test::continuousStudy(GetParam(), "definitive-screening");
        study.design.centerRuns = 1;
        return test::codedRuns(layOut(study));
    }
};

/// Jones & Nachtsheim 2011.
TEST_P(DefinitiveScreening, HasThePublishedProperties)
{
    const int k = GetParam();
    const Eigen::MatrixXd x = rows();
    const int order = k + k % 2;
    EXPECT_EQ(x.rows(), 2 * order + 1);
    const std::multiset<std::string> texts = test::sorted(test::signTexts(x));
    EXPECT_EQ(texts, test::sorted(test::signTexts(-x))) << "closed under foldover";
    EXPECT_EQ(texts.count(std::string(static_cast<std::size_t>(k), '0')), 1U);
    for (int i = 0; i < k; ++i)
        EXPECT_EQ((x.col(i).array() == 0.0).count(), 3) << "three runs in the middle of every factor";
    const Eigen::MatrixXd gram = x.transpose() * x;
    EXPECT_EQ(gram, Eigen::MatrixXd(2.0 * (order - 1) * Eigen::MatrixXd::Identity(k, k)));
    for (int i = 0; i < k; ++i)
        for (int j = 0; j < k; ++j)
            for (int l = j; l < k; ++l)
                EXPECT_EQ(x.col(i).dot(x.col(j).cwiseProduct(x.col(l))), 0.0)
                    << "main effects are clear of squares and interactions";
}

INSTANTIATE_TEST_SUITE_P(Factors, DefinitiveScreening,
                         ::testing::Values(3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16));

/// tests/references/oracles/09_classical_designs.json, cross-checked with the R package daewr.
TEST(DefinitiveScreeningOracle, HasTheCorrelationsOfTheReference)
{
    const nlohmann::json oracle =
        test::reference("oracles/09_classical_designs.json")["definitive_screening"];
    for (const int k : {4, 6}) {
        const nlohmann::json expected = oracle[std::to_string(k)]["properties"];
        study::Study study = test::continuousStudy(k, "definitive-screening");
        study.design.centerRuns = 1;
        const Eigen::ArrayXXd x = test::codedRuns(layOut(study));
        const Eigen::ArrayXXd squares = x.square();
        std::set<double> squareInteraction;
        double largest = 0.0;
        const auto rounded = [](double value) { return std::round(value * 1e6) / 1e6; };
        for (int i = 0; i < k; ++i)
            for (int j = 0; j < i; ++j) {
                EXPECT_NEAR(correlation(squares.col(i), squares.col(j)),
                            expected["abs_corr_square_square"][0].get<double>(), 1e-6);
                for (int l = 0; l < k; ++l)
                    squareInteraction.insert(rounded(correlation(squares.col(l), x.col(i) * x.col(j))));
                for (int m = 0; m < k; ++m)
                    for (int n = 0; n < m; ++n)
                        if (std::pair(i, j) != std::pair(m, n))
                            largest =
                                std::max(largest, correlation(x.col(i) * x.col(j), x.col(m) * x.col(n)));
            }
        EXPECT_THAT(squareInteraction,
                    ::testing::ElementsAreArray(expected["abs_corr_square_2fi"].get<std::vector<double>>()));
        EXPECT_NEAR(largest, expected["max_abs_corr_2fi_2fi"].get<double>(), 1e-6);
    }
}

TEST(DefinitiveScreeningRuns, MoreRunsComeFromALargerMatrix)
{
    study::Study study = test::continuousStudy(5, "definitive-screening");
    study.design.centerRuns = 1;
    EXPECT_EQ(layOut(study).runs.size(), 13U);
    study.design.runs = 16;
    EXPECT_EQ(layOut(study).runs.size(), 17U);
    study.design.runs = 17;
    EXPECT_EQ(layOut(study).runs.size(), 17U) << "the published count, with its center run";
    study.design.runs = 14;
    EXPECT_THAT(test::messageOf(study), HasSubstr("has 12, 16, 20, 24 … runs"));
    study.design.centerRuns = 0;
    EXPECT_THAT(test::messageOf(study), HasSubstr("not 14"));
}

/// DSD-augment of Jones & Nachtsheim 2013: 2m + 2 runs; folded over, so main effects stay clear of squares
/// and interactions; continuous main effects stay orthogonal to one another.
TEST(DefinitiveScreeningRuns, HoldFactorsOfTwoLevels)
{
    study::Study study = test::continuousStudy(4, "definitive-screening");
    study.factors.push_back(test::categorical("e", 2));
    study.factors.push_back({.name = "f", .type = study::FactorType::Integer, .low = 1, .high = 2});
    study.design.centerRuns = 2;
    study = layOut(study);
    ASSERT_EQ(study.runs.size(), 14U);
    Eigen::MatrixXd x = test::codedRuns(study);
    x.col(4) = 2.0 * x.col(4).array() - 1.0;
    EXPECT_EQ(test::sorted(test::signTexts(x)), test::sorted(test::signTexts(-x)));
    EXPECT_EQ(x.rightCols(2).cwiseAbs().minCoeff(), 1.0);
    const Eigen::MatrixXd gram = x.transpose() * x;
    EXPECT_TRUE(gram.topLeftCorner(4, 4).isDiagonal());
    study.design.centerRuns = 1;
    EXPECT_THAT(test::messageOf(study), HasSubstr("in pairs"));
    study.factors.push_back(test::categorical("g", 3));
    EXPECT_THAT(test::messageOf(study), HasSubstr("'g' has 3"));
}

TEST(DefinitiveScreeningRuns, BlocksHoldWholePairs)
{
    study::Study study = test::continuousStudy(6, "definitive-screening");
    study.design.blocks = 3;
    study.design.centerRuns = 3;
    study = layOut(study);
    const Eigen::MatrixXd x = test::codedRuns(study);
    std::map<int, Eigen::RowVectorXd> sums;
    for (std::size_t i = 0; i < study.runs.size(); ++i)
        sums.try_emplace(study.runs[i].block, Eigen::RowVectorXd::Zero(6)).first->second +=
            x.row(static_cast<Eigen::Index>(i));
    ASSERT_EQ(sums.size(), 3U);
    for (const auto& [block, sum] : sums)
        EXPECT_EQ(sum.cwiseAbs().maxCoeff(), 0.0) << block;
}

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
