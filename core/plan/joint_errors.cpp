// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/joint_errors.h"

#include "core/model/base/distributions.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace quadric::plan {

namespace {

/// Fibonacci numbers that follow one another: the points of the lattice (i/n, i g/n mod 1) are spread so
/// evenly that 4181 of them err less than 10,000 random ones (Niederreiter 1992, ch. 5).
constexpr std::size_t kPairs = 4181, kGenerator = 2584;

/// Standard normal values in the middle of equal probabilities.
std::vector<double> normalValues()
{
    std::vector<double> values;
    for (std::size_t i = 0; i < kPairs; ++i)
        values.push_back(model::normalQuantile((static_cast<double>(i) + 0.5) / kPairs));
    return values;
}

/// t values of the same rank as standard normal ones, interpolated between some of them, for a quantile of t
/// takes far longer than a probability.
class StudentOfNormal {
public:
    explicit StudentOfNormal(double df)
    {
        for (double x = 0.0; m_normal.empty() || m_normal.back() < kLargest; x += kStep) {
            m_t.push_back(std::sinh(x));
            m_normal.push_back(-model::normalQuantile(model::tProbability(m_t.back(), df) / 2.0));
        }
    }

    double operator()(double normal) const
    {
        const double size = std::min(std::abs(normal), kLargest);
        const auto above = std::max(std::ranges::lower_bound(m_normal, size), m_normal.begin() + 1);
        const auto i = static_cast<std::size_t>(above - m_normal.begin());
        const double share = (size - m_normal[i - 1]) / (m_normal[i] - m_normal[i - 1]);
        return std::copysign(std::lerp(m_t[i - 1], m_t[i], share), normal);
    }

private:
    static constexpr double kLargest = 6.0; ///< no pair is beyond it
    static constexpr double kStep = 0.05;
    std::vector<double> m_normal, m_t;
};

} // namespace

JointErrors::JointErrors(double firstDf, double secondDf, double correlation)
    : m_firstDf(firstDf)
    , m_secondDf(secondDf)
{
    const std::vector<double> normal = normalValues();
    const StudentOfNormal first(firstDf), second(secondDf);
    const double rest = std::sqrt(std::max(0.0, 1.0 - correlation * correlation));
    m_pairs.reserve(kPairs);
    for (std::size_t i = 0; i < kPairs; ++i)
        m_pairs.emplace_back(first(normal[i]),
                             second(correlation * normal[i] + rest * normal[i * kGenerator % kPairs]));
}

} // namespace quadric::plan
