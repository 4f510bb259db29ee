// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/merit/optimum.h"

namespace quadric::optimize {

/// The prediction of one response at an optimum without what it owes to having been chosen.
struct CorrectedPrediction {
    std::string response;
    double mean = 0.0;     ///< response's own unit; a median where a transform was inverted
    double optimism = 0.0; ///< prediction − `mean`, response's own unit
    double shift = 0.0;    ///< the same on the scale of the model
    std::optional<model::Interval> confidence, prediction; ///< around `mean`; for one future run
};

/// Empty where no model leaves an error to simulate with, or the optimum has no settings.
struct OptimumCorrection {
    int replicates = 0;
    std::vector<CorrectedPrediction>
        responses; ///< the order of Optimum::responses, those without error left out
};

inline constexpr int kReplicates = 100;

/// Of the settings with the best predictions, errors helped to choose those and their predictions: the one at
/// the optimum is too good on average. Parametric bootstrap of the whole chain (Efron 2014; Efron &
/// Tibshirani 1993): new results are simulated at the runs, from the largest model that the terms could be
/// chosen from and its error, correlated between responses as the residuals are; terms are chosen, fitted and
/// optimized as they were. The mean excess of the prediction over the model that simulated, there, is
/// subtracted. The standard error is the larger of that of the prediction (model::PredictionError) and the
/// standard deviation of that excess. The same for the same input. A job: below 200 ms for 15 runs and 3
/// factors. `optimum`: what findOptimum() gives with `fits` and `options`.
OptimumCorrection correctOptimum(const study::Study& study, const std::vector<model::Fit>& fits,
                                 const Optimum& optimum, const OptimizeOptions& options = {},
                                 int replicates = kReplicates);

} // namespace quadric::optimize
