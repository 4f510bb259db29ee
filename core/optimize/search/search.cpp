// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/search/search.h"

#include "core/optimize/search/search_space.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>

namespace quadric::optimize {

namespace {

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

/// Coded width down to which lines along continuous factors are bisected.
constexpr double kScanResolution = 0.2;

/// Share of the best desirability below which a complete scan does not look for further solutions.
constexpr double kUsefulShare = 0.7;

/// Cells of the partition along each factor.
constexpr std::uint64_t kCells = 4;

Scan::Scan(LineSearch& lines, std::size_t count, std::uint64_t seed, std::stop_token stop)
    : m_lines(lines)
    , m_space(lines.space())
    , m_count(count)
    , m_seed(seed)
    , m_stop(std::move(stop))
{
    for (Eigen::Index i = 0; i < m_space.size(); ++i) {
        if (m_space.axis(i).isMovable())
            m_movable.push_back(i);
        m_hasContinuous |= m_space.axis(i).kind == Axis::Kind::Continuous;
    }
}

/// The axis along which lines are searched: the numeric one with the most values.
Eigen::Index Scan::innerAxis() const
{
    const auto weight = [&](Eigen::Index i) {
        const Axis& axis = m_space.axis(i);
        if (axis.kind == Axis::Kind::Continuous)
            return std::size_t{10};
        return axis.isNumeric() ? axis.count() + 1 : std::size_t{1};
    };
    return *std::max_element(m_movable.begin(), m_movable.end(),
                             [&](Eigen::Index a, Eigen::Index b) { return weight(a) < weight(b); });
}

std::uint64_t Scan::cellOf(const Eigen::VectorXd& x, Eigen::Index inner) const
{
    std::uint64_t cell = 0;
    for (const Eigen::Index i : m_movable) {
        const Axis& axis = m_space.axis(i);
        if (i == inner)
            continue;
        if (axis.kind == Axis::Kind::Category) {
            cell = cell * axis.count() + static_cast<std::uint64_t>(x[i]);
            continue;
        }
        const double width = std::max(axis.high - axis.low, std::numeric_limits<double>::min());
        const double share = std::clamp((x[i] - axis.low) / width, 0.0, 1.0);
        cell = cell * kCells +
               std::min(kCells - 1, static_cast<std::uint64_t>(share * static_cast<double>(kCells)));
    }
    return cell;
}

void Scan::scanLine(Eigen::VectorXd& x, Eigen::Index inner)
{
    const std::uint64_t cell = cellOf(x, inner);
    const auto known = m_cells.find(cell);
    double best = known == m_cells.end() ? kNoMerit : known->second.merit;
    if (m_isCertain && m_scanned > 0.0)
        best = std::max(best, kUsefulShare * m_scanned);
    if (!m_lines.improveAlong(inner, x, best, kScanResolution))
        return;
    m_cells.insert_or_assign(cell, Candidate{x, best});
    m_scanned = std::max(m_scanned, best);
}

std::vector<Candidate> Scan::run()
{
    m_cells.clear();
    const Eigen::Index inner = innerAxis();
    LineSampler sampler(m_space, inner, m_count, m_seed);
    Eigen::VectorXd x = m_space.center();
    m_isCertain = sampler.isComplete() && !m_hasContinuous;
    m_scanned = kNoMerit;
    while (!m_stop.stop_requested() && sampler.next(x))
        scanLine(x, inner);
    std::vector<Candidate> found;
    for (const auto& [cell, candidate] : m_cells)
        found.push_back(candidate);
    std::stable_sort(found.begin(), found.end(),
                     [](const Candidate& a, const Candidate& b) { return a.merit > b.merit; });
    return found;
}

/// Points nearer than this count as the same solution.
constexpr double kDistinct = 0.05;

/// Starts of a climb are at least this far from one another.
constexpr double kApart = 0.25;

/// Legal points that are looked at for further optima, however soon the best one is proven.
constexpr std::size_t kSample = 24;

/// Best first, none nearer than `apart` to a better one; at most `most`.
std::vector<Candidate> spreadOut(const SearchSpace& space, std::vector<Candidate> candidates, double apart,
                                 std::size_t most)
{
    std::ranges::stable_sort(candidates, std::greater{}, &Candidate::merit);
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

constexpr double kStep = 0.5;

/// Where a factor is moved to.
std::vector<double> placesBeside(const SearchSpace& space, Eigen::Index i, const Eigen::VectorXd& x)
{
    const Axis& axis = space.axis(i);
    std::vector<double> places;
    if (axis.kind != Axis::Kind::Continuous) {
        places = space.neighbors(i, x[i], kStep);
    } else {
        for (const double place : {x[i] - kStep, x[i] + kStep})
            if (place >= axis.low && place <= axis.high)
                places.push_back(space.snap(i, place));
    }
    std::erase(places, x[i]);
    return places;
}

/// Overall desirabilities that differ by less are the same.
constexpr double kTie = 1e-10;

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

std::vector<Candidate> keepDistinct(const SearchSpace& space, std::vector<Candidate> candidates)
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
    m_found = keepDistinct(m_space, std::move(m_found));
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
    starts = keepDistinct(m_space, std::move(starts));
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

std::vector<Candidate> Search::peaksFrom(std::vector<Candidate> found)
{
    Lattice lattice(m_lines);
    for (Candidate& candidate : found)
        if (!m_stop.stop_requested())
            lattice.climb(candidate);
    std::erase_if(found, [&lattice](const Candidate& candidate) { return !lattice.isPeak(candidate); });
    std::ranges::stable_sort(found, std::greater<>(), &Candidate::merit);
    return found;
}

bool Search::isPeak(const Candidate& candidate)
{
    return Lattice(m_lines).isPeak({candidate.x, m_lines.meritAt(candidate.x)});
}

std::vector<Candidate> Search::alternatives(const Candidate& best)
{
    std::vector<Candidate> found;
    for (Eigen::Index i = 0; i < m_space.size(); ++i) {
        LocalSearch others(m_lines, i);
        for (const double place : placesBeside(m_space, i, best.x)) {
            Candidate candidate = best;
            candidate.x[i] = place;
            candidate.merit = m_space.isLegal(candidate.x) ? m_lines.meritAt(candidate.x) : kNoMerit;
            others.climb(candidate);
            if (candidate.merit == kNoMerit)
                continue;
            others.polishContinuous(candidate);
            found.push_back(std::move(candidate));
        }
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Candidate& a, const Candidate& b) { return a.merit > b.merit; });
    return found;
}

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
void CompromiseSearch::spendSlack(Candidate& best) const
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
        spendSlack(found.front());
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
