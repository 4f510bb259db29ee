// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/links.h"
#include "core/plan/scaling_forecast.h"
#include "core/report/finding.h"
#include "core/report/table.h"
#include "core/study/node_size.h"

#include <functional>
#include <optional>
#include <string>

namespace quadric::plan {

/// The laws that were tried, best first: their errors at the counts left out, and their weights.
report::Table makeLawTable(const std::vector<LawScore>& laws);

/// Speed with its interval, speed-up and efficiency at each count. `costOfMillion`: a column of costs with
/// their intervals; empty: none. `links`: speeds over given links at the same counts; empty: none.
report::Table makeSpeedTable(const std::vector<ForecastRow>& rows, double confidence,
                             const std::function<Estimate(const ForecastRow&)>& costOfMillion = {},
                             const std::vector<LinkSpeed>& links = {});

/// Up to how many GPUs doubling them multiplies the speed by `worth` (lastWorthwhile()).
std::string describeWorth(double worth, int last, int smallest);

/// That counts beyond the measured ones leave part of a node idle; empty where none does.
std::optional<report::Finding> findIdleCounts(const std::vector<ForecastRow>& rows,
                                              const std::optional<study::NodeSize>& node);

/// Speeds over given links, without overlap and with it.
report::Table makeLinkTable(const std::vector<LinkSpeed>& speeds);

} // namespace quadric::plan
