// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/search/local_search.h"

#include <stop_token>

namespace quadric::optimize {

/// Points nearer than this (distance()) count as the same solution.
inline constexpr double kDistinct = 0.05;

/// How hard to search.
struct Effort {
    std::size_t starts = 12;  ///< points that are climbed from
    std::size_t boxes = 4000; ///< boxes that are looked at to prove the optimum, or to find a better one
    std::uint64_t seed = 1;
    bool isLocal = false; ///< climbs from the hints only
};

/// For the best of one response, which is easier than that of a compromise.
inline constexpr Effort kOwnEffort{.starts = 2, .boxes = 2000};

/// Global search for the largest merit over the legal settings: climbs from points spread over the region,
/// the best are taken to full accuracy, and where boxes can be bounded branch and bound goes on until the
/// best is proven or the effort is spent. What comes up that is better is polished and counts from then on.
class Search {
public:
    Search(const SearchSpace& space, Evaluator& evaluator, const Merit& merit, const Effort& effort,
           std::stop_token stop = {});

    /// Legal local optima, best first, distinct. `hints`: legal points to start from besides. Empty where no
    /// legal setting was found.
    std::vector<Candidate> run(const std::vector<Eigen::VectorXd>& hints = {});

    /// After run(): no legal setting has a merit above that of the first candidate, to within
    /// BoxSearch::kProofTolerance.
    bool isProven() const { return m_isProven; }
    /// After run(): no legal setting has a merit above this.
    double bound() const { return m_bound; }

    const LocalSearch& local() const { return m_local; }

    /// Settings worth knowing beside an optimum: for every factor the best setting with that factor moved
    /// away, to a legal value half a coded unit below and above (the next one where that is farther) or
    /// another category. Best first; points where no setting is legal are missing.
    std::vector<Candidate> alternatives(const Candidate& best) const;

private:
    void climbFrom(std::vector<Candidate> starts);
    void prove();
    void keep(std::vector<Candidate> more);

    const SearchSpace& m_space;
    Evaluator& m_evaluator;
    const Merit& m_merit;
    LocalSearch m_local;
    Effort m_effort;
    std::stop_token m_stop;
    std::vector<Candidate> m_found;
    bool m_isProven = false;
    double m_bound = 0.0;
};

} // namespace quadric::optimize
