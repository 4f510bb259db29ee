// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/finding.h"
#include "core/study/node_size.h"

#include <optional>
#include <string>
#include <vector>

namespace quadric::report {

/// That settings need nodes which they do not fill, one finding for each count, in the order of the
/// settings; empty where all are filled.
std::vector<Finding> findIdleRanks(const study::Study& study, const std::vector<study::Settings>& settings);

/// Sentence and advice of the finding at one setting; empty where the nodes are filled.
std::string describeIdleRanks(const study::Study& study, const study::Settings& settings);

/// Of counts that are looked at without other settings: those that leave part of such a node idle.
std::optional<Finding> findIdleCounts(const std::vector<int>& counts, const study::NodeSize& node);

} // namespace quadric::report
