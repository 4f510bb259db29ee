// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/merit/desirability.h"
#include "core/optimize/merit/evaluator.h"
#include "core/optimize/search/search_space.h"

namespace quadric::optimize {

/// Moves the given axes of x to a nearby best place to full accuracy, as if they were continuous. Merits have
/// kinks (limits of a desirability, targets) and optima often lie in them, so the problem is solved in its
/// smooth form: each quality becomes a bound on a variable of its own, and sequential quadratic programming
/// (Kraft 1988, NLopt's SLSQP) maximizes these. Constraints of the study and a sphere are bounds too. The
/// result need not be better or legal: the caller judges it.
Eigen::VectorXd polish(const SearchSpace& space, Evaluator& evaluator, const Merit& merit,
                       const std::vector<Eigen::Index>& axes, const Eigen::VectorXd& x);

} // namespace quadric::optimize
