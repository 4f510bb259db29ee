// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/search/search_space.h"

namespace quadric::optimize {

/// Walks over lines along one axis of a search space: every combination of the levels of the other axes where
/// that is possible, together with well-spread values of the continuous ones (Halton sequence, stretched so
/// that a part of the values lies on the faces of the region).
class LineSampler {
public:
    /// About `lines` lines; up to kMostLines where every combination of levels is visited.
    LineSampler(const SearchSpace& space, Eigen::Index inner, std::size_t lines, std::uint64_t seed);

    /// Sets all axes but the inner one to those of the next line; false after the last.
    bool next(Eigen::VectorXd& x);

    /// Every combination of levels of the outer axes is visited.
    bool isComplete() const { return m_isComplete; }

    static constexpr std::size_t kMostLines = 50000;

private:
    void pullInside(Eigen::VectorXd& x) const;
    double spread(std::size_t dimension) const;
    double levelAt(const Axis& axis, double share) const;

    const SearchSpace& m_space;
    Eigen::Index m_inner;
    std::vector<Eigen::Index> m_listed, m_continuous; ///< outer axes
    std::size_t m_combinations = 1;                   ///< of the listed axes
    std::size_t m_stride = 1;
    std::size_t m_samples = 1; ///< for each combination
    std::size_t m_at = 0;
    std::size_t m_sample = 0; ///< index in the Halton sequence
    bool m_isComplete = true;
    std::vector<double> m_shift;
};

} // namespace quadric::optimize
