// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/next/run_gain.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace quadric::optimize {

namespace {

constexpr double kLeastGrowth = 1e-300;
constexpr std::size_t kManySettings = 64;
constexpr double kSteps = 64.0;

/// Of four responses many settings cut the space into more parts than are added up in time: then qualities
/// count in steps.
std::vector<Eigen::ArrayXd> qualitiesOf(const ProcessGoals& goals, const std::vector<Eigen::VectorXd>& known)
{
    std::vector<Eigen::ArrayXd> qualities;
    qualities.reserve(known.size());
    const bool isInSteps = goals.count() >= DominatedRegion::kMostQualities && known.size() > kManySettings;
    for (const Eigen::VectorXd& x : known) {
        const Eigen::ArrayXd there = goals.qualitiesAt(x);
        qualities.push_back(isInSteps ? Eigen::ArrayXd((kSteps * there).floor() / kSteps) : there);
    }
    return qualities;
}

} // namespace

CompromiseGain::CompromiseGain(const ProcessGoals& goals, const std::vector<Eigen::VectorXd>& known)
    : m_goals(goals)
{
    for (const Eigen::VectorXd& x : known) {
        const double worth = m_goals.worthAt(x);
        if (worth > m_best) {
            m_best = worth;
            m_at = x;
        }
    }
    for (const Eigen::VectorXd& x : known) {
        if (x != m_at)
            m_second = std::max(m_second, m_goals.worthAt(x));
    }
}

double CompromiseGain::logAt(const Eigen::VectorXd& x, bool isKnown) const
{
    return isKnown ? m_goals.logRepeatGain(x, x == m_at ? m_second : m_best)
                   : m_goals.logExpectedGain(x, m_best);
}

double CompromiseGain::readable(double gain) const
{
    return m_goals.readableGain(m_best, gain);
}

FrontGain::FrontGain(const ProcessGoals& goals, const std::vector<Eigen::VectorXd>& known)
    : m_goals(goals)
    , m_region(qualitiesOf(goals, known), static_cast<Eigen::Index>(goals.count()))
{
}

double FrontGain::logAt(const Eigen::VectorXd& x, bool isKnown) const
{
    return std::log(std::max(m_region.expectedGain(m_goals.drawQualities(x, isKnown)), kLeastGrowth));
}

double FrontGain::readable(double gain) const
{
    return m_region.volume() > 0.0 ? gain / m_region.volume() : gain;
}

} // namespace quadric::optimize
