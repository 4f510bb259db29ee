// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/search/box_search.h"

#include <algorithm>

namespace quadric::optimize {

namespace {

constexpr std::size_t kMostCombinations = 4096;
constexpr std::size_t kMostMiddles = 4096;

/// Coded half width at which a continuous factor is not halved any further.
constexpr double kSmallest = 1e-8;

/// Ends of a box start behind its combination and the axis to halve.
constexpr std::size_t kHead = 2;

std::size_t countCombinations(const SearchSpace& space)
{
    std::size_t count = 1;
    for (Eigen::Index i = 0; i < space.size() && count <= kMostCombinations; ++i)
        count *= space.axis(i).kind == Axis::Kind::Category ? space.axis(i).count() : 1;
    return count;
}

} // namespace

BoxSearch::BoxSearch(LineSearch& lines, const std::vector<const model::Fit*>& fits, std::stop_token stop)
    : m_lines(lines)
    , m_space(lines.space())
    , m_bound(m_space, fits, lines.merit())
    , m_stop(std::move(stop))
    , m_stride(kHead + 2 * m_bound.axes().size())
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
    m_center.resize(std::ssize(m_bound.axes()));
    m_radius.resize(std::ssize(m_bound.axes()));
}

bool BoxSearch::isPossible(const SearchSpace& space, const std::vector<const model::Fit*>& fits)
{
    return BoxBound::isPossible(fits) && countCombinations(space) <= kMostCombinations;
}

bool BoxSearch::isProven(const Candidate& best) const
{
    return bound(best) <= best.merit + kProofTolerance;
}

double BoxSearch::bound(const Candidate& best) const
{
    if (!m_hasRoots)
        return m_lines.merit().ceiling();
    const double open = m_open.empty() ? kNoMerit : m_open.top().bound;
    return std::max({best.merit, open, m_unresolved});
}

std::size_t BoxSearch::allocate()
{
    if (!m_free.empty()) {
        const std::size_t at = m_free.back();
        m_free.pop_back();
        return at;
    }
    m_ends.resize(m_ends.size() + m_stride);
    return m_ends.size() / m_stride - 1;
}

/// No setting in the box satisfies the constraints.
bool BoxSearch::isForbidden(std::size_t at)
{
    if (!m_space.hasConstraints())
        return false;
    const double* box = ends(at);
    const std::size_t size = m_bound.axes().size();
    for (Eigen::Index i = 0; i < m_space.size(); ++i)
        m_ranges[static_cast<std::size_t>(i)] = {m_x[i], m_x[i]};
    for (std::size_t i = 0; i < size; ++i)
        m_ranges[static_cast<std::size_t>(m_bound.axes()[i])] = {box[kHead + i], box[kHead + size + i]};
    return m_space.judgeBox(m_ranges) == Verdict::No;
}

void BoxSearch::updateReferencePoint(const Candidate& best)
{
    m_leansOn = best.merit;
    if (best.merit > 0.0 || m_lines.merit().mode() == MeritMode::Minimum)
        m_bound.setReferencePoint(best.x);
}

void BoxSearch::tryMiddle(Candidate& best, const Improve& improve)
{
    for (Eigen::Index i = 0; i < m_center.size(); ++i) {
        const Eigen::Index axis = m_bound.axes()[static_cast<std::size_t>(i)];
        m_x[axis] = m_isSnapped ? m_space.snap(axis, m_center[i]) : m_center[i];
    }
    const double merit = m_isSnapped ? m_lines.meritAt(m_x) : m_bound.meritInTheMiddle();
    const bool isKept = m_middles.size() < kMostMiddles;
    if ((!isKept && merit <= best.merit + kGain) || !m_space.isLegal(m_x))
        return;
    if (isKept)
        m_middles.push_back({m_x, merit});
    if (merit <= best.merit + kGain)
        return;
    best = {m_x, merit};
    improve(best);
    updateReferencePoint(best);
    m_bound.setCategories(m_x);
}

/// Bounds a box that was made, tries its middle, and keeps it where it may hold something better.
void BoxSearch::consider(std::size_t at, double bound, Candidate& best, const Improve& improve)
{
    const auto size = static_cast<Eigen::Index>(m_bound.axes().size());
    const double* box = ends(at);
    m_x = m_combinations[static_cast<std::size_t>(box[0])];
    for (Eigen::Index i = 0; i < size; ++i) {
        m_center[i] = 0.5 * (box[kHead + static_cast<std::size_t>(i)] +
                             box[kHead + static_cast<std::size_t>(i + size)]);
        m_radius[i] = box[kHead + static_cast<std::size_t>(i + size)] - m_center[i];
    }
    if (isForbidden(at)) {
        m_free.push_back(at);
        return;
    }
    const double own = std::min(bound, m_bound(m_center, m_radius, best.merit + kProofTolerance));
    if (own <= best.merit + kGain) {
        m_free.push_back(at);
        return;
    }
    ends(at)[1] = static_cast<double>(m_bound.widest());
    tryMiddle(best, improve);
    if (own <= best.merit + kProofTolerance) {
        m_unresolved = std::max(m_unresolved, std::min(own, best.merit + kProofTolerance));
        m_free.push_back(at);
        return;
    }
    m_open.push({own, at});
}

void BoxSearch::addRoots(Candidate& best, const Improve& improve)
{
    m_hasRoots = true;
    const std::vector<Eigen::Index>& axes = m_bound.axes();
    for (std::size_t choice = 0; choice < m_combinations.size(); ++choice) {
        const std::size_t at = allocate();
        double* box = ends(at);
        box[0] = static_cast<double>(choice);
        for (std::size_t i = 0; i < axes.size(); ++i) {
            box[kHead + i] = m_space.axis(axes[i]).low;
            box[kHead + axes.size() + i] = m_space.axis(axes[i]).high;
        }
        m_bound.setCategories(m_combinations[choice]);
        consider(at, m_lines.merit().ceiling(), best, improve);
    }
}

/// Where the range of an axis is cut; false where it cannot be cut.
bool BoxSearch::cut(Eigen::Index i, double low, double high, double& lowEnd, double& highStart) const
{
    const Axis& axis = m_space.axis(m_bound.axes()[static_cast<std::size_t>(i)]);
    if (axis.kind == Axis::Kind::Levels) {
        const auto first = std::lower_bound(axis.coded.begin(), axis.coded.end(), low);
        const auto last = std::lower_bound(first, axis.coded.end(), high);
        if (first == last)
            return false;
        const auto middle = std::clamp(std::upper_bound(first, last, 0.5 * (low + high)), first + 1, last);
        lowEnd = *(middle - 1);
        highStart = *middle;
        return true;
    }
    lowEnd = highStart = 0.5 * (low + high);
    return high - low > kSmallest;
}

void BoxSearch::halve(std::size_t at, double bound, Candidate& best, const Improve& improve)
{
    const auto size = static_cast<Eigen::Index>(m_bound.axes().size());
    auto axis = static_cast<Eigen::Index>(ends(at)[1]);
    double lowEnd = 0.0;
    double highStart = 0.0;
    const auto low = [&](Eigen::Index i) { return ends(at)[kHead + static_cast<std::size_t>(i)]; };
    const auto high = [&](Eigen::Index i) { return ends(at)[kHead + static_cast<std::size_t>(size + i)]; };
    bool isCut = size > 0 && cut(axis, low(axis), high(axis), lowEnd, highStart);
    for (Eigen::Index i = 0; i < size && !isCut; ++i) {
        isCut = cut(i, low(i), high(i), lowEnd, highStart);
        axis = i;
    }
    if (!isCut) {
        const bool isPoint = std::all_of(m_bound.axes().begin(), m_bound.axes().end(), [&](Eigen::Index i) {
            return m_space.axis(i).kind == Axis::Kind::Levels;
        });
        if (!isPoint)
            m_unresolved = std::max(m_unresolved, bound);
        m_free.push_back(at);
        return;
    }
    const std::size_t other = allocate();
    std::copy_n(ends(at), m_stride, ends(other));
    ends(at)[kHead + static_cast<std::size_t>(size + axis)] = lowEnd;
    ends(other)[kHead + static_cast<std::size_t>(axis)] = highStart;
    m_bound.setCategories(m_combinations[static_cast<std::size_t>(ends(at)[0])]);
    consider(at, bound, best, improve);
    consider(other, bound, best, improve);
}

void BoxSearch::run(std::size_t boxes, Candidate& best, const Improve& improve)
{
    if (best.merit > m_leansOn)
        updateReferencePoint(best);
    if (!m_hasRoots)
        addRoots(best, improve);
    for (std::size_t i = 0; i < boxes && !m_open.empty() && !m_stop.stop_requested(); i += 2) {
        const Box box = m_open.top();
        if (box.bound <= best.merit + kProofTolerance)
            return;
        m_open.pop();
        halve(box.at, box.bound, best, improve);
    }
}

} // namespace quadric::optimize
