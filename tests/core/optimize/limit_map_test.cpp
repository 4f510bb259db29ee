// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/merit/limit_map.h"

#include "core/model/predict/predict.h"
#include "core/study/space/constraint.h"
#include "fixtures.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace quadric::optimize {
namespace {

/// Two factors from −1 to 1 and two responses: y0 = x, y1 = y, with limits that leave a rectangle.
Fitted rectangle()
{
    Fitted fitted;
    fitted.study.factors = {{.name = "x", .low = -1, .high = 1}, {.name = "y", .low = -1, .high = 1}};
    study::Response rising{.name = "y0", .goal = study::Goal::Maximize, .low = 0.0, .high = 1.0};
    study::Response held{.name = "y1", .goal = study::Goal::Target, .target = 0.0, .low = -0.5, .high = 0.5};
    fitted.study.responses = {rising, held};
    // Order of the terms: 1, x, y, x*y, x², y².
    fitted.fits = {polynomialFit(fitted.study, "y0", {0, 1, 0, 0, 0, 0}, -1, 1),
                   polynomialFit(fitted.study, "y1", {0, 0, 1, 0, 0, 0}, -1, 1)};
    return fitted;
}

study::CodedPoint middle()
{
    return study::CodedPoint(Eigen::VectorXd::Zero(2));
}

TEST(LimitMap, SharesAreThoseOfTheRectangleThatTheLimitsLeave)
{
    const Fitted fitted = rectangle();
    const LimitMap map = limitMap(fitted.study, fitted.fits, 0, 1, middle(), 41);
    // Nodes at −1, −0.95, …, 1: 21 of 41 have x ≥ 0, 21 have |y| ≤ 0.5.
    EXPECT_NEAR(map.feasible, 21.0 * 21.0 / (41.0 * 41.0), 1e-12);
    ASSERT_EQ(map.layers.size(), 2u);
    EXPECT_NEAR(map.layers[0].forbidden, 20.0 / 41.0, 1e-12);
    EXPECT_NEAR(map.layers[0].forbidsAlone, 20.0 * 21.0 / (41.0 * 41.0), 1e-12);
    EXPECT_NEAR(map.layers[1].forbidden, 20.0 / 41.0, 1e-12);
    EXPECT_NEAR(map.layers[1].value(0, 7), map.y[7], 1e-12);
    EXPECT_EQ(map.layers[0].low, 0.0);
    EXPECT_FALSE(map.layers[0].high.has_value()); // more than the upper limit is welcome
    EXPECT_EQ(map.layers[1].high, 0.5);
}

TEST(LimitMap, AConstraintTakesItsShareAway)
{
    Fitted fitted = rectangle();
    fitted.study.constraints = {"x + y <= 0.01"};
    const LimitMap map = limitMap(fitted.study, fitted.fits, 0, 1, middle(), 21);
    for (Eigen::Index i = 0; i < 21; ++i)
        for (Eigen::Index j = 0; j < 21; ++j) {
            const study::Settings settings{{"x", map.x[static_cast<std::size_t>(i)]},
                                           {"y", map.y[static_cast<std::size_t>(j)]}};
            EXPECT_EQ(map.isAllowed(i, j), study::isLegal(fitted.study, settings));
            EXPECT_EQ(map.constraints.isFeasible(i, j), map.isAllowed(i, j));
        }
    // x = 0, 0.1, …, 0.5 with y from −0.5 to −x: 6 + 5 + 4 + 3 + 2 + 1 nodes.
    EXPECT_NEAR(map.feasible, 21.0 / (21.0 * 21.0), 1e-12);
}

TEST(LimitMap, WithoutGoalsThereIsNothingToShow)
{
    Fitted fitted = rectangle();
    for (study::Response& response : fitted.study.responses)
        response.goal = study::Goal::None;
    EXPECT_TRUE(limitMap(fitted.study, fitted.fits, 0, 1, middle()).isEmpty());
    EXPECT_TRUE(desirabilityGrid(fitted.study, fitted.fits, 0, 1, middle()).x.empty());
}

TEST(LimitMap, AllResponsesAreThereWithoutLimitsToo)
{
    Fitted fitted = rectangle();
    fitted.study.responses[1].goal = study::Goal::None;
    const LimitMap map = limitMap(fitted.study, fitted.fits, 0, 1, middle(), 41, MapResponses::All);
    ASSERT_EQ(map.layers.size(), 2u);
    EXPECT_FALSE(map.layers[1].low.has_value() || map.layers[1].high.has_value());
    EXPECT_NEAR(map.layers[1].value(3, 7), map.y[7], 1e-12);
    EXPECT_NEAR(map.feasible, 21.0 / 41.0, 1e-12); // x ≥ 0 alone
}

TEST(LimitMap, DesirabilityGridIsTheOverallDesirabilityAtEachNode)
{
    const Fitted fitted = scalingStudy();
    const study::CodedPoint at(Eigen::Vector3d(0.3, -0.2, 0.7));
    const model::SurfaceGrid grid = desirabilityGrid(fitted.study, fitted.fits, 2, 0, at, 9);
    ASSERT_EQ(grid.z.rows(), 9);
    const study::Coding coding(fitted.study.factors);
    for (Eigen::Index i = 0; i < 9; ++i)
        for (Eigen::Index j = 0; j < 9; ++j) {
            study::CodedPoint node = at;
            node[2] = coding.toCoded(2, grid.x[static_cast<std::size_t>(i)]);
            node[0] = coding.toCoded(0, grid.y[static_cast<std::size_t>(j)]);
            EXPECT_NEAR(grid.z(i, j), overallAt(fitted, node), 1e-10);
        }
}

TEST(LimitMap, UnsupportedNodesAreThoseWhereAPredictionIsAnExtrapolation)
{
    Fitted fitted = scalingStudy();
    for (model::Fit& fit : fitted.fits)
        fit.maxLeverage *= 0.7; // as of runs that leave the corners out
    const study::CodedPoint at(Eigen::Vector3d(0.3, -0.2, 0.9));
    const Eigen::MatrixXd support = supportGrid(fitted.study, fitted.fits, 2, 0, at, 17);
    const model::SurfaceGrid grid = desirabilityGrid(fitted.study, fitted.fits, 2, 0, at, 17);
    int unsupported = 0;
    for (Eigen::Index i = 0; i < 17; ++i)
        for (Eigen::Index j = 0; j < 17; ++j) {
            study::CodedPoint node = at;
            node[2] = -1.0 + static_cast<double>(i) / 8.0;
            node[0] = -1.0 + static_cast<double>(j) / 8.0;
            const bool isFar = std::ranges::any_of(fitted.fits, [&node](const model::Fit& fit) {
                return model::predict(fit, node).isExtrapolation;
            });
            EXPECT_EQ(support(i, j) < 0.0, isFar) << i << ' ' << j;
            EXPECT_EQ(grid.isExtrapolation(i, j), isFar) << i << ' ' << j;
            unsupported += isFar ? 1 : 0;
        }
    EXPECT_GT(unsupported, 0);
    EXPECT_LT(unsupported, 17 * 17);
}

} // namespace
} // namespace quadric::optimize
