// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict/level_summary.h"
#include "core/report/table.h"

namespace quadric::report {

/// Number, mean, standard deviation, smallest and largest of the observed values at each level of each
/// factor; the level column has the name of the factor where there is one.
Table makeLevelTable(const std::vector<model::LevelSummary>& summaries);

} // namespace quadric::report
