// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/next/measured_best.h"
#include "core/optimize/optimum_region.h"
#include "core/report/table.h"

namespace quadric::report {

/// The best measured runs, with the overall desirability of their results.
Table makeMeasuredTable(const study::Study& study, const std::vector<optimize::MeasuredRun>& runs);

/// Which settings may be the best, factor by factor, in one sentence; why there is no answer where there is
/// none.
std::string describeRegion(const study::Study& study, const optimize::OptimumRegion& region);

} // namespace quadric::report
