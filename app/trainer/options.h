// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/measure/rank_group.h"
#include "core/trainer/workload/workload.h"

#include <optional>
#include <string>

namespace quadric::app {

enum class OutputFormat { Automatic, Json, Table };

/// What the command line asks for, before the settings have been read.
struct Options {
    OutputFormat format = OutputFormat::Automatic;
    std::vector<std::pair<std::string, std::string>> settings; ///< knob name and value
    std::optional<trainer::RankPlace> place;                   ///< this process is a rank
    std::string baselineDevice; ///< on which baseline_rate was measured; empty: on such a one as this
    bool listsDevices = false;
    std::optional<int> exitStatus; ///< nothing to do: help, version, or a wrong command line
    std::string message;           ///< what to print then
    std::string commandLine;
};

Options readCommandLine(int argc, char** argv);

/// Settings from QUADRIC_SETTINGS, then from the command line. Names that are no knobs are reported on
/// standard error. Throws trainer::Failure (bad-settings).
trainer::Workload readWorkload(const Options& options);

} // namespace quadric::app
