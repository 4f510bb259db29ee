// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/merit/desirability.h"
#include "core/study/space/constraint_program.h"

namespace quadric::optimize {

/// One response along one factor, with its desirability at the same points (empty without a goal).
struct ProfileCurve {
    model::EffectCurve curve;
    std::vector<double> desirability;
};

/// The curves of a prediction profiler around one setting.
struct Profile {
    std::vector<std::string> responses;            ///< those with a usable model
    std::vector<std::vector<ProfileCurve>> curves; ///< response × factor
    std::vector<std::vector<double>> overall;      ///< per factor: overall desirability at the curves' points
    /// Per factor: the stretches of its axis, actual values, that the study's constraints forbid.
    std::vector<std::vector<study::Range>> infeasible;
    /// The same where runs fail more often than not; empty: no run failed for a reason that repeats.
    std::vector<std::vector<study::Range>> failing;

    bool isEmpty() const { return responses.empty(); }
};

/// Every response with a usable model along every factor, the other factors at `settings`; `points` per
/// numeric factor, and the setting itself. Throws std::invalid_argument for settings that cannot be coded.
Profile profile(const study::Study& study, const std::vector<model::Fit>& fits,
                const study::Settings& settings, int points = 41);

} // namespace quadric::optimize
