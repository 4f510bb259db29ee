// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/summary.h"

#include <string_view>

namespace quadric::machine {

/// What is kept of a moment for watching: of several GPUs the mean clock, the sum of the power, the highest
/// temperature; without a GPU the processor's. What nobody tells is empty.
struct Reading {
    double seconds = 0.0;  ///< since sampling began
    std::string node = {}; ///< of a cluster; empty: this machine
    std::optional<double> clockMhz, powerW, temperatureC;
    std::optional<double> busyPct;    ///< of the processor's cores
    std::optional<double> foreignPct; ///< of the processor's cores, by others
    bool operator==(const Reading&) const = default;
};

/// The fields of a telemetry event (docs/worker-protocol.md) as a JSON object on one line; shares of the
/// processor are those since `before`.
std::string sampleText(const Sample& before, const Sample& now);

/// Reads what sampleText() writes; nothing for any other text.
std::optional<Reading> parseReading(std::string_view line);

/// The entries of a run's provenance, JSON text per key: "telemetry" and, with a driver, "driver".
std::map<std::string, std::string> makeProvenanceEntries(const Summary& summary);

/// What was found about the machines on which a run was executed, ready for its record.
struct Findings {
    std::map<std::string, std::string> entries; ///< of the provenance, JSON text per key (record.h)
    std::string disturbance;                    ///< see disturbance()
    std::string foreignLoad; ///< see foreignLoad(); does not count where the worker judges the load itself
    std::string loss;        ///< see lostDevice()
};

Findings summarizeFindings(const Summary& summary);

/// The findings on one node of a cluster as a JSON object on one line.
std::string nodeRecord(const std::string& node, const Summary& summary);

/// Those of several nodes, from what nodeRecord() wrote; texts that are none are left out. "telemetry" is
/// {"nodes": […]} then, and sentences begin with the name of their node.
Findings mergeNodeFindings(const std::vector<std::string>& records);

} // namespace quadric::machine
