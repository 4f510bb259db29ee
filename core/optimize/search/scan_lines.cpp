// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/search/scan_lines.h"

#include "core/model/base/random_draw.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace quadric::optimize {

namespace {

constexpr std::array<unsigned, 16> kHaltonBases = {2,  3,  5,  7,  11, 13, 17, 19,
                                                   23, 29, 31, 37, 41, 43, 47, 53};

/// Shares of the way are stretched by this much on both sides and cut off, so that faces are hit.
constexpr double kStretch = 0.1;

double radicalInverse(std::size_t index, unsigned base)
{
    double result = 0.0;
    double digit = 1.0 / base;
    for (; index > 0; index /= base, digit /= base)
        result += static_cast<double>(index % base) * digit;
    return result;
}

/// A step without a common divisor with `count`, near its golden section: visiting every stride-th
/// combination reaches all of them and sees each region early.
std::size_t strideFor(std::size_t count)
{
    auto stride = static_cast<std::size_t>(0.618 * static_cast<double>(count)) | 1U;
    while (std::gcd(stride, count) != 1)
        stride += 2;
    return stride;
}

} // namespace

LineSampler::LineSampler(const SearchSpace& space, Eigen::Index inner, std::size_t lines, std::uint64_t seed)
    : m_space(space)
    , m_inner(inner)
{
    for (Eigen::Index i = 0; i < space.size(); ++i) {
        if (i == inner || !space.axis(i).isMovable())
            continue;
        (space.axis(i).kind == Axis::Kind::Continuous ? m_continuous : m_listed).push_back(i);
        if (space.axis(i).kind != Axis::Kind::Continuous)
            m_isComplete = m_isComplete && (m_combinations *= space.axis(i).count()) <= kMostLines;
        if (!m_isComplete)
            m_combinations = 1;
    }
    m_stride = strideFor(m_combinations);
    const bool hasSamples = !m_isComplete || !m_continuous.empty();
    m_samples = hasSamples ? std::max<std::size_t>(1, lines / m_combinations) : 1;
    model::RandomBits generator(seed);
    for (std::size_t i = 0; i < m_listed.size() + m_continuous.size(); ++i)
        m_shift.push_back(model::drawUnit(generator));
}

double LineSampler::spread(std::size_t dimension) const
{
    const double value =
        radicalInverse(m_sample + 1, kHaltonBases[dimension % kHaltonBases.size()]) + m_shift[dimension];
    const double share = value - std::floor(value);
    return std::clamp(share * (1.0 + 2.0 * kStretch) - kStretch, 0.0, 1.0);
}

double LineSampler::levelAt(const Axis& axis, double share) const
{
    const auto last = static_cast<double>(axis.count() - 1);
    return axis.coded[static_cast<std::size_t>(std::lround(share * last))];
}

/// Moves a point outside a sphere towards its center; without this hardly any line would meet a sphere in
/// many dimensions.
void LineSampler::pullInside(Eigen::VectorXd& x) const
{
    double norm = 0.0;
    for (Eigen::Index i = 0; i < m_space.size(); ++i)
        norm += m_space.isNumeric(i) && i != m_inner ? x[i] * x[i] : 0.0;
    norm = std::sqrt(norm);
    if (norm <= m_space.region().radius)
        return;
    for (const auto& axes : {m_listed, m_continuous})
        for (const Eigen::Index i : axes) {
            if (m_space.isNumeric(i))
                x[i] = m_space.snap(i, x[i] * m_space.region().radius / norm);
        }
}

bool LineSampler::next(Eigen::VectorXd& x)
{
    if (m_at == m_combinations * m_samples)
        return false;
    std::size_t combination = m_at / m_samples * m_stride % m_combinations;
    for (std::size_t i = 0; i < m_listed.size(); ++i) {
        const Axis& axis = m_space.axis(m_listed[i]);
        x[m_listed[i]] = m_isComplete ? axis.coded[combination % axis.count()] : levelAt(axis, spread(i));
        combination /= axis.count();
    }
    for (std::size_t i = 0; i < m_continuous.size(); ++i) {
        const Axis& axis = m_space.axis(m_continuous[i]);
        const double share = spread(m_listed.size() + i);
        x[m_continuous[i]] = m_space.snap(m_continuous[i], axis.low + share * (axis.high - axis.low));
    }
    if (m_space.region().kind == RegionKind::Sphere && (!m_isComplete || m_listed.empty()))
        pullInside(x);
    ++m_at;
    ++m_sample;
    return true;
}

} // namespace quadric::optimize
