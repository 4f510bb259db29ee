// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"

namespace quadric::model {

/// What one run that is still to be made gives, on the scale of the model: location + scale × t(df). In a
/// study with blocks it is in a block of its own.
struct NewRun {
    double location = 0.0, scale = 0.0, df = 0.0;

    /// Probability to stay below z, ±infinity included; a step where the scale is 0.
    double probabilityBelow(double z) const;
    /// The value that it stays below with probability p, 0 < p < 1.
    double quantile(double p) const;
};

/// `fit` is Ok and leaves degrees of freedom for error.
NewRun predictNewRun(const Fit& fit, const study::CodedPoint& point);

} // namespace quadric::model
