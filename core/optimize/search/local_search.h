// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/merit/desirability.h"
#include "core/optimize/merit/evaluator.h"
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

/// The way from a legal point to a local optimum near it.
class LocalSearch {
public:
    /// `held`: a factor that is not moved, −1 for none.
    explicit LocalSearch(LineSearch& lines, Eigen::Index held = -1);

    /// Factor by factor to a place where no single factor gains.
    bool climb(Candidate& candidate);

    /// To full accuracy: integer factors as if they were continuous with the roundings of what comes out,
    /// then the continuous ones.
    void refine(Candidate& candidate);

    /// Only the continuous factors to full accuracy.
    bool polishContinuous(Candidate& candidate);

    /// climb() and refine().
    Candidate runFrom(const Eigen::VectorXd& x);

private:
    bool climb(Candidate& candidate, double resolution);
    void polishRelaxed(Candidate& candidate);
    void tryRounded(const Eigen::VectorXd& relaxed, Candidate& candidate);

    LineSearch& m_lines;
    const SearchSpace& m_space;
    std::vector<Eigen::Index> m_movable, m_levels, m_continuous;
};

/// The neighbors of legal settings: one level up or down in any combination of the listed numeric factors
/// (with more than four of them: of at most two), another category, a small step of a continuous factor.
class Lattice {
public:
    explicit Lattice(LineSearch& lines);

    /// No legal neighbor is better.
    bool isPeak(const Candidate& candidate);

    /// Along improving neighbors to a peak, with continuous factors taken to full accuracy in between.
    void climb(Candidate& candidate);

private:
    /// By axis: levels to move, or for continuous factors small steps.
    using Direction = std::vector<std::pair<Eigen::Index, int>>;

    void addCombinations();
    Candidate step(const Candidate& from, const Direction& direction, int times);
    bool improve(Candidate& candidate);

    LineSearch& m_lines;
    const SearchSpace& m_space;
    LocalSearch m_local;
    std::vector<Direction> m_levels, m_steps; ///< of listed numeric factors, and of continuous ones
    std::vector<Eigen::Index> m_categories;
};

} // namespace quadric::optimize
