// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/base/command.h"

namespace quadric::app {

/// What `quadric run --test` was asked for.
struct TrialOptions {
    std::string path;
    int run = 0; ///< whose setting; 0: the first run's
    bool approve = false, json = false;
};

/// Executes one setting once and prints what was read of it and what the program printed. Returns the exit
/// status.
int executeTrial(CommandLine& line, const TrialOptions& options);

/// For --approve: remembers what the study wants to execute, and says on standard error what that is where it
/// was not approved before.
void approveAndShow(const std::string& path);

/// "speed 12.5 ± 0.3 img/s, …": the results of a run.
std::string resultsText(const study::Study& study, const study::Run& run);

} // namespace quadric::app
