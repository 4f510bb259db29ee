// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/search/line_search.h"

namespace quadric::optimize {

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

} // namespace quadric::optimize
