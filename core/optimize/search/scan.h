// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/search/line_search.h"

#include <cstdint>
#include <map>
#include <stop_token>

namespace quadric::optimize {

/// Lines along one factor through the region, each searched to its best legal point; the best of every cell
/// of a coarse partition is kept. Serves models whose boxes cannot be bounded, and settles spaces of listed
/// values: with few enough combinations every line there is.
class Scan {
public:
    Scan(LineSearch& lines, std::size_t count, std::uint64_t seed, std::stop_token stop = {});

    /// The kept points, best first. At least one factor can be moved.
    std::vector<Candidate> run();

    /// The last scan saw every line and no factor is continuous: its best point is the global optimum.
    bool isCertain() const { return m_isCertain; }

private:
    Eigen::Index innerAxis() const;
    std::uint64_t cellOf(const Eigen::VectorXd& x, Eigen::Index inner) const;
    void scanLine(Eigen::VectorXd& x, Eigen::Index inner);

    LineSearch& m_lines;
    const SearchSpace& m_space;
    std::size_t m_count;
    std::uint64_t m_seed;
    std::stop_token m_stop;
    std::vector<Eigen::Index> m_movable;
    bool m_hasContinuous = false;
    std::map<std::uint64_t, Candidate> m_cells;
    bool m_isCertain = false;
    double m_scanned = kNoMerit; ///< best merit so far
};

} // namespace quadric::optimize
