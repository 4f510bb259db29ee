// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/base/command.h"

namespace quadric::app {

/// The options of a design; empty: not given.
struct DesignOptions {
    const CLI::App* command = nullptr; ///< that has them
    std::string type, alpha, generators, model, levels;
    std::optional<int> center, replicates, blocks, runs, resolution, digits;
    std::optional<std::uint64_t> seed;
    bool inOrder = false;

    bool areGiven() const; ///< any of them
};

/// Adds --type and everything that goes with it to a command.
void addDesignOptions(CLI::App& command, DesignOptions& options);

/// The specification with the options. Another type than before starts from its own defaults; what was
/// not given stays as it is otherwise. Returns why the type is recommended, a sentence, where that was asked
/// for. Throws UsageError naming the option.
std::string applyDesignOptions(const DesignOptions& options, study::Study& study);

/// Lays the study's design out; says on the standard error what a search for it found. Throws DesignError.
study::Study laidOutByCommand(study::Study study);

} // namespace quadric::app
