// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"
#include "core/study/study.h"

#include <optional>

namespace quadric::model {

/// What repeated runs at one setting, the center, tell about the machine while an experiment goes on:
/// whatever differs between them is not the factors' doing.
struct Sentinels {
    int runs = 0;
    double mean = 0.0;
    double sd = 0.0;     ///< sample standard deviation
    double perRun = 0.0; ///< least-squares slope over the run order, response's unit per run
    double change = 0.0; ///< along that line from the first sentinel to the last
    std::optional<double> t,
        p; ///< two-sided test of the slope on runs − 2; empty without a residual or order
};

/// Of the response's results in the center runs that are done, at the setting most of them have; copies count
/// once (findCopies()). Empty with fewer than three.
std::optional<Sentinels> summarizeSentinels(const study::Study& study, std::string_view response);

/// Mean of the factorial (corner) runs against the mean of the center runs (M 6.8): one degree of freedom for
/// the sum of all pure quadratic effects, tested against the variation of the repeated runs.
struct CurvatureTest {
    int corners = 0, centers = 0;
    double difference = 0.0; ///< mean at the corners − mean at the center, model's (transformed) scale
    double ss = 0.0;
    std::optional<double> f, p; ///< empty without pure error
};

/// Empty unless the design is two-level with center runs: every run has all numeric factors at ±1 or all at
/// 0, and the model has no squares.
std::optional<CurvatureTest> curvatureTest(const Fit& fit);

} // namespace quadric::model
