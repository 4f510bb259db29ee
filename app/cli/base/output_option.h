// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/base/command.h"

#include <string>
#include <string_view>

namespace quadric::app {

/// Where a command writes its file.
struct OutputOption {
    std::string path;
    bool force = false;
};

/// Adds -o/--output with this help, and --force.
Option addOutputOption(Command& command, OutputOption& option, const std::string& help);

/// Throws UsageError where the path is taken: by a study or a file of one, always; without --force by a file
/// of another kind than its new one, which has this ending ("csv"). `option` names the option in messages.
void requireReplaceable(const std::string& option, const std::string& path, std::string_view ending,
                        bool force);

/// study::writeOutput(). Throws WorkError.
void writeOutputFile(const std::string& path, std::string_view text);

/// Whether the path means standard output: "-", or another name of what that is.
bool isStandardOutput(const std::string& path);

} // namespace quadric::app
