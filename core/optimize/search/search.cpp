// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/search/search.h"

#include "core/optimize/search/pattern_search.h"
#include "core/optimize/search/scan.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace quadric::optimize {

namespace {

/// Points nearer than this count as the same solution.
constexpr double kDistinct = 0.05;

/// Starts of a climb are at least this far from one another.
constexpr double kApart = 0.25;

/// Legal points that are looked at for further optima, however soon the best one is proven.
constexpr std::size_t kSample = 24;

bool isBetter(const Candidate& a, const Candidate& b)
{
    return a.merit > b.merit;
}

/// Best first, none nearer than `apart` to a better one; at most `most`.
std::vector<Candidate> spreadOut(const SearchSpace& space, std::vector<Candidate> candidates, double apart,
                                 std::size_t most)
{
    std::stable_sort(candidates.begin(), candidates.end(), isBetter);
    std::vector<Candidate> result;
    for (Candidate& candidate : candidates) {
        if (result.size() == most)
            break;
        const bool isNew = std::none_of(result.begin(), result.end(), [&](const Candidate& other) {
            return distance(space, candidate.x, other.x) < apart;
        });
        if (isNew)
            result.push_back(std::move(candidate));
    }
    return result;
}

} // namespace

double distance(const SearchSpace& space, const Eigen::VectorXd& a, const Eigen::VectorXd& b)
{
    double largest = 0.0;
    for (Eigen::Index i = 0; i < space.size(); ++i) {
        if (!space.isNumeric(i) && a[i] != b[i])
            return std::numeric_limits<double>::infinity();
        largest = std::max(largest, std::abs(a[i] - b[i]));
    }
    return largest;
}

std::vector<Candidate> distinctOf(const SearchSpace& space, std::vector<Candidate> candidates)
{
    const std::size_t all = candidates.size();
    return spreadOut(space, std::move(candidates), kDistinct, all);
}

Search::Search(const SearchSpace& space, Evaluator& evaluator, const Merit& merit, const Effort& effort,
               std::stop_token stop)
    : m_space(space)
    , m_lines(space, evaluator, merit)
    , m_local(m_lines)
    , m_effort(effort)
    , m_stop(std::move(stop))
{
}

void Search::keep(std::vector<Candidate> more)
{
    m_found.insert(m_found.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    m_found = distinctOf(m_space, std::move(m_found));
}

/// Peaks that a climb, which looks along whole lines, would leave for a higher one.
void Search::keepPeaks(const std::vector<Candidate>& starts)
{
    const bool hasLevels = std::any_of(m_space.axes().begin(), m_space.axes().end(), [](const Axis& axis) {
        return axis.kind == Axis::Kind::Levels || axis.snaps;
    });
    std::vector<Candidate> peaks;
    for (std::size_t i = 0; i < starts.size() && i < m_effort.peaks && !hasLevels; ++i) {
        Candidate peak = starts[i];
        if (peak.merit > 0.0 && m_local.polishContinuous(peak))
            peaks.push_back(std::move(peak));
    }
    keep(std::move(peaks));
}

void Search::climbFrom(std::vector<Candidate> starts)
{
    keepPeaks(starts);
    for (Candidate& candidate : starts) {
        if (!m_stop.stop_requested())
            m_local.climb(candidate);
    }
    starts = distinctOf(m_space, std::move(starts));
    for (std::size_t i = 0; i < starts.size() && i < m_effort.polished && !m_stop.stop_requested(); ++i)
        m_local.refine(starts[i]);
    keep(std::move(starts));
}

void Search::searchBoxes(const std::vector<Candidate>& hints)
{
    BoxSearch boxes(m_lines, m_lines.evaluator().fits(), m_stop);
    const auto improve = [&](Candidate& candidate) {
        m_local.polishContinuous(candidate);
        keep({candidate});
    };
    Candidate best;
    if (!hints.empty()) {
        climbFrom(spreadOut(m_space, hints, kDistinct, m_effort.polished));
        best = m_found.front();
    }
    boxes.run(m_effort.scout, best, improve);
    if (!boxes.isProven(best) || hints.empty()) {
        std::vector<Candidate> starts = boxes.middles();
        for (const Eigen::VectorXd& x : legalSample(m_space, kSample, m_effort.seed))
            starts.push_back({x, m_lines.meritAt(x)});
        climbFrom(spreadOut(m_space, std::move(starts), kApart, m_effort.starts));
    }
    if (m_found.empty() || m_stop.stop_requested())
        return;
    best = m_found.front();
    boxes.run(m_effort.boxes, best, improve);
    m_isProven = boxes.isProven(best);
    m_bound = boxes.bound(best);
}

void Search::searchLines(const std::vector<Candidate>& hints)
{
    Scan scan(m_lines, m_effort.lines, m_effort.seed, m_stop);
    std::vector<Candidate> starts = scan.run();
    starts.resize(std::min(starts.size(), m_effort.starts));
    starts.insert(starts.end(), hints.begin(), hints.end());
    climbFrom(std::move(starts));
    m_isCertain = scan.isCertain() && !m_stop.stop_requested();
    m_isProven = m_isCertain;
}

std::vector<Candidate> Search::run(const std::vector<Eigen::VectorXd>& hints)
{
    m_found.clear();
    m_isProven = false;
    m_isCertain = false;
    m_bound = m_lines.merit().ceiling();
    std::vector<Candidate> starts;
    for (const Eigen::VectorXd& hint : hints) {
        if (m_space.isLegal(hint))
            starts.push_back({hint, m_lines.meritAt(hint)});
    }
    bool isMovable = false;
    bool hasContinuous = false;
    for (const Axis& axis : m_space.axes()) {
        isMovable |= axis.isMovable();
        hasContinuous |= axis.kind == Axis::Kind::Continuous;
    }
    if (m_effort.isLocal && isMovable && !starts.empty()) {
        climbFrom(spreadOut(m_space, std::move(starts), kDistinct, m_effort.polished));
        return m_found;
    }
    if (!isMovable) {
        const Eigen::VectorXd only = m_space.center();
        if (m_space.isLegal(only))
            m_found.push_back({only, m_lines.meritAt(only)});
        m_isProven = m_isCertain = true;
    } else if (BoxSearch::isPossible(m_space, m_lines.evaluator().fits())) {
        searchBoxes(starts);
        if (!m_isProven &&
            (!hasContinuous || m_found.empty())) // lines meet narrow legal regions that middles miss
            searchLines(m_found);
    } else {
        searchLines(starts);
    }
    if (!m_found.empty())
        m_bound = m_isCertain ? m_found.front().merit : std::max(m_bound, m_found.front().merit);
    return m_found;
}

} // namespace quadric::optimize
