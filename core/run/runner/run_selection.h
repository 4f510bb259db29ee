// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/runner/runner.h"

namespace quadric::run {

/// Throws RecipeError when a run has settings that are not legal, or when a run that was chosen does not
/// exist.
void checkRuns(const study::Study& study, const RunnerOptions& options);

/// Ids of the runs to execute, in the study's run order: pending ones, those left "running" by a runner that
/// died, and failed ones where they are to be repeated; then those of which a former runner has not made the
/// repetition that it granted.
std::vector<int> selectRuns(const study::Study& study, const RunnerOptions& options);

} // namespace quadric::run
