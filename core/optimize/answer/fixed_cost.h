// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/merit/optimum.h"

namespace quadric::optimize {

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

} // namespace quadric::optimize
