// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/base/command.h"
#include "core/study/study.h"

#include <string>

namespace quadric::app {

/// What stands behind --factor: "name:low:high[:unit[:type[:scale]]]", with levels "fp32|bf16" in place of
/// the low value where the type has some, and ":multiple_of=8" or ":binds=ranks" anywhere behind the name.
/// Throws UsageError.
study::Factor readFactor(const std::string& text);

/// What stands behind --response: "name:goal[:unit[:weight]][:bounds=A..B]", where goal may be target=VALUE.
/// Throws UsageError.
study::Response readResponse(const std::string& text);

/// The options of a design; empty: not given.
struct DesignOptions {
    const Command* command = nullptr; ///< that has them
    std::string type, alpha, generators, model, levels;
    std::optional<int> center, replicates, blocks, runs, resolution, digits;
    std::optional<std::uint64_t> seed;
    bool inOrder = false;

    bool areGiven() const; ///< any of them
};

/// Adds --type and everything that goes with it to a command.
void addDesignOptions(Command& command, DesignOptions& options);

/// The specification with the options. Another type than before starts from its own defaults; what was
/// not given stays as it is otherwise. Returns why the type is recommended, a sentence, where that was asked
/// for. Throws UsageError naming the option.
std::string applyDesignOptions(const DesignOptions& options, study::Study& study);

/// Lays the study's design out; says on the standard error what a search for it found. Throws DesignError.
study::Study laidOutByCommand(study::Study study);

} // namespace quadric::app
