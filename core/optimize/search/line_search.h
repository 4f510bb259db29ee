// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/merit/evaluator.h"
#include "core/optimize/merit/merit.h"
#include "core/optimize/search/candidate.h"
#include "core/optimize/search/search_space.h"

namespace quadric::optimize {

/// Moves along one factor, all others held. Numeric factors by bisection: a part of the line is left out only
/// where exact bounds of all responses, or of the constraints, exclude a better legal point in it.
class LineSearch {
public:
    LineSearch(const SearchSpace& space, Evaluator& evaluator, const Merit& merit);

    const SearchSpace& space() const { return m_space; }
    Evaluator& evaluator() { return m_evaluator; }
    const Merit& merit() const { return m_merit; }

    double meritAt(const Eigen::VectorXd& x);

    /// Moves x along the axis to the best legal place, if that is better than `best`. `resolution`: coded
    /// width down to which continuous factors are bisected.
    bool improveAlong(Eigen::Index axis, Eigen::VectorXd& x, double& best, double resolution);

private:
    bool improveCategory(Eigen::Index axis, Eigen::VectorXd& x, double& best);
    bool improveLevels(Eigen::Index axis, Eigen::VectorXd& x, double& best);
    bool improveContinuous(Eigen::Index axis, Eigen::VectorXd& x, double& best, double resolution);
    bool isHopeless(Eigen::Index axis, const Eigen::VectorXd& x, double from, double to, double best);
    bool tryOnLine(Eigen::Index axis, const Eigen::VectorXd& x, double t, double& best, double& bestAt);

    const SearchSpace& m_space;
    Evaluator& m_evaluator;
    const Merit& m_merit;
    Line m_line;
    Eigen::ArrayXd m_y, m_low, m_high; ///< scratch
};

} // namespace quadric::optimize
