// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/search/box_bound.h"
#include "core/optimize/search/local_search.h"

#include <functional>
#include <queue>
#include <stop_token>

namespace quadric::optimize {

/// Branch and bound over boxes of settings, the one with the highest upper bound first: halves boxes and
/// leaves out those in which nothing better than the best known can lie. When no box is left the best known
/// is the global optimum, to within kProofTolerance.
class BoxSearch {
public:
    /// Largest distance between the merit of a proven optimum and the true one. In units of desirability.
    static constexpr double kProofTolerance = 1e-7;

    /// Polishes a point that is better than the best known.
    using Improve = std::function<void(Candidate&)>;

    BoxSearch(LineSearch& lines, const std::vector<const model::Fit*>& fits, std::stop_token stop = {});

    /// The models can be bounded and the categories have few enough combinations to visit them all.
    static bool isPossible(const SearchSpace& space, const std::vector<const model::Fit*>& fits);

    /// Looks at `boxes` more boxes. `best` is replaced by every better legal point, after `improve`.
    void run(std::size_t boxes, Candidate& best, const Improve& improve);

    /// Nothing better than `best` can exist.
    bool isProven(const Candidate& best) const;

    /// No legal point has a merit above this.
    double bound(const Candidate& best) const;

    /// Legal middles of the boxes that were looked at so far.
    const std::vector<Candidate>& middles() const { return m_middles; }

private:
    struct Box {
        double bound = 0.0;
        std::size_t at = 0; ///< its ends in m_ends
        bool operator<(const Box& other) const { return bound < other.bound; }
    };

    void addRoots(Candidate& best, const Improve& improve);
    std::size_t allocate();
    double* ends(std::size_t at) { return m_ends.data() + at * m_stride; }
    void consider(std::size_t at, double bound, Candidate& best, const Improve& improve);
    void halve(std::size_t at, double bound, Candidate& best, const Improve& improve);
    void tryMiddle(Candidate& best, const Improve& improve);
    bool cut(Eigen::Index axis, double low, double high, double& lowEnd, double& highStart) const;
    bool isForbidden(std::size_t at);
    void updateReferencePoint(const Candidate& best);

    LineSearch& m_lines;
    const SearchSpace& m_space;
    BoxBound m_bound;
    std::stop_token m_stop;
    std::vector<Eigen::VectorXd> m_combinations; ///< whole points with every combination of categories
    std::size_t m_stride = 0;
    std::vector<double> m_ends; ///< of each box: combination, axis to halve, lows, highs
    std::vector<std::size_t> m_free;
    std::priority_queue<Box> m_open;
    std::vector<Candidate> m_middles;
    double m_leansOn = kNoMerit; ///< merit of the point whose multipliers are in use
    bool m_hasRoots = false;
    bool m_isSnapped = false;                ///< the middle of a box may not be legal
    double m_unresolved = kNoMerit;          ///< highest bound of a box too small to halve
    Eigen::VectorXd m_center, m_radius, m_x; ///< scratch
    std::vector<Range> m_ranges;
};

} // namespace quadric::optimize
