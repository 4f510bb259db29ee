// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/search/local_search.h"

namespace quadric::optimize {

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
