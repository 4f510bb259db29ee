// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/generate/latin_hypercube.h"
#include "design_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quadric::design {
namespace {

using ::testing::HasSubstr;

TEST(LatinHypercube, EveryColumnIsAPermutation)
{
    const Eigen::MatrixXi rows = maximinLatinHypercube(20, 4, 1);
    for (Eigen::Index i = 0; i < 4; ++i) {
        std::set<int> values(rows.col(i).begin(), rows.col(i).end());
        EXPECT_EQ(values.size(), 20U);
        EXPECT_EQ(*values.begin(), 0);
        EXPECT_EQ(*values.rbegin(), 19);
    }
}

/// Largest possible smallest distances of Latin hypercubes in two dimensions, squared: van Dam, Husslage, den
/// Hertog & Melissen 2007, table 1 (Euclidean maximin): n = 5: 5, 6: 5, 7: 8, 9: 10, 10: 10.
TEST(LatinHypercube, ReachesTheKnownBestInTwoDimensions)
{
    for (const auto& [runs, squared] : {std::pair{5, 5}, {6, 5}, {7, 8}, {9, 10}, {10, 10}})
        EXPECT_NEAR(std::pow(smallestDistance(maximinLatinHypercube(runs, 2, 42)), 2.0), squared, 1e-9)
            << runs;
}

TEST(LatinHypercube, FillsTheSpaceBetterThanChance)
{
    // A random hypercube of 30 runs in 3 factors has a smallest distance near 4 steps.
    EXPECT_GT(smallestDistance(maximinLatinHypercube(30, 3, 7)), 8.0);
}

TEST(LatinHypercube, DependsOnTheSeedOnly)
{
    EXPECT_EQ(maximinLatinHypercube(12, 3, 5), maximinLatinHypercube(12, 3, 5));
    EXPECT_NE(maximinLatinHypercube(12, 3, 5), maximinLatinHypercube(12, 3, 6));
}

TEST(LatinHypercube, StopsWhenAsked)
{
    std::stop_source source;
    source.request_stop();
    EXPECT_THROW(maximinLatinHypercube(12, 3, 5, source.get_token()), Stopped);
    double done = 0.0;
    maximinLatinHypercube(12, 3, 5, {}, {.done = [&](double part) { done = part; }});
    EXPECT_EQ(done, 1.0);
}

TEST(LatinHypercube, SettingsCanBeRunAndLevelsAreEven)
{
    study::Study study = test::continuousStudy(1, "latin-hypercube");
    study.factors.push_back(
        {.name = "n", .type = study::FactorType::Integer, .low = 8, .high = 64, .multipleOf = 8});
    study.factors.push_back(
        {.name = "d", .type = study::FactorType::Discrete, .low = 1, .high = 25, .levels = {1, 4, 25}});
    study.factors.push_back(test::categorical("c", 2));
    study.design.runs = 24;
    study = layOut(study);
    ASSERT_EQ(study.runs.size(), 24U);
    std::map<study::Value, int> d;
    std::map<study::Value, int> c;
    std::set<study::Value> a;
    for (const study::Run& run : study.runs) {
        EXPECT_EQ(std::fmod(study::numberOf(run.settings.at("n")), 8.0), 0.0);
        ++d[run.settings.at("d")];
        ++c[run.settings.at("c")];
        a.insert(run.settings.at("a"));
    }
    EXPECT_EQ(a.size(), 24U);
    EXPECT_EQ(d, (std::map<study::Value, int>{{1.0, 8}, {4.0, 8}, {25.0, 8}}));
    EXPECT_EQ(c, (std::map<study::Value, int>{{"c1", 12}, {"c2", 12}}));
    study.design.runs = 0;
    EXPECT_EQ(layOut(study).runs.size(), 40U) << "ten a factor";
    study.design.blocks = 2;
    EXPECT_THAT(test::messageOf(study), HasSubstr("no orthogonal blocks"));
}

} // namespace
} // namespace quadric::design
