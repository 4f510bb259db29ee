// SPDX-License-Identifier: GPL-3.0-or-later
// Known answers of R 4.2.2: confint() of lm() in the rotated axes, t(d) %*% solve(V, d) of the slopes, and
// the roots of Fieller's quadratic.
#include "core/model/predict/stationary_region.h"

#include <gtest/gtest.h>

namespace quadric::model {
namespace {

study::Study studyOf(const std::vector<std::vector<double>>& settings, const std::vector<double>& y)
{
    study::Study study;
    for (std::size_t i = 0; i < settings.size(); ++i) {
        study::Factor factor;
        factor.name = std::string(1, static_cast<char>('A' + i));
        factor.low = -1.0;
        factor.high = 1.0;
        study.factors.push_back(factor);
    }
    study::Response response;
    response.name = "y";
    study.responses = {response};
    for (std::size_t r = 0; r < y.size(); ++r) {
        study::Run run;
        run.id = static_cast<int>(r) + 1;
        for (std::size_t i = 0; i < settings.size(); ++i)
            run.settings[study.factors[i].name] = settings[i][r];
        run.status = study::RunStatus::Done;
        run.results["y"] = y[r];
        study.runs.push_back(run);
    }
    return study;
}

study::Study threeByThree()
{
    return studyOf({{-1, 0, 1, -1, 0, 1, -1, 0, 1}, {-1, -1, -1, 0, 0, 0, 1, 1, 1}},
                   {10.2, 14.1, 11.9, 15.8, 19.7, 16.6, 12.1, 17.2, 15.3});
}

TEST(StationaryRegionTest, RatioIsThatOfR)
{
    const study::Study study = threeByThree();
    const Fit fit = fitResponse(study, "y");
    const auto region = StationaryRegion::of(fit, {0, 1}, study::Coding(study.factors).center());
    ASSERT_TRUE(region.has_value());
    EXPECT_NEAR(region->ratioAt(Eigen::Vector2d(0.5, -0.25)), 6.66505450783, 1e-9);
    EXPECT_NEAR(region->ratioAt(Eigen::Vector2d(0.0, 0.2)), 0.952547494390, 1e-10);
    EXPECT_NEAR(region->ratioAt(Eigen::Vector2d(0.152246645321, 0.186806729743)), 0.0, 1e-9);
}

TEST(StationaryRegionTest, AlongOneFactorItIsFiellersInterval)
{
    const study::Study study =
        studyOf({{-1, -.5, 0, .5, 1, -1, 1, 0}}, {3.1, 5.2, 6.4, 6.1, 4.9, 2.7, 5.3, 6.0});
    const Fit fit = fitResponse(study, "y");
    const auto region = StationaryRegion::of(fit, {0}, study::Coding(study.factors).center());
    ASSERT_TRUE(region.has_value());
    for (const double end : {0.172652305911, 0.339882499379})
        EXPECT_NEAR(region->ratioAt(Eigen::VectorXd::Constant(1, end)), 1.0, 1e-9);
    EXPECT_LT(region->ratioAt(Eigen::VectorXd::Constant(1, 0.25)), 1.0);
    EXPECT_GT(region->ratioAt(Eigen::VectorXd::Constant(1, 0.16)), 1.0);
}

TEST(StationaryRegionTest, EigenvaluesHaveTheIntervalsOfTheRotatedRegression)
{
    const study::Study study = threeByThree();
    const Fit fit = fitResponse(study, "y");
    const study::CodedPoint center = study::Coding(study.factors).center();
    const auto intervals = eigenvalueIntervals(fit, canonicalAnalysis(fit, center).value(), center);
    ASSERT_EQ(intervals.size(), 2U);
    EXPECT_NEAR(intervals[0].low, -4.51010906592, 1e-9);
    EXPECT_NEAR(intervals[0].high, -2.07421458629, 1e-9);
    EXPECT_NEAR(intervals[1].low, -5.17578541371, 1e-9);
    EXPECT_NEAR(intervals[1].high, -2.73989093408, 1e-9);
    EXPECT_TRUE(isKindCertain(intervals));
    EXPECT_FALSE(isKindCertain({{-1.0, 0.5}}));
}

TEST(StationaryRegionTest, ModelsWithoutCurvatureHaveNone)
{
    const study::Study study = threeByThree();
    const study::CodedPoint center = study::Coding(study.factors).center();
    const Fit linear = fitResponse(study, "y", {.model = "linear"});
    EXPECT_FALSE(StationaryRegion::of(linear, {0, 1}, center).has_value());
    EXPECT_EQ(stationaryRatios(linear, 0, 1, center, 5).size(), 0);
}

} // namespace
} // namespace quadric::model
