// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/base/command.h"
#include "app/cli/base/fit_selection.h"
#include "core/optimize/answer/limit_probability.h"
#include "core/optimize/merit/optimum.h"

namespace quadric::app {

/// What `quadric optimize` is asked for, as it was written.
struct OptimizeCommand {
    StudyOption study;
    FitSelection selection;
    std::vector<std::string> weights, goals, limits, fixed, varying;
    std::string region = "box";
    std::string runsProbability; ///< empty: not given
    std::optional<int> solutions, confirm;
    bool staysNearRuns = false, isRobust = false, isCorrelated = false;
};

void addOptimizeOptions(Command& command, OptimizeCommand& options);

/// The study with the weights, goals and limits of the command. Throws UsageError, as all of these do.
study::Study withGoals(study::Study study, const OptimizeCommand& command);

/// Where is searched, and for how much.
optimize::OptimizeOptions optionsOf(const study::Study& study, const OptimizeCommand& command);

/// Standard deviations by which settings vary, by factor.
optimize::Variation readSpreads(const study::Study& study, const OptimizeCommand& command);

} // namespace quadric::app
