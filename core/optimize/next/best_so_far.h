// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"

namespace quadric::optimize {

/// One run that has ended.
struct BestStep {
    int run = 0;
    study::RunKind kind = study::RunKind::Design;
    std::optional<double> value = {}; ///< measured; none: it failed, or a result is missing
    std::optional<double> best = {};  ///< of the runs up to this one
    bool isBetter = false;            ///< than all before
    std::string failure = {};         ///< kind; empty: it did not fail
};

/// The best measured value over the runs in their order. Of one response to be maximized or minimized it is
/// that response; otherwise the overall desirability of what was measured.
struct BestSoFar {
    std::string title = {}; ///< the response, or "D"
    std::string unit = {};
    bool isSmallerBetter = false;
    std::vector<BestStep> steps = {};
};

/// Runs that failed, and runs that are done, excluded ones left out. Without a goal there are no steps.
BestSoFar findBestSoFar(const study::Study& study, const std::vector<model::Fit>& fits);

} // namespace quadric::optimize
