// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/line_search.h"

#include <stop_token>

namespace quadric::optimize {

/// The way from a legal point to a local optimum near it.
class LocalSearch {
public:
    /// `held`: a factor that is not moved, −1 for none.
    explicit LocalSearch(LineSearch& lines, std::stop_token stop = {}, Eigen::Index held = -1);

    /// Factor by factor to a place where no single factor gains.
    bool climb(Candidate& candidate);

    /// To full accuracy: integer factors as if they were continuous with the roundings of what comes out,
    /// then the continuous ones.
    void refine(Candidate& candidate);

    /// Only the continuous factors to full accuracy.
    bool polishContinuous(Candidate& candidate);

    /// climb() and refine().
    Candidate runFrom(const Eigen::VectorXd& x);

    /// Sweeps the planes of every two factors through the point and tries all neighbouring levels with the
    /// continuous factors polished again, until nothing gains.
    void finish(Candidate& best);

private:
    bool climb(Candidate& candidate, double resolution);
    void polishRelaxed(Candidate& candidate);
    void tryRounded(const Eigen::VectorXd& relaxed, Candidate& candidate);
    bool sweepPlanes(Candidate& candidate);
    bool sweepPlane(Eigen::Index outer, Eigen::Index inner, Candidate& candidate);
    Eigen::VectorXd neighbour(const Eigen::VectorXd& origin, std::size_t choice) const;
    bool tryNeighbours(Candidate& candidate);

    LineSearch& m_lines;
    const SearchSpace& m_space;
    std::stop_token m_stop;
    std::vector<Eigen::Index> m_movable, m_levels, m_continuous;
};

} // namespace quadric::optimize
