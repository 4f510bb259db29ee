// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict/predict.h"

#include <string_view>
#include <vector>

namespace quadric::plan {

/// What stays the same while GPUs are added.
enum class ScalingKind {
    Weak,    ///< the work of each GPU
    Strong,  ///< the work of all of them
    Either,  ///< a factor of the study says which
    Unknown, ///< the names of the settings do not say it
};

/// "weak", "strong", "either" or "unknown".
std::string_view nameOf(ScalingKind kind);

/// A speed relative to that of the baseline, at a count of GPUs.
struct SpeedUpPoint {
    double count = 1.0;
    double speedUp = 1.0;
    std::optional<model::Interval> interval = {};
    bool isExtrapolation = false; ///< no run supports it
    int run = 0;                  ///< the id of a measured one
    int runs = 0;                 ///< measured at this count
};

/// How much faster a job gets with GPUs.
struct SpeedUp {
    std::string factor = {}, unit = {}; ///< of the count
    bool isLog2 = false;
    ScalingKind scaling = ScalingKind::Unknown;
    double baseline = 1.0;    ///< GPUs whose speed is 1
    double confidence = 0.95; ///< of all intervals but those of single runs
    bool isModeled = false;   ///< `counts` are of the model at the held settings, not means of runs
    std::vector<SpeedUpPoint> runs = {};   ///< as measured, with what the run itself tells of its error
    std::vector<SpeedUpPoint> curve = {};  ///< of the model, ascending; empty without one
    std::vector<SpeedUpPoint> counts = {}; ///< at each measured count
    std::string message = {};              ///< why there is nothing to show
};

/// The speed that a count of GPUs would have without any loss.
double idealSpeedUp(const SpeedUp& speedUp, double count);

/// The response that tells speed-ups: "scaling_efficiency" (in per cent), otherwise "speed_up"; empty where
/// the study measures neither.
std::string speedUpResponse(const study::Study& study);

/// Weak or strong: what the built-in workload's setting `scaling` says; of a command a fixed setting of that
/// name, or the names of its settings (batch_per_gpu, micro_batch: weak; global_batch: strong).
ScalingKind scalingOf(const study::Study& study);

/// S_N = X_N / X_n at the baseline's n GPUs, from the efficiency E = 100 X_N n/(N X_n) that runs have:
/// S_N = E/100 · N/n. `fit`: of speedUpResponse(); where it is Ok, its predictions with the other factors
/// held as in `at`, and their confidence intervals, times N/(100 n), which is known exactly. Otherwise the
/// geometric mean of the runs at each count with the t interval of their logarithms.
SpeedUp computeSpeedUp(const study::Study& study, const model::Fit& fit, const study::CodedPoint& at);

} // namespace quadric::plan
