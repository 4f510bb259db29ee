// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/search/search.h"

#include "core/optimize/search/box_search.h"

#include <algorithm>
#include <functional>

namespace quadric::optimize {

namespace {

/// Starts of a climb are at least this far from one another.
constexpr double kApart = 0.25;

constexpr std::size_t kSample = 400; ///< legal points, the best of which are climbed from
constexpr std::size_t kPolished = 4; ///< of the points that were climbed to

/// Coded distance to which a factor is moved away from the best setting.
constexpr double kBeside = 0.5;

std::vector<double> placesBeside(const SearchSpace& space, Eigen::Index i, const Eigen::VectorXd& x)
{
    const Axis& axis = space.axis(i);
    std::vector<double> places;
    if (axis.kind != Axis::Kind::Continuous) {
        places = space.neighbors(i, x[i], kBeside);
    } else {
        for (const double place : {x[i] - kBeside, x[i] + kBeside})
            if (place >= axis.low && place <= axis.high)
                places.push_back(space.snap(i, place));
    }
    std::erase(places, x[i]);
    return places;
}

} // namespace

Search::Search(const SearchSpace& space, Evaluator& evaluator, const Merit& merit, const Effort& effort,
               std::stop_token stop)
    : m_space(space)
    , m_evaluator(evaluator)
    , m_merit(merit)
    , m_local(space, evaluator, merit, stop)
    , m_effort(effort)
    , m_stop(std::move(stop))
{
}

void Search::keep(std::vector<Candidate> more)
{
    std::ranges::move(more, std::back_inserter(m_found));
    m_found = spreadOut(m_space, std::move(m_found), kDistinct);
}

void Search::climbFrom(std::vector<Candidate> starts)
{
    for (Candidate& candidate : starts)
        if (!m_stop.stop_requested())
            m_local.climb(candidate);
    starts = spreadOut(m_space, std::move(starts), kDistinct);
    for (std::size_t i = 0; i < starts.size() && i < kPolished && !m_stop.stop_requested(); ++i)
        m_local.refine(starts[i]);
    keep(std::move(starts));
}

void Search::prove()
{
    BoxSearch boxes(m_space, m_evaluator, m_merit, m_stop);
    Candidate best = m_found.empty() ? Candidate{} : m_found.front();
    boxes.run(m_effort.boxes, best, [&](Candidate& candidate) {
        m_local.polishContinuous(candidate);
        keep({candidate});
    });
    m_isProven = !m_found.empty() && boxes.isProven(best);
    m_bound = boxes.bound(best);
}

std::vector<Candidate> Search::run(const std::vector<Eigen::VectorXd>& hints)
{
    m_found.clear();
    m_isProven = false;
    m_bound = m_merit.ceiling();
    std::vector<Candidate> starts;
    for (const Eigen::VectorXd& hint : hints)
        if (m_space.isLegal(hint))
            starts.push_back({hint, m_local.meritAt(hint)});
    const bool isLocal = m_effort.isLocal && !starts.empty();
    if (!isLocal)
        for (const Eigen::VectorXd& x : legalSample(m_space, kSample, m_effort.seed))
            starts.push_back({x, m_local.meritAt(x)});
    climbFrom(spreadOut(m_space, std::move(starts), kApart, m_effort.starts));
    if (!isLocal && BoxSearch::isPossible(m_space, m_evaluator.fits()))
        prove();
    if (!m_found.empty())
        m_bound = std::max(m_bound, m_found.front().merit);
    return m_found;
}

std::vector<Candidate> Search::alternatives(const Candidate& best) const
{
    std::vector<Candidate> found;
    for (Eigen::Index i = 0; i < m_space.size(); ++i) {
        const LocalSearch others(m_space, m_evaluator, m_merit, m_stop, i);
        for (const double place : placesBeside(m_space, i, best.x)) {
            Candidate candidate = best;
            candidate.x[i] = place;
            others.climb(candidate);
            if (candidate.merit == kNoMerit)
                continue;
            others.refine(candidate);
            found.push_back(std::move(candidate));
        }
    }
    std::ranges::stable_sort(found, std::greater{}, &Candidate::merit);
    return found;
}

} // namespace quadric::optimize
