// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/optimal/optimal_search.h"

namespace quadric::design {

/// The two values next to `actual` with so many digits: on a log2 scale significant digits of the value, on a
/// linear one those of the factor's range, so that 2 digits of 1000 … 1090 are 1000, 1010 … Both are one of
/// them where `actual` is that already or is an end of the range.
study::Range findSettable(const study::Factor& factor, double actual, int digits);

/// A design with the levels of its continuous factors at values that one can set.
struct RoundedDesign {
    Candidate design;
    int digits = 0;    ///< 0: not rounded
    double loss = 0.0; ///< share of the D-efficiency, or of the I-efficiency (average variances); may be < 0
};

/// `problem` is that of the study. Each level is taken to the nearest with `digits` digits, ends of a range
/// excepted; a run that a constraint would then forbid to the nearest such setting that it allows, and where
/// there is none it stays. Without `digits` the fewest of 2 to 6 that cost less than 1 %. Throws DesignError
/// where the rounded runs cannot estimate the model.
RoundedDesign roundLevels(const study::Study& study, const OptimalProblem& problem, const Candidate& exact,
                          std::optional<int> digits);

} // namespace quadric::design
