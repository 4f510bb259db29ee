// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/base/test_power.h"
#include "core/model/fit/effect_ranking.h"
#include "core/model/fit/regression.h"
#include "core/model/predict/corner_cover.h"
#include "core/model/predict/curves.h"
#include "oracle_study.h"

#include <gtest/gtest.h>

#include <cmath>

namespace quadric::model::test {

namespace {

/// The twelve edges of a Box–Behnken design and three center runs.
study::Study boxBehnken(double (*truth)(double, double, double))
{
    study::Study study = plainStudy({"A", "B", "C"});
    for (const std::vector<study::Value>& point : gridOf(3, {-1, 0, 1})) {
        const double a = std::get<double>(point[0]), b = std::get<double>(point[1]),
                     c = std::get<double>(point[2]);
        const double size = std::abs(a) + std::abs(b) + std::abs(c);
        for (int i = 0; i < (size == 2 ? 1 : size == 0 ? 3 : 0); ++i)
            addRun(study, point,
                   truth(a, b, c) + 0.1 * std::sin(7.0 * static_cast<double>(study.runs.size())));
    }
    return study;
}

double oneInteraction(double a, double b, double)
{
    return 20 + 3 * a - 2 * b + 1.5 * a * b;
}

} // namespace

// R 4.2: p.adjust(c(0.01, NA, 0.04, 0.03, 0.005, 0.6), "holm", n = 5)
TEST(EffectRanking, holmAgreesWithR)
{
    const std::vector<std::optional<double>> adjusted =
        adjustByHolm({0.01, std::nullopt, 0.04, 0.03, 0.005, 0.6});
    const std::vector<double> expected{0.04, -1, 0.09, 0.09, 0.025, 0.6};
    ASSERT_EQ(adjusted.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (i == 1)
            EXPECT_FALSE(adjusted[i].has_value());
        else
            EXPECT_NEAR(adjusted[i].value(), expected[i], 1e-15) << i;
    }
}

// R 4.2: 1 - pf(qf(0.95, df1, df2), df1, df2, ncp = 4 * df1)
TEST(EffectRanking, powerOfATestAgreesWithR)
{
    EXPECT_NEAR(computeTestPower(3, 2, 12), 0.2235307, 1e-7);
    EXPECT_NEAR(computeTestPower(5, 5, 20), 0.5419582, 1e-7);
    EXPECT_NEAR(computeTestPower(10, 4, 40), 0.4874582, 1e-7);
    EXPECT_EQ(computeTestPower(3, 3, 1e9), 1.0);
}

/// One order, one limit and one verdict in both plots; the squares of this design have other errors than the
/// rest.
TEST(EffectRanking, halfNormalPlotIsTheParetoChart)
{
    const Fit fit = fitResponse(boxBehnken(oneInteraction), "y", {.model = "quadratic"});
    const HalfNormalPlot plot = halfNormalPlot(fit);
    const std::vector<RankedEffect> ranked = rankEffects(fit);
    EXPECT_TRUE(plot.isStandardized);
    EXPECT_EQ(plot.marginOfError, fit.effectLimit.value);
    EXPECT_EQ(plot.simultaneous, fit.effectLimit.bonferroni);
    ASSERT_EQ(plot.points.size(), ranked.size());
    for (std::size_t i = 0; i < ranked.size(); ++i) {
        const Effect& effect = fit.effects[ranked[i].index];
        const ScorePoint& point = plot.points[ranked.size() - 1 - i];
        EXPECT_EQ(point.label, effect.term);
        EXPECT_EQ(point.value, effect.standardized.value());
        EXPECT_EQ(point.isActive, effect.p.value() < 0.05) << effect.term;
    }
}

/// Without an error estimate terms of different variance are compared after orthogonalization.
TEST(EffectRanking, lenthComparesTermsOfEqualVariance)
{
    study::Study study = plainStudy({"A", "B"});
    for (const std::vector<study::Value>& point : gridOf(2, {-1, 0, 1}))
        addRun(study, point,
               10 + 2 * std::get<double>(point[0]) +
                   0.3 * std::sin(5.0 * static_cast<double>(study.runs.size())));
    const Fit fit = fitResponse(study, "y", {.model = "A^2*B^2"});
    ASSERT_EQ(fit.dfResidual, 0);
    ASSERT_EQ(fit.effectLimit.method, "lenth");
    const Eigen::VectorXd& sequential = fit.data->regression.solution.sequential;
    double total = 0.0;
    for (const RankedEffect& effect : rankEffects(fit))
        total += effect.size * effect.size * 9 / 4;
    EXPECT_NEAR(total, sequential.sum(), 1e-9 * total); // the squares add up to all variation
    EXPECT_EQ(fit.effects[rankEffects(fit).front().index].term, "A");
}

/// A chosen model without a factor does not see that no run is at the corners.
TEST(EffectRanking, cornersOfABoxBehnkenDesignAreNotCovered)
{
    const study::Study study = boxBehnken([](double a, double, double) { return 5 + a; });
    for (const char* model : {"quadratic", "A", "A + B"}) {
        const CornerCover cover = findUncoveredCorners(fitResponse(study, "y", {.model = model}));
        EXPECT_EQ(cover.model, "quadratic");
        EXPECT_EQ(cover.corners, 8);
        EXPECT_EQ(cover.outside, 8) << model;
    }
    study::Study grid = plainStudy({"A", "B"});
    for (int repeat = 0; repeat < 2; ++repeat)
        for (const std::vector<study::Value>& point : gridOf(2, {-1, 0, 1}))
            addRun(grid, point,
                   std::get<double>(point[0]) + 0.1 * std::sin(3.0 * static_cast<double>(grid.runs.size())));
    EXPECT_EQ(findUncoveredCorners(fitResponse(grid, "y", {.model = "A"})).outside, 0);
    EXPECT_EQ(findUncoveredCorners(fitResponse(study, "y", {.model = "A"})).corners, 8);
}

TEST(EffectRanking, aSaturatedModelSaysNothingOfTheCorners)
{
    study::Study study = plainStudy({"A", "B"});
    for (const std::vector<study::Value>& point : gridOf(2, {-1, 1}))
        addRun(study, point, std::get<double>(point[0]));
    EXPECT_EQ(findUncoveredCorners(fitResponse(study, "y", {.model = "interactions"})).corners, 0);
}

} // namespace quadric::model::test
