// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/answer/optimism.h"

#include "core/optimize/answer/own_best.h"

#include <gmock/gmock.h>

#include <cmath>

namespace quadric::optimize {

namespace {

/// The eight corners of A, B, C with y = 50 + effect·(A + B + C) ± 1, the sign that of A·B·C: to a linear
/// model of A, B and C an error of standard deviation √2 that is orthogonal to it.
study::Study corners(double effect)
{
    study::Study study;
    for (const char* name : {"A", "B", "C"}) {
        study::Factor& factor = study.factors.emplace_back();
        factor.name = name;
        factor.low = -1.0;
        factor.high = 1.0;
    }
    study.responses.emplace_back().name = "y";
    study.responses.front().goal = study::Goal::Maximize;
    study.model["y"] = "linear";
    for (int i = 0; i < 8; ++i) {
        const auto at = [i](int factor) { return (i >> factor) % 2 == 0 ? -1.0 : 1.0; };
        study::Run& run = study.runs.emplace_back();
        run.id = run.order = i + 1;
        run.status = study::RunStatus::Done;
        run.settings = {{"A", at(0)}, {"B", at(1)}, {"C", at(2)}};
        run.results["y"] = 50.0 + effect * (at(0) + at(1) + at(2)) + at(0) * at(1) * at(2);
    }
    return study;
}

CorrectedPrediction correctedOf(const study::Study& study, int replicates)
{
    const std::vector<model::Fit> fits = fitForGoals(study);
    return correctOptimum(study, fits, findOptimum(study, fits), {}, replicates).responses.at(0);
}

// The best corner of three effects that are noise is the sum of three half-normal variables of standard
// deviation σ/√8 above the truth: 3 σ √(2/(8π)).
TEST(OptimismTest, NoiseIsAsOptimisticAsHalfNormalVariables)
{
    const CorrectedPrediction y = correctedOf(corners(0.0), 300);
    EXPECT_NEAR(y.optimism, 3.0 * std::sqrt(2.0) * std::sqrt(2.0 / (8.0 * M_PI)), 0.2);
    EXPECT_NEAR(y.mean, 50.0 - y.optimism, 1e-9);
}

// The best corner is the same for all noise: nothing was chosen by it, and the interval is the textbook one,
// of t with 4 degrees of freedom and leverage 1/2 (R: qt(0.975, 4) * sqrt(2 * 0.5)).
TEST(OptimismTest, LargeEffectsAreNotCorrected)
{
    const CorrectedPrediction y = correctedOf(corners(20.0), 200);
    EXPECT_NEAR(y.optimism, 0.0, 4.0 / std::sqrt(200.0));
    EXPECT_NEAR(y.confidence->high - y.mean, 2.776445105, 0.5);
    EXPECT_NEAR(y.prediction->high - y.mean, 2.776445105 * std::sqrt(3.0), 0.5);
}

TEST(OptimismTest, TheSameStudyHasTheSameCorrection)
{
    EXPECT_EQ(correctedOf(corners(0.0), 20).mean, correctedOf(corners(0.0), 20).mean);
}

TEST(OptimismTest, WithoutErrorOrWhenStoppedThereIsNoCorrection)
{
    study::Study study = corners(1.0);
    const std::vector<model::Fit> fits = fitForGoals(study);
    const Optimum optimum = findOptimum(study, fits);
    std::stop_source stop;
    stop.request_stop();
    OptimizeOptions options;
    options.stop = stop.get_token();
    EXPECT_THAT(correctOptimum(study, fits, optimum, options).responses, testing::IsEmpty());
    study.model["y"] = "A + B + C + A*B + A*C + B*C + A*B*C";
    const std::vector<model::Fit> saturated = fitForGoals(study);
    EXPECT_THAT(correctOptimum(study, saturated, findOptimum(study, saturated)).responses,
                testing::IsEmpty());
}

} // namespace

} // namespace quadric::optimize
