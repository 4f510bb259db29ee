// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/search/compromise.h"

#include <algorithm>

namespace quadric::optimize {

namespace {

/// Overall desirabilities that differ by less are the same.
constexpr double kTie = 1e-10;

} // namespace

CompromiseSearch::CompromiseSearch(const SearchSpace& space, Evaluator& evaluator,
                                   const std::vector<Desirability>& desirabilities, const Effort& effort,
                                   std::stop_token stop)
    : m_space(space)
    , m_evaluator(evaluator)
    , m_desirabilities(desirabilities)
    , m_merit(compromiseMerit(desirabilities))
    , m_slack(slackMerit(desirabilities))
    , m_compromise(space, evaluator, m_merit, effort, stop)
    , m_beyond(space, evaluator, m_slack, effort, stop)
{
}

bool CompromiseSearch::isMetInFull(const Candidate& best) const
{
    Eigen::ArrayXd y;
    m_evaluator.predict(best.x, y);
    return m_slack(y) >= -kTie;
}

std::vector<Candidate> CompromiseSearch::withOverall(std::vector<Candidate> found) const
{
    Eigen::ArrayXd y;
    for (Candidate& candidate : found) {
        m_evaluator.predict(candidate.x, y);
        candidate.merit = m_merit(y);
    }
    std::ranges::stable_sort(found, std::greater<>(), &Candidate::merit);
    return found;
}

/// Moves single factors for as long as nothing is lost.
void CompromiseSearch::spendWhatIsToSpare(Candidate& best) const
{
    const Merit excess = excessMerit(m_desirabilities, best.merit - kTie);
    LineSearch lines(m_space, m_evaluator, excess);
    Candidate moved{best.x, lines.meritAt(best.x)};
    if (LocalSearch(lines).climb(moved))
        best.x = moved.x;
}

std::vector<Candidate> CompromiseSearch::run(const std::vector<Eigen::VectorXd>& hints)
{
    std::vector<Candidate> found = m_compromise.run(hints);
    m_isProven = m_compromise.isProven();
    m_isBeyond = !found.empty() && isMetInFull(found.front());
    if (m_isBeyond) {
        std::vector<Eigen::VectorXd> starts;
        for (const Candidate& candidate : found)
            starts.push_back(candidate.x);
        found = withOverall(m_beyond.run(starts));
        m_isProven = m_beyond.isProven();
    } else if (!found.empty() && found.front().merit > 0.0) {
        spendWhatIsToSpare(found.front());
    }
    return found;
}

std::vector<Candidate> CompromiseSearch::peaksFrom(const std::vector<Candidate>& found)
{
    std::vector<Candidate> starts;
    for (const Candidate& candidate : found)
        starts.push_back({candidate.x, search().meritAt(candidate.x)});
    return withOverall(search().peaksFrom(std::move(starts)));
}

bool CompromiseSearch::isPeak(const Candidate& candidate)
{
    return search().isPeak(candidate);
}

std::vector<Candidate> CompromiseSearch::alternatives(const Candidate& best)
{
    return m_isBeyond ? withOverall(m_beyond.alternatives(best)) : m_compromise.alternatives(best);
}

} // namespace quadric::optimize
