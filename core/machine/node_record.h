// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/summary.h"

#include <string_view>

namespace quadric::machine {

/// What was found about the machines on which a run was executed, ready for its record.
struct Findings {
    std::map<std::string, std::string> entries; ///< of the provenance, JSON text per key (record.h)
    std::string disturbance;      ///< see disturbance(), where nobody else judges the processors
    std::string otherDisturbance; ///< where the worker judges them itself
    std::string loss;             ///< see lostDevice()
};

Findings findingsOf(const Summary& summary);

/// The findings on one node of a cluster as a JSON object on one line.
std::string nodeRecord(const std::string& node, const Summary& summary);

/// Those of several nodes, from what nodeRecord() wrote; texts that are none are left out. "telemetry" is
/// {"nodes": […]} then, and sentences begin with the name of their node.
Findings findingsOfNodes(const std::vector<std::string>& records);

} // namespace quadric::machine
