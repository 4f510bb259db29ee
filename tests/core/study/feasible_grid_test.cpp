// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/space/feasible_grid.h"

#include <gtest/gtest.h>

#include <cmath>

namespace quadric::study {
namespace {

/// Two factors on log2 scales and a category.
Study constrained(std::vector<std::string> constraints)
{
    Study study;
    study.factors = {{.name = "gpus", .low = 8, .high = 128, .scale = Scale::Log2},
                     {.name = "batch", .low = 32, .high = 512, .scale = Scale::Log2},
                     {.name = "precision", .type = FactorType::Categorical, .categories = {"fp32", "bf16"}}};
    study.constraints = std::move(constraints);
    return study;
}

std::vector<double> nodesOf(const Factor& factor, int count)
{
    std::vector<double> nodes;
    for (int i = 0; i < count; ++i)
        nodes.push_back(factor.low * std::pow(factor.high / factor.low, double(i) / (count - 1)));
    return nodes;
}

/// Every node against the study's own evaluation.
void expectAsTheStudySays(const Study& study)
{
    const std::vector<double> x = nodesOf(study.factors[0], 23), y = nodesOf(study.factors[1], 19);
    for (const double level : {0.0, 1.0}) {
        const FeasibleGrid grid = feasibleGrid(study, {0, x}, {1, y}, {8.0, 32.0, level});
        for (std::size_t i = 0; i < x.size(); ++i)
            for (std::size_t j = 0; j < y.size(); ++j) {
                const Settings settings{{"gpus", x[i]},
                                        {"batch", y[j]},
                                        {"precision", study.factors[2].categories[std::size_t(level)]}};
                const bool isLegal = study::isLegal(study, settings);
                EXPECT_EQ(grid.isFeasible(Eigen::Index(i), Eigen::Index(j)), isLegal)
                    << study.constraints.front() << " at " << x[i] << ", " << y[j] << ", " << level;
                EXPECT_EQ(grid.reason(x[i], y[j]).empty(), isLegal);
            }
    }
}

TEST(FeasibleGrid, IsFeasibleAtTheNodesWhereTheConstraintsHold)
{
    expectAsTheStudySays(constrained({"gpus * batch <= 32768.5"}));
    expectAsTheStudySays(constrained({"gpus * batch <= 32768.5", "batch >= 2 * gpus - 0.1"}));
    expectAsTheStudySays(constrained({"not (precision == \"bf16\" and gpus > 60.5)"}));
    expectAsTheStudySays(constrained({"precision == \"fp32\" or batch / gpus < 3.01"}));
    expectAsTheStudySays(constrained({"precision != \"bf16\""}));
}

TEST(FeasibleGrid, NamesTheConstraintWithItsNumbers)
{
    const Study study = constrained({"gpus * batch <= 32768"});
    const FeasibleGrid grid = feasibleGrid(study, {0, {8, 128}}, {1, {32, 512}}, {8, 32, 0});
    EXPECT_EQ(grid.reason(100, 368), "gpus × batch = 36800 > 32768");
    EXPECT_EQ(grid.reason(100, 300), "");
}

TEST(FeasibleGrid, IsEmptyWhereNothingIsForbidden)
{
    EXPECT_TRUE(feasibleGrid(constrained({}), {0, {8, 128}}, {1, {32, 512}}, {8, 32, 0}).isEmpty());
    EXPECT_TRUE(
        feasibleGrid(constrained({"gpus < 1000"}), {0, {8, 128}}, {1, {32, 512}}, {8, 32, 0}).isEmpty());
    EXPECT_TRUE(
        feasibleGrid(constrained({"gpus < nothing"}), {0, {8, 128}}, {1, {32, 512}}, {8, 32, 0}).isEmpty());
}

/// gpus × batch = 8192 crosses batch = 128 at 64; margins are nearly linear there.
TEST(FeasibleLine, HasTheBoundaryBetweenThePlaces)
{
    const Study study = constrained({"gpus * batch <= 8192"});
    const std::vector<double> places = nodesOf(study.factors[0], 31);
    const FeasibleLine line = feasibleLine(study, {0, places}, {0, 128, 0});
    const std::vector<Range> ranges = infeasibleRanges(study.factors[0], places, line);
    ASSERT_EQ(ranges.size(), 1u);
    EXPECT_NEAR(ranges[0].low, 64.0, 0.2);
    EXPECT_DOUBLE_EQ(ranges[0].high, places.back());
}

TEST(FeasibleLine, HasStretchesBetweenFeasibleOnes)
{
    const Study study = constrained({"gpus <= 16 or gpus >= 64"});
    const std::vector<double> places = nodesOf(study.factors[0], 31);
    const std::vector<Range> ranges =
        infeasibleRanges(study.factors[0], places, feasibleLine(study, {0, places}, {0, 32, 0}));
    ASSERT_EQ(ranges.size(), 1u);
    EXPECT_NEAR(ranges[0].low, 16.0, 1.0);
    EXPECT_NEAR(ranges[0].high, 64.0, 2.0);
}

TEST(FeasibleLine, OfACategoryIsItsLevels)
{
    const Study study = constrained({"precision != \"bf16\" or gpus < 32"});
    const auto rangesAt = [&study](double gpus) {
        const FeasibleLine line = feasibleLine(study, {2, {0, 1}}, {gpus, 64, 0});
        return infeasibleRanges(study.factors[2], {0, 1}, line);
    };
    EXPECT_TRUE(rangesAt(16).empty());
    ASSERT_EQ(rangesAt(64).size(), 1u);
    EXPECT_EQ(rangesAt(64)[0].low, 0.5);
    EXPECT_EQ(rangesAt(64)[0].high, 1.5);
}

/// A probability of running goes the same way, with its boundary at one half.
TEST(FeasibleLine, HasItsBoundaryAtAnyLevel)
{
    const Factor factor{.name = "x", .low = 0, .high = 4};
    const std::vector<Range> ranges =
        infeasibleRanges(factor, {0, 1, 2, 3, 4}, {{0.9, 0.7, 0.3, 0.1, 0.6}, 0.5});
    ASSERT_EQ(ranges.size(), 1u);
    EXPECT_DOUBLE_EQ(ranges[0].low, 1.5);
    EXPECT_DOUBLE_EQ(ranges[0].high, 3.8);
}

} // namespace
} // namespace quadric::study
