// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/generate/definitive_screening.h"
#include "core/design/generate/paley.h"
#include "design_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

} // namespace
} // namespace quadric::design
