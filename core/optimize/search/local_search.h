// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/merit/desirability.h"
#include "core/optimize/merit/evaluator.h"
#include "core/optimize/search/search_space.h"

#include <functional>
#include <stop_token>

namespace quadric::optimize {

/// Local search for any function of the settings: steps along every factor and along what gained last (Hooke
/// & Jeeves 1961), halved until they are small; legal points only. A point is asked whether it is legal only
/// where it would be better: that may take longer than the function.
class PatternSearch {
public:
    using Function = std::function<double(const Eigen::VectorXd&)>;

    static constexpr double kSmallestStep = 2e-5; ///< coded

    /// `smallestStep`: a search ends where no longer step gains. `held`: a factor that is not moved, −1 for
    /// none.
    PatternSearch(const SearchSpace& space, Function function, std::stop_token stop = {},
                  double smallestStep = kSmallestStep, Eigen::Index held = -1);

    /// From a point to a legal one near it; kNoMerit where there is none. `step`: the first one, coded.
    Candidate climb(const Eigen::VectorXd& start, double step = 0.25) const;

    /// The best of climbs from the best of the given points.
    Candidate best(const std::vector<Eigen::VectorXd>& points, std::size_t climbs) const;

    /// One step along every factor; the next level where a step is shorter. False where none gains.
    bool explore(double step, Candidate& best) const;

private:
    bool tryPoint(const Eigen::VectorXd& x, Candidate& best) const;
    std::vector<double> placesOn(Eigen::Index axis, const Eigen::VectorXd& x, double step) const;

    const SearchSpace& m_space;
    Function m_function;
    std::stop_token m_stop;
    double m_smallestStep;
    Eigen::Index m_held;
};

/// Moves the given axes of x to a nearby best place to full accuracy, as if they were continuous. Merits have
/// kinks (limits of a desirability, targets) and optima often lie in them, so the problem is solved in its
/// smooth form: each quality becomes a bound on a variable of its own, and sequential quadratic programming
/// (Kraft 1988, NLopt's SLSQP) maximizes these. Constraints of the study and a sphere are bounds too. The
/// result need not be better or legal: the caller judges it.
Eigen::VectorXd polish(const SearchSpace& space, Evaluator& evaluator, const Merit& merit,
                       const std::vector<Eigen::Index>& axes, const Eigen::VectorXd& x);

/// The way from a legal point to a local optimum of a merit near it.
class LocalSearch {
public:
    /// `held`: a factor that is not moved, −1 for none.
    LocalSearch(const SearchSpace& space, Evaluator& evaluator, const Merit& merit, std::stop_token stop = {},
                Eigen::Index held = -1);
    LocalSearch(const LocalSearch&) = delete;
    LocalSearch& operator=(const LocalSearch&) = delete;

    double meritAt(const Eigen::VectorXd& x) const;

    /// To a place near the best one around; kNoMerit where no legal one was found.
    void climb(Candidate& candidate) const;

    /// The continuous factors to full accuracy, and on to where no single other one gains.
    void refine(Candidate& candidate) const;

    /// Only the continuous factors to full accuracy.
    void polishContinuous(Candidate& candidate) const;

    /// No legal setting with one factor elsewhere is better: one level up or down, another category, or 0.01
    /// coded units of a continuous factor.
    bool isPeak(const Candidate& candidate) const;

private:
    const SearchSpace& m_space;
    Evaluator& m_evaluator;
    const Merit& m_merit;
    PatternSearch m_steps;
    std::vector<Eigen::Index> m_continuous; ///< that are moved
    mutable Eigen::ArrayXd m_y;             ///< scratch
};

} // namespace quadric::optimize
