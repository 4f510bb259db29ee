// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict/predict.h"
#include "widgets/plots/profiler/profiler.h"

namespace quadric::samples {

/// Throughput over GPUs (log2) and batch size (log2): a hill, 41 × 41, one corner extrapolated, thirteen
/// observed points above and below.
model::SurfaceGrid surface();

/// Nine terms of a quadratic model of three factors with t values, largest not first.
model::Fit fitWithErrors();

/// Seven effects of a saturated fractional factorial with Lenth's limits and no t values.
model::Fit fitWithLenth();

/// Three factors: log2, linear with an extrapolated end, categorical.
std::vector<model::EffectCurve> effectCurves();

/// Two responses and the desirability over the three factors of effectCurves().
widgets::ProfilerData profiler();

/// Box-Behnken runs of three factors with center runs, done, failed and pending.
study::Study boxBehnken();

} // namespace quadric::samples
