// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/exchange/collective.h"
#include "options.h"

#include <chrono>
#include <iosfwd>

namespace quadric::app {

/// Checks the request, starts the ranks, and prints what they report. Returns the exit status: 0, 1 for a run
/// that failed, 2 for settings that cannot be measured, 128 + signal when the program was told to end.
int launch(const Options& options, std::chrono::steady_clock::time_point started);

/// Computes as one rank of a run. Prints events for the launcher; returns the exit status.
int runRank(const Options& options);

/// Computes as one rank of those that a cluster started; rank 0 also prints what a launcher would. Returns
/// the exit status.
int runClusterRank(const Options& options, const trainer::ClusterPlace& place,
                   std::chrono::steady_clock::time_point started);

/// Prints in a sentence what this machine can measure. Returns the exit status.
int listDevices(const Options& options);

} // namespace quadric::app
