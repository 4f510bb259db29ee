// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"

namespace quadric::optimize {

/// A run that was measured, with the overall desirability of what it gave.
struct MeasuredRun {
    int run = 0; ///< id
    double overall = 0.0;
    study::Settings settings;
    std::vector<std::pair<std::string, double>> results; ///< of the responses with a goal
    bool isConfirming = false, isDisturbed = false;
};

/// The best runs by the overall desirability of their measured results, with the limits that the search for
/// the best setting has; confirming runs are among them. Runs that lack a result of a response with a goal, a
/// weight above 0 and a usable model are left out, and short looks.
std::vector<MeasuredRun> findBestMeasured(const study::Study& study, const std::vector<model::Fit>& fits,
                                          std::size_t most = 5);

} // namespace quadric::optimize
