// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/merit/optimum.h"

namespace quadric::optimize {

/// Overall desirability that rounding may cost, as a share of it.
inline constexpr double kRoundingCost = 0.005;

/// The settings with the fewest significant digits in each numeric factor that is not held, legal, for at
/// most kRoundingCost of the overall desirability in all; each factor may use its part of that. Empty where
/// no factor can do with fewer digits.
std::optional<Solution> findRounded(const study::Study& study, const std::vector<model::Fit>& fits,
                                    const Optimum& optimum, const study::Settings& held);

/// Settings with so many significant digits of each continuous factor, where that is legal and within its
/// range; `held` ones stay as they are.
study::Settings withFewDigits(const study::Study& study, study::Settings settings, int digits,
                              const study::Settings& held = {});

/// The solutions with the rounded setting behind the first of them.
std::vector<Solution> withRounded(const Optimum& optimum);

/// What holding one factor at a value costs ("what do 32 GPUs cost me?").
struct FixedCost {
    study::Value value;
    Optimum held;         ///< the best settings with the factor at the value
    Optimum free;         ///< the best settings with the factor left to the search
    double overall = 0.0; ///< loss of overall desirability, at least 0
    /// Loss of each response in the sense of its goal, response's own unit: above 0 where it is worse with
    /// the factor held, below 0 where the compromise shifts in its favor.
    std::vector<std::pair<std::string, double>> responses;
    /// The numbers mean something; with the factor held there may be nothing inside all limits.
    bool isOk() const
    {
        return free.isOk() && (held.isOk() || held.status == OptimumStatus::ZeroDesirability);
    }
};

/// `options.fixed` may hold other factors; it must not name this one. Where the value cannot be run,
/// `held.status` and its message say why. `free`: the optimum with these options where it is known.
FixedCost costOfFixing(const study::Study& study, const std::vector<model::Fit>& fits,
                       const std::string& factor, const study::Value& value,
                       const OptimizeOptions& options = {}, const std::optional<Optimum>& free = {});

/// costOfFixing() along the factor: its legal values or categories, at most `points` of them spread over the
/// region; continuous factors in equal coded steps. Values that cannot be run with anything are left out.
std::vector<FixedCost> costCurve(const study::Study& study, const std::vector<model::Fit>& fits,
                                 const std::string& factor, const OptimizeOptions& options = {},
                                 int points = 17);

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
std::vector<GoalSensitivity> computeSensitivity(const study::Study& study,
                                                const std::vector<model::Fit>& fits, const Optimum& optimum,
                                                const OptimizeOptions& options = {});

} // namespace quadric::optimize
