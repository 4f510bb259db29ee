// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/evaluator.h"
#include "core/optimize/merit.h"
#include "core/optimize/search_space.h"

#include <map>
#include <stop_token>

namespace quadric::optimize {

/// A legal point and its merit.
struct Candidate {
    Eigen::VectorXd x;
    double merit = 0.0;
};

/// Largest coded difference of a numeric factor; infinite where a categorical factor differs.
double distance(const SearchSpace& space, const Eigen::VectorXd& a, const Eigen::VectorXd& b);

/// How hard to search.
struct Effort {
    std::size_t lines = 1024; ///< lines of the scan for each search (all of them where levels are few)
    std::size_t starts = 64;  ///< points that are climbed from
    std::size_t polished = 8; ///< of these, how many are taken to full accuracy
    std::uint64_t seed = 1;
};

/// Global search for the largest merit over the legal settings.
///  1. Scan: lines along one factor through the region, each searched to its best legal point by bisection
///     with exact bounds of the responses. With few enough combinations of levels every line there is: then
///     the result is certain when no factor is continuous. The best point of every cell of a coarse
///     partition is kept.
///  2. Climb from the best of these, factor by factor.
///  3. Polish: integer factors as if they were continuous, then all legal neighbours of what comes out.
///  4. Sweep the planes of every two factors through the best points.
class Search {
public:
    Search(const SearchSpace& space, Evaluator& evaluator, const Merit& merit, const Effort& effort,
           std::stop_token stop = {});

    /// Legal local optima, best first, no two closer than a twentieth of a coded unit. `hints`: legal points
    /// to start from besides those of the scan. Empty where no legal setting was found.
    std::vector<Candidate> run(const std::vector<Eigen::VectorXd>& hints = {});

    /// The local optimum reached from one legal point, without the global part.
    Candidate runFrom(const Eigen::VectorXd& x);

private:
    double meritAt(const Eigen::VectorXd& x);
    bool improveAlong(Eigen::Index axis, Eigen::VectorXd& x, double& best, double resolution);
    bool improveCategory(Eigen::Index axis, Eigen::VectorXd& x, double& best);
    bool improveLevels(Eigen::Index axis, Eigen::VectorXd& x, double& best);
    bool improveContinuous(Eigen::Index axis, Eigen::VectorXd& x, double& best, double resolution);
    bool isHopeless(Eigen::Index axis, const Eigen::VectorXd& x, double from, double to, double best);
    bool tryOnLine(Eigen::Index axis, const Eigen::VectorXd& x, double t, double& best, double& bestAt);

    void scan();
    void scanLine(Eigen::VectorXd& x, Eigen::Index inner);
    std::uint64_t cellOf(const Eigen::VectorXd& x, Eigen::Index inner) const;
    Eigen::Index innerAxis() const;

    std::vector<Candidate> starts(const std::vector<Eigen::VectorXd>& hints);
    bool climb(Candidate& candidate, double resolution);
    void refine(Candidate& candidate);
    void finish(Candidate& best);
    bool polishContinuous(Candidate& candidate);
    void polishRelaxed(Candidate& candidate);
    void tryRounded(const Eigen::VectorXd& relaxed, Candidate& candidate);
    bool sweepPlanes(Candidate& candidate);
    bool sweepPlane(Eigen::Index outer, Eigen::Index inner, Candidate& candidate);
    Eigen::VectorXd neighbour(const Eigen::VectorXd& origin, std::size_t choice) const;
    bool tryNeighbours(Candidate& candidate);
    std::vector<Candidate> distinct(std::vector<Candidate> candidates) const;

    const SearchSpace& m_space;
    Evaluator& m_evaluator;
    const Merit& m_merit;
    Effort m_effort;
    std::stop_token m_stop;
    std::vector<Eigen::Index> m_movable, m_levels, m_continuous;
    std::map<std::uint64_t, Candidate> m_cells;
    bool m_isCertain = false; ///< the scan sees every line and no factor is continuous
    double m_scanned = 0.0;   ///< best merit of the scan so far
    Line m_line;
    Eigen::ArrayXd m_y, m_low, m_high; ///< scratch
};

} // namespace quadric::optimize
