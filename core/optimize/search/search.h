// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/search/box_search.h"
#include "core/optimize/search/local_search.h"

#include <stop_token>

namespace quadric::optimize {

/// Largest coded difference of a numeric factor; infinite where a categorical factor differs.
double distance(const SearchSpace& space, const Eigen::VectorXd& a, const Eigen::VectorXd& b);

/// The candidates, best first, without those too near to a better one to be another solution.
std::vector<Candidate> keepDistinct(const SearchSpace& space, std::vector<Candidate> candidates);

/// How hard to search.
struct Effort {
    std::size_t scout = 400;  ///< boxes that are looked at before anything is climbed
    std::size_t starts = 12;  ///< points that are climbed from
    std::size_t polished = 4; ///< of these, how many are taken to full accuracy
    std::size_t peaks = 6;    ///< starts of which the peak nearest to them is listed too
    std::size_t boxes = 4000; ///< boxes that are looked at to prove the optimum, or to find a better one
    std::size_t lines = 1024; ///< lines of the scan where boxes cannot be bounded
    std::uint64_t seed = 1;
    bool isLocal = false; ///< climbs from the hints only
};

/// Global search for the largest merit over the legal settings.
///  1. Scout: the first boxes of a branch and bound search; where boxes cannot be bounded a scan of lines.
///  2. Climb from the best of their middles, and take the best to full accuracy.
///  3. Go on with branch and bound until the optimum is proven or the effort is spent. What comes up that is
///     better is polished and counts from then on.
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

    /// The peaks (local_search.h) that are reached from these points, best first.
    std::vector<Candidate> peaksFrom(std::vector<Candidate> found);
    bool isPeak(const Candidate& candidate);
    double meritAt(const Eigen::VectorXd& x) { return m_lines.meritAt(x); }

    /// Settings worth knowing beside an optimum: for every factor the best setting with that factor moved
    /// away, to a legal value half a coded unit below and above (the next one where that is
    /// farther) or another category. Best first; points where no setting is legal are missing.
    std::vector<Candidate> alternatives(const Candidate& best);

    /// The local optimum reached from one legal point, without the global part.
    Candidate runFrom(const Eigen::VectorXd& x) { return m_local.runFrom(x); }

private:
    void keepPeaks(const std::vector<Candidate>& starts);
    void climbFrom(std::vector<Candidate> starts);
    void searchBoxes(const std::vector<Candidate>& hints);
    void searchLines(const std::vector<Candidate>& hints);
    void keep(std::vector<Candidate> more);

    const SearchSpace& m_space;
    LineSearch m_lines;
    LocalSearch m_local;
    Effort m_effort;
    std::stop_token m_stop;
    std::vector<Candidate> m_found;
    bool m_isProven = false;
    bool m_isCertain = false; ///< every legal setting was visited
    double m_bound = 0.0;
};

/// Search for the largest overall desirability. Settings that are equally desirable are told apart by the
/// responses themselves: where all reach desirability 1 by the smallest distance beyond, otherwise by what
/// the responses that reach it have to spare.
class CompromiseSearch {
public:
    CompromiseSearch(const SearchSpace& space, Evaluator& evaluator,
                     const std::vector<Desirability>& desirabilities, const Effort& effort,
                     std::stop_token stop = {});

    /// Legal local optima, best first, distinct; their merit is the overall desirability (≤ 0 where that is
    /// 0: Merit). Empty where no legal setting was found.
    std::vector<Candidate> run(const std::vector<Eigen::VectorXd>& hints = {});

    /// As Search has them, of desirability and of what decides between equally desirable settings.
    bool isProven() const { return m_isProven; }
    double bound() const { return m_compromise.bound(); }
    std::vector<Candidate> alternatives(const Candidate& best);
    std::vector<Candidate> peaksFrom(const std::vector<Candidate>& found);
    bool isPeak(const Candidate& candidate);

private:
    Search& search() { return m_isBeyond ? m_beyond : m_compromise; }
    bool isMetInFull(const Candidate& best) const;
    std::vector<Candidate> withOverall(std::vector<Candidate> found) const;
    void spendSlack(Candidate& best) const;

    const SearchSpace& m_space;
    Evaluator& m_evaluator;
    const std::vector<Desirability>& m_desirabilities;
    Merit m_merit, m_slack;
    Search m_compromise, m_beyond;
    bool m_isBeyond = false; ///< the best reaches desirability 1
    bool m_isProven = false;
};

} // namespace quadric::optimize
