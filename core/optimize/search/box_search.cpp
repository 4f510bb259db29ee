// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/search/box_search.h"

#include <algorithm>

namespace quadric::optimize {

namespace {

constexpr std::size_t kMostCombinations = 4096;

/// Coded width at which a continuous factor is not halved any further.
constexpr double kSmallest = 1e-8;

std::size_t countCombinations(const SearchSpace& space)
{
    std::size_t count = 1;
    for (Eigen::Index i = 0; i < space.size() && count <= kMostCombinations; ++i)
        count *= space.axis(i).kind == Axis::Kind::Category ? space.axis(i).count() : 1;
    return count;
}

} // namespace

BoxSearch::BoxSearch(const SearchSpace& space, Evaluator& evaluator, const Merit& merit, std::stop_token stop)
    : m_space(space)
    , m_evaluator(evaluator)
    , m_merit(merit)
    , m_bound(m_space, evaluator.fits(), merit)
    , m_stop(std::move(stop))
    , m_ranges(static_cast<std::size_t>(m_space.size()))
{
    for (std::size_t choice = 0; choice < countCombinations(m_space); ++choice) {
        Eigen::VectorXd x = m_space.center();
        std::size_t rest = choice;
        for (Eigen::Index i = 0; i < m_space.size(); ++i) {
            const Axis& axis = m_space.axis(i);
            if (axis.kind != Axis::Kind::Category)
                continue;
            x[i] = axis.coded[rest % axis.count()];
            rest /= axis.count();
        }
        m_combinations.push_back(std::move(x));
    }
    for (const Eigen::Index axis : m_bound.axes())
        m_isSnapped |= m_space.axis(axis).kind == Axis::Kind::Levels || m_space.axis(axis).snaps;
}

bool BoxSearch::isPossible(const SearchSpace& space, const std::vector<const model::Fit*>& fits)
{
    return BoxBound::isPossible(fits) && countCombinations(space) <= kMostCombinations;
}

double BoxSearch::bound(const Candidate& best) const
{
    if (!m_hasRoots)
        return m_merit.ceiling();
    const double open = m_open.empty() ? kNoMerit : m_open.front().bound;
    return std::max({best.merit, open, m_unresolved});
}

/// No setting in the box satisfies the constraints.
bool BoxSearch::isForbidden(const Box& box)
{
    if (!m_space.hasConstraints())
        return false;
    const Eigen::VectorXd& categories = m_combinations[box.combination];
    for (Eigen::Index i = 0; i < m_space.size(); ++i)
        m_ranges[static_cast<std::size_t>(i)] = {categories[i], categories[i]};
    for (Eigen::Index i = 0; i < box.low.size(); ++i)
        m_ranges[static_cast<std::size_t>(m_bound.axes()[static_cast<std::size_t>(i)])] = {box.low[i],
                                                                                           box.high[i]};
    return m_space.isForbidden(m_ranges);
}

void BoxSearch::updateReferencePoint(const Candidate& best)
{
    m_leansOn = best.merit;
    if (best.merit > 0.0 || m_merit.mode() == MeritMode::Minimum)
        m_bound.setReferencePoint(best.x);
}

void BoxSearch::tryMiddle(const Eigen::VectorXd& center, Candidate& best, const Improve& improve)
{
    for (Eigen::Index i = 0; i < center.size(); ++i) {
        const Eigen::Index axis = m_bound.axes()[static_cast<std::size_t>(i)];
        m_x[axis] = m_isSnapped ? m_space.snap(axis, center[i]) : center[i];
    }
    m_evaluator.predict(m_x, m_y);
    const double merit = m_merit(m_y);
    if (merit <= best.merit + kGain || !m_space.isLegal(m_x))
        return;
    best = {m_x, merit};
    improve(best);
    updateReferencePoint(best);
    m_bound.setCategories(m_x);
}

/// Bounds a box, tries its middle, and keeps it where it may hold something better.
void BoxSearch::consider(Box box, Candidate& best, const Improve& improve)
{
    if (isForbidden(box))
        return;
    m_x = m_combinations[box.combination];
    m_bound.setCategories(m_x);
    const Eigen::VectorXd center = 0.5 * (box.low + box.high);
    box.bound = std::min(box.bound, m_bound(center, box.high - center, best.merit + kProofTolerance));
    if (box.bound <= best.merit + kGain)
        return;
    box.widest = m_bound.widest();
    tryMiddle(center, best, improve);
    if (box.bound <= best.merit + kProofTolerance) {
        m_unresolved = std::max(m_unresolved, box.bound);
        return;
    }
    m_open.push_back(std::move(box));
    std::ranges::push_heap(m_open, std::less{});
}

void BoxSearch::addRoots(Candidate& best, const Improve& improve)
{
    m_hasRoots = true;
    const auto size = std::ssize(m_bound.axes());
    Box whole{m_merit.ceiling(), 0, 0, Eigen::VectorXd(size), Eigen::VectorXd(size)};
    for (Eigen::Index i = 0; i < size; ++i) {
        const Axis& axis = m_space.axis(m_bound.axes()[static_cast<std::size_t>(i)]);
        whole.low[i] = axis.low;
        whole.high[i] = axis.high;
    }
    for (; whole.combination < m_combinations.size(); ++whole.combination)
        consider(whole, best, improve);
}

/// Cuts two copies of a box apart along an axis; false where it cannot be cut.
bool BoxSearch::cut(Eigen::Index i, Box& lower, Box& upper) const
{
    const Axis& axis = m_space.axis(m_bound.axes()[static_cast<std::size_t>(i)]);
    const double low = lower.low[i];
    const double high = lower.high[i];
    const double middle = 0.5 * (low + high);
    if (axis.kind != Axis::Kind::Levels) {
        lower.high[i] = upper.low[i] = middle;
        return high - low > kSmallest;
    }
    const auto first = std::ranges::lower_bound(axis.coded, low);
    const auto last = std::lower_bound(first, axis.coded.end(), high);
    if (first == last)
        return false;
    const auto above = std::clamp(std::upper_bound(first, last, middle), first + 1, last);
    lower.high[i] = *(above - 1);
    upper.low[i] = *above;
    return true;
}

void BoxSearch::halve(Box box, Candidate& best, const Improve& improve)
{
    Box other = box;
    bool isCut = box.low.size() > 0 && cut(box.widest, box, other);
    for (Eigen::Index i = 0; i < box.low.size() && !isCut; ++i)
        isCut = cut(i, box, other);
    if (isCut) {
        consider(std::move(box), best, improve);
        consider(std::move(other), best, improve);
        return;
    }
    const bool isPoint = std::ranges::all_of(
        m_bound.axes(), [&](Eigen::Index i) { return m_space.axis(i).kind == Axis::Kind::Levels; });
    if (!isPoint)
        m_unresolved = std::max(m_unresolved, box.bound);
}

void BoxSearch::run(std::size_t boxes, Candidate& best, const Improve& improve)
{
    if (best.merit > m_leansOn)
        updateReferencePoint(best);
    if (!m_hasRoots)
        addRoots(best, improve);
    for (std::size_t i = 0; i < boxes && !m_open.empty() && !m_stop.stop_requested(); i += 2) {
        if (m_open.front().bound <= best.merit + kProofTolerance)
            return;
        std::ranges::pop_heap(m_open, std::less{});
        Box box = std::move(m_open.back());
        m_open.pop_back();
        halve(std::move(box), best, improve);
    }
}

} // namespace quadric::optimize
