// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/process/shown_process.h"

#include <gtest/gtest.h>

#include <cmath>

namespace quadric::model {
namespace {

/// A wave over a, which no quadratic can follow, with a slope along b.
study::Study wave()
{
    study::Study study;
    study.factors = {{.name = "a", .low = 0.0, .high = 10.0},
                     {.name = "b", .low = 1.0, .high = 16.0, .scale = study::Scale::Log2}};
    study.responses = {{.name = "y", .unit = "s"}};
    int id = 0;
    for (int i = 0; i <= 10; ++i) {
        for (const double b : {1.0, 4.0, 16.0}) {
            ++id;
            study::Run run{.id = id, .order = id, .settings = {{"a", 1.0 * i}, {"b", b}}};
            run.status = study::RunStatus::Done;
            run.results["y"] = 10.0 + 3.0 * std::sin(i) + std::log2(b) + 0.01 * std::sin(7.0 * id);
            study.runs.push_back(std::move(run));
        }
    }
    return study;
}

TEST(ShownProcess, SurfaceFollowsAWave)
{
    const study::Study study = wave();
    const auto process = processOf(study, "y");
    ASSERT_TRUE(process->isOk()) << process->message;
    const study::CodedPoint center = study::Coding(study.factors).center();
    const SurfaceGrid grid = surfaceGrid(fitOf(process, study), study, 0, 1, center, 21);
    ASSERT_EQ(grid.z.rows(), 21);
    EXPECT_EQ(grid.xName, "a");
    EXPECT_TRUE(grid.yIsLog2);
    EXPECT_EQ(grid.observed.size(), study.runs.size());
    for (Eigen::Index i = 0; i < 21; ++i) {
        const double a = grid.x[static_cast<std::size_t>(i)];
        EXPECT_NEAR(grid.z(i, 10), 10.0 + 3.0 * std::sin(a) + 2.0, 0.35) << a;
        EXPECT_LE(grid.low(i, 10), grid.z(i, 10));
        EXPECT_GE(grid.high(i, 10), grid.z(i, 10));
    }
}

TEST(ShownProcess, CurveIsTheSurfaceAlongOneFactor)
{
    const study::Study study = wave();
    const auto process = processOf(study, "y");
    const study::CodedPoint center = study::Coding(study.factors).center();
    const SurfaceGrid grid = surfaceGrid(fitOf(process, study), study, 0, 1, center, 5);
    const EffectCurve curve = effectCurve(fitOf(process, study), 0, center, 5);
    ASSERT_EQ(curve.mean.size(), 5U);
    EXPECT_EQ(curve.actual, grid.x);
    for (std::size_t i = 0; i < 5; ++i)
        EXPECT_EQ(curve.mean[i], grid.z(static_cast<Eigen::Index>(i), 2));
}

TEST(ShownProcess, IsTheStudysChoiceAndComputedOnce)
{
    const study::Study study = wave();
    EXPECT_EQ(shownProcess(study, "y"), nullptr);
    const study::Study chosen = withProcessShown(study, "y", true);
    EXPECT_TRUE(isProcessShown(chosen, "y"));
    EXPECT_EQ(shownProcess(chosen, "y"), processOf(study, "y")) << "views do not matter";
    EXPECT_EQ(withProcessShown(chosen, "y", false), study);
    const std::vector<Fit> fits = shownFits(chosen, fitStudy(chosen));
    ASSERT_EQ(fits.size(), 1U);
    EXPECT_EQ(fits.front().predictor, processOf(study, "y"));
    EXPECT_EQ(shownFits(study, fitStudy(study)).front().predictor, nullptr);
    study::Study fewer = chosen;
    fewer.runs.resize(2);
    EXPECT_EQ(shownProcess(fewer, "y"), nullptr) << "not usable";
}

} // namespace
} // namespace quadric::model
