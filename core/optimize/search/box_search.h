// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/search/box_bound.h"

#include <functional>
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

    BoxSearch(const SearchSpace& space, Evaluator& evaluator, const Merit& merit, std::stop_token stop = {});

    /// The models can be bounded and the categories have few enough combinations to visit them all.
    static bool isPossible(const SearchSpace& space, const std::vector<const model::Fit*>& fits);

    /// Looks at `boxes` more boxes. `best` is replaced by every better legal point, after `improve`.
    void run(std::size_t boxes, Candidate& best, const Improve& improve);

    /// Nothing better than `best` can exist.
    bool isProven(const Candidate& best) const { return bound(best) <= best.merit + kProofTolerance; }

    /// No legal point has a merit above this.
    double bound(const Candidate& best) const;

private:
    struct Box {
        double bound = 0.0;
        std::size_t combination = 0;
        Eigen::Index widest = 0; ///< among the axes of BoxBound
        Eigen::VectorXd low, high;
        bool operator<(const Box& other) const { return bound < other.bound; }
    };

    void addRoots(Candidate& best, const Improve& improve);
    void consider(Box box, Candidate& best, const Improve& improve);
    void halve(Box box, Candidate& best, const Improve& improve);
    bool cut(Eigen::Index axis, Box& lower, Box& upper) const;
    bool isForbidden(const Box& box);
    void tryMiddle(const Eigen::VectorXd& center, Candidate& best, const Improve& improve);
    void updateReferencePoint(const Candidate& best);

    const SearchSpace& m_space;
    Evaluator& m_evaluator;
    const Merit& m_merit;
    BoxBound m_bound;
    std::stop_token m_stop;
    std::vector<Eigen::VectorXd> m_combinations; ///< whole points with every combination of categories
    std::vector<Box> m_open;                     ///< a heap
    double m_leansOn = kNoMerit;                 ///< merit of the point whose multipliers are in use
    bool m_hasRoots = false;
    bool m_isSnapped = false;       ///< the middle of a box may not be legal
    double m_unresolved = kNoMerit; ///< highest bound of a box too small to halve
    Eigen::VectorXd m_x;            ///< scratch
    std::vector<Range> m_ranges;
    Eigen::ArrayXd m_y;
};

} // namespace quadric::optimize
