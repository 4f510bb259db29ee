// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict/drawn_axes.h"

namespace quadric::model {

/// A run of the fit that the study has, with its coded settings.
struct ObservedRun {
    const study::Run* run = nullptr;
    study::CodedPoint point;
    double value = 0.0;    ///< response's own unit
    double residual = 0.0; ///< on the model's scale
};

std::vector<ObservedRun> observedRuns(const Fit& fit, const study::Study& study);

/// Mean of the residuals of some runs, added to the prediction at a point: what they show there. Response's
/// own unit.
double adjustedMean(const Fit& fit, const study::CodedPoint& point, const std::vector<double>& residuals);

/// Adds to the curve through `at` the adjusted means of the runs at each level of the factor, in ascending
/// order; coded values within 1e-9 are one level.
void addAdjustedMeans(const Fit& fit, const std::vector<ObservedRun>& runs, std::size_t factor,
                      const study::CodedPoint& at, EffectCurve& curve);

/// The same as far as the span reaches.
std::vector<double> positionsAlong(const Fit& fit, std::size_t factor, int points, Span span);

} // namespace quadric::model
