// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/search/search.h"

namespace quadric::optimize {

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
    void spendWhatIsToSpare(Candidate& best) const;

    const SearchSpace& m_space;
    Evaluator& m_evaluator;
    const std::vector<Desirability>& m_desirabilities;
    Merit m_merit, m_slack;
    Search m_compromise, m_beyond;
    bool m_isBeyond = false; ///< the best reaches desirability 1
    bool m_isProven = false;
};

} // namespace quadric::optimize
