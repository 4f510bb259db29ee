// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/process/process.h"
#include "core/optimize/merit/optimum.h"

namespace quadric::optimize {

/// findOptimum() by Gaussian processes in place of polynomials: many climbs over the legal settings, never
/// proven.
Optimum findProcessOptimum(const study::Study& study, const std::vector<model::Process>& processes,
                           const OptimizeOptions& options = {});

/// Predictions and desirabilities at given settings. Throws std::invalid_argument for settings that cannot be
/// coded.
Optimum assessByProcess(const study::Study& study, const std::vector<model::Process>& processes,
                        const study::Settings& settings);

} // namespace quadric::optimize
