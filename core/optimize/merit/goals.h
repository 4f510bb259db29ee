// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/merit/desirability.h"

namespace quadric::optimize {

/// The responses of a study that have a usable model. Entry i of each list belongs to the same response.
struct Goals {
    std::vector<const model::Fit*> fits;
    std::vector<Desirability> desirabilities;
    std::string leftOut; ///< responses with a goal and a weight but without a usable model, in words

    std::size_t count() const { return fits.size(); }
    /// Responses with a goal.
    std::ptrdiff_t countWanted() const;
    /// The desirabilities that take part in the compromise.
    std::vector<Desirability> findWanted() const;
    /// At least one response takes part in the compromise.
    bool hasCompromise() const;
};

/// A fit is usable when it is Ok and was made with the study's factors as they are now.
Goals goalsOf(const study::Study& study, const std::vector<model::Fit>& fits);

/// What a run gave of each response that is wanted, in their order; empty where a result is missing or not
/// finite.
std::optional<std::vector<double>> findMeasured(const study::Run& run,
                                                const std::vector<Desirability>& wanted);

/// Width of the observed range, 1 where it has none: makes responses of different units comparable.
double scaleOf(const model::Fit& fit);

/// How much better `best` is than `y` in the sense of the goal, at least 0; response's own unit
/// (Goal::Target: difference of the distances from the target).
double shortfall(const Desirability& desirability, double best, double y);

} // namespace quadric::optimize
