// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/merit/optimum.h"

namespace quadric::optimize {

enum class GoalParameter { Weight, Low, Target, High };
std::string_view nameOf(GoalParameter parameter);

/// How the answer follows one weight or limit.
struct GoalSensitivity {
    std::string response;
    GoalParameter parameter = GoalParameter::Weight;
    double value = 0.0; ///< as it is now; limits in the response's own unit
    double step = 0.0;  ///< how far it was moved both ways
    /// Change of the best overall desirability for one unit of the parameter, at the settings of the optimum:
    /// by the envelope theorem the slope of the optimum itself, where it has one.
    double slope = 0.0;
    double overallBelow = 0.0, overallAbove = 0.0; ///< best overall desirability after the step down and up
    study::Settings settingsBelow, settingsAbove;  ///< the best settings then
    double moved = 0.0; ///< coded distance that these settings moved, the larger one; categories count 2
};

/// Searches again with every weight and limit of the goals moved down and up: weights by a tenth of
/// themselves, limits by a twentieth of the distance between the limits. Limits that do not count (the upper
/// one of a response to maximize does: desirability is 1 there) and those of responses without weight are
/// left out. `optimum`: of the study as it is.
std::vector<GoalSensitivity> sensitivityOf(const study::Study& study, const std::vector<model::Fit>& fits,
                                           const Optimum& optimum, const OptimizeOptions& options = {});

} // namespace quadric::optimize
