// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/predict/predict.h"
#include "core/optimize/merit/merit_plots.h"
#include "core/optimize/merit/optimum.h"
#include "core/study/space/constraint.h"
#include "fixtures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace quadric::optimize {
namespace {

TEST(Profile, EveryPointIsWhatAnAssessmentOfItsSettingSays)
{
    const Fitted fitted = scalingStudy();
    const study::Coding coding(fitted.study.factors);
    const study::Settings at = coding.toSettings(study::CodedPoint(Eigen::Vector3d(0.4, -0.6, 0.1)));
    const Profile profile = optimize::profile(fitted.study, fitted.fits, at, 5);
    ASSERT_EQ(profile.responses.size(), fitted.fits.size());
    for (std::size_t factor = 0; factor < fitted.study.factors.size(); ++factor)
        for (std::size_t point = 0; point < profile.overall[factor].size(); ++point) {
            study::Settings moved = at;
            moved[fitted.study.factors[factor].name] = profile.curves[0][factor].curve.actual[point];
            const Optimum there = assess(fitted.study, fitted.fits, moved);
            EXPECT_NEAR(profile.overall[factor][point], there.overall, 1e-10);
            for (std::size_t row = 0; row < there.responses.size(); ++row) {
                const ProfileCurve& curve = profile.curves[row][factor];
                EXPECT_NEAR(curve.curve.mean[point] / there.responses[row].predicted.mean, 1.0, 1e-10);
                EXPECT_NEAR(curve.desirability[point], there.responses[row].desirability, 1e-10);
            }
        }
}

TEST(Profile, TheSettingItselfIsAPointOfEveryCurve)
{
    const Fitted fitted = scalingStudy();
    const study::Coding coding(fitted.study.factors);
    const study::Settings at = coding.toSettings(study::CodedPoint(Eigen::Vector3d(0.37, -0.61, 1.0)));
    const Profile profile = optimize::profile(fitted.study, fitted.fits, at, 5);
    const Optimum there = assess(fitted.study, fitted.fits, at);
    for (std::size_t factor = 0; factor < 3; ++factor) {
        const std::vector<double>& actual = profile.curves[0][factor].curve.actual;
        EXPECT_EQ(actual.size(), factor == 2 ? 5u : 6u); // the end of the range is a point anyway
        EXPECT_TRUE(std::is_sorted(actual.begin(), actual.end()));
        const double value = study::numberOf(at.at(fitted.study.factors[factor].name));
        const auto place = std::min_element(actual.begin(), actual.end(), [&](double a, double b) {
            return std::abs(a - value) < std::abs(b - value);
        });
        EXPECT_NEAR(*place, value, 1e-9 * value);
        EXPECT_NEAR(profile.overall[factor][static_cast<std::size_t>(place - actual.begin())], there.overall,
                    1e-10);
    }
}

TEST(Profile, AResponseWithoutAGoalHasACurveAndNoDesirability)
{
    Fitted fitted = scalingStudy();
    fitted.study.responses.back().goal = study::Goal::None;
    const study::Coding coding(fitted.study.factors);
    const Profile profile =
        optimize::profile(fitted.study, fitted.fits, coding.toSettings(coding.center()), 5);
    EXPECT_EQ(profile.curves.back().front().curve.mean.size(), 5u);
    EXPECT_TRUE(profile.curves.back().front().desirability.empty());
    EXPECT_EQ(profile.curves.front().front().desirability.size(), 5u);
}

/// gpu_count × batch_per_gpu ≤ 8192 with gpu_count at 64 forbids batches above 128, and nothing along the
/// third factor.
TEST(Profile, ConstraintsForbidStretchesOfTheAxes)
{
    Fitted fitted = scalingStudy();
    fitted.study.constraints = {"gpu_count * batch_per_gpu <= 8192"};
    const study::Settings at{{"gpu_count", 64.0}, {"batch_per_gpu", 100.0}, {"gradient_compression", 45.0}};
    const Profile profile = optimize::profile(fitted.study, fitted.fits, at, 41);
    ASSERT_EQ(profile.infeasible.size(), 3u);
    EXPECT_EQ(profile.infeasible[2].size(), 0u);
    ASSERT_EQ(profile.infeasible[1].size(), 1u);
    EXPECT_NEAR(profile.infeasible[1][0].low, 128.0, 1.0);
    EXPECT_NEAR(profile.infeasible[1][0].high, 256.0, 1e-9);
}

/// Every batch above 200 failed, whatever the other factors were.
TEST(Profile, StretchesWhereRunsFailAreMarked)
{
    Fitted fitted = scalingStudy();
    const study::Settings at{{"gpu_count", 64.0}, {"batch_per_gpu", 100.0}, {"gradient_compression", 45.0}};
    EXPECT_TRUE(optimize::profile(fitted.study, fitted.fits, at, 41).failing[1].empty());
    for (study::Run& run : fitted.study.runs) {
        if (study::numberOf(run.settings.at("batch_per_gpu")) < 200.0)
            continue;
        run.status = study::RunStatus::Failed;
        run.failure = study::Failure{"out-of-memory", ""};
    }
    const Profile profile = optimize::profile(fitted.study, fitted.fits, at, 41);
    ASSERT_EQ(profile.failing.size(), 3u);
    EXPECT_TRUE(profile.failing[2].empty());
    ASSERT_EQ(profile.failing[1].size(), 1u);
    EXPECT_GT(profile.failing[1][0].low, 144.0); // the middle level, which ran
    EXPECT_NEAR(profile.failing[1][0].high, 256.0, 1e-9);
}

TEST(Profile, WithoutAModelItIsEmpty)
{
    Fitted fitted = scalingStudy();
    const study::Coding coding(fitted.study.factors);
    EXPECT_TRUE(optimize::profile(fitted.study, {}, coding.toSettings(coding.center())).isEmpty());
}

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

TEST(LimitMap, HasTheLimitsThatWereSet)
{
    const Fitted fitted = rectangle();
    const LimitMap map = limitMap(fitted.study, fitted.fits, 0, 1, middle(), 41);
    ASSERT_EQ(map.layers.size(), 2u);
    EXPECT_NEAR(map.layers[1].value(0, 7), map.y[7], 1e-12);
    EXPECT_EQ(map.layers[0].low, 0.0);
    EXPECT_FALSE(map.layers[0].high.has_value()); // more than the upper limit is welcome
    EXPECT_EQ(map.layers[1].high, 0.5);
}

TEST(LimitMap, KnowsWhereAConstraintHolds)
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
}

TEST(LimitMap, WithoutGoalsThereIsNothingToShow)
{
    Fitted fitted = rectangle();
    for (study::Response& response : fitted.study.responses)
        response.goal = study::Goal::None;
    EXPECT_TRUE(limitMap(fitted.study, fitted.fits, 0, 1, middle()).isEmpty());
    EXPECT_TRUE(desirabilityGrid(fitted.study, fitted.fits, 0, 1, middle()).x.empty());
}

TEST(LimitMap, TheSmallestObservedValueIsNoLimit)
{
    Fitted fitted = rectangle();
    fitted.study.responses[0].low.reset();
    EXPECT_FALSE(limitMap(fitted.study, fitted.fits, 0, 1, middle(), 5).layers[0].low.has_value());
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
