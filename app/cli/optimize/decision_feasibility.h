// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/output/optimize_output.h"

namespace quadric::app {

/// Fills what failed runs say of the decision's optimum and solutions.
void findFeasibility(const study::Study& study, const optimize::OptimizeOptions& options, Decision& decision);

} // namespace quadric::app
