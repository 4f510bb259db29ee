// SPDX-License-Identifier: GPL-3.0-or-later
// Closed forms: along a straight line every setting but the best differs from it by the same t, so that the
// region is the best end or the whole range, by the one-sided test of the slope.
#include "core/optimize/answer/own_best.h"
#include "core/optimize/next/measured_best.h"
#include "core/optimize/optimum_region.h"

#include "fixtures.h"

#include <gtest/gtest.h>

namespace quadric::optimize {
namespace {

/// A straight line with residuals of ±1 that leave its slope as it is.
study::Study lineStudy(double slope)
{
    study::Study study;
    study::Factor factor;
    factor.name = "a";
    factor.low = -1.0;
    factor.high = 1.0;
    study.factors = {factor};
    study::Response response;
    response.name = "y";
    response.goal = study::Goal::Maximize;
    study.responses = {response};
    study.model["y"] = "linear";
    const std::vector<double> noise{1, -1, 0, 0, -1, 1}; // at right angles to the line and to the constant
    const std::vector<double> at{-1, -1, 0, 0, 1, 1};
    for (std::size_t i = 0; i < at.size(); ++i) {
        study::Run run;
        run.id = static_cast<int>(i) + 1;
        run.settings = {{"a", at[i]}};
        run.status = study::RunStatus::Done;
        run.results["y"] = slope * at[i] + noise[i];
        study.runs.push_back(run);
    }
    return study;
}

OptimumRegion regionOf(const study::Study& study)
{
    const std::vector<model::Fit> fits = fitForGoals(study);
    return findOptimumRegion(study, fits, findOptimum(study, fits));
}

/// s² = 4/4 = 1, Var(slope) = 1/4: t = 2 × slope; the one-sided limit is 2.132 with 4 degrees of freedom.
TEST(OptimumRegionTest, OfAStraightLineIsTheOneSidedTestOfItsSlope)
{
    const OptimumRegion sure = regionOf(lineStudy(1.5));
    ASSERT_FALSE(sure.isEmpty());
    EXPECT_EQ(sure.factors()[0].low, 1.0);
    EXPECT_EQ(sure.factors()[0].high, 1.0);
    EXPECT_FALSE(sure.contains({{"a", 0.9}}));
    EXPECT_TRUE(sure.contains({{"a", 1.0}}));
    const OptimumRegion unsure = regionOf(lineStudy(0.8));
    EXPECT_TRUE(unsure.factors()[0].isWhole);
    EXPECT_TRUE(unsure.contains({{"a", -1.0}}));
}

TEST(OptimumRegionTest, HoldsWhatTheSearchHolds)
{
    const Fitted fitted = scalingStudy();
    OptimizeOptions options;
    options.fixed = {{"gpu_count", 32.0}};
    const Optimum best = findOptimum(fitted.study, fitted.fits, options);
    const OptimumRegion region = findOptimumRegion(fitted.study, fitted.fits, best, options);
    ASSERT_FALSE(region.isEmpty()) << region.message();
    EXPECT_EQ(region.factors()[0].low, 32.0);
    EXPECT_EQ(region.factors()[0].high, 32.0);
    EXPECT_TRUE(region.contains(best.settings));
    for (const FactorRange& range : region.factors()) {
        EXPECT_LE(range.low, study::numberOf(best.settings.at(range.factor)));
        EXPECT_GE(range.high, study::numberOf(best.settings.at(range.factor)));
    }
}

TEST(OptimumRegionTest, SaysWhatIsMissingWithoutAnError)
{
    study::Study study = lineStudy(1.0);
    study.runs.resize(3);
    study.runs.erase(study.runs.begin());
    const OptimumRegion region = regionOf(study);
    EXPECT_TRUE(region.isEmpty());
    EXPECT_NE(region.message(), "");
}

TEST(MeasuredBestTest, RunsAreRankedByTheDesirabilityOfTheirResults)
{
    study::Study study = lineStudy(1.5);
    study.runs[3].kind = study::RunKind::Confirmation;
    study.runs[3].results["y"] = 2.0;
    study.runs[4].status = study::RunStatus::Excluded;
    study.responses[0].low = -2.0;
    study.responses[0].high = 3.0;
    const std::vector<MeasuredRun> best = findBestMeasured(study, fitForGoals(study), 3);
    ASSERT_EQ(best.size(), 3U);
    EXPECT_EQ(best[0].run, 6);
    EXPECT_NEAR(best[0].overall, 0.9, 1e-12);
    EXPECT_EQ(best[1].run, 4);
    EXPECT_NEAR(best[1].overall, 0.8, 1e-12);
    EXPECT_TRUE(best[1].isConfirming);
    EXPECT_EQ(best[2].run, 3);
}

} // namespace
} // namespace quadric::optimize
