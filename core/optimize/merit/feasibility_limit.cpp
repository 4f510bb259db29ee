// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/merit/feasibility_limit.h"

#include <algorithm>

namespace quadric::optimize {

namespace {

constexpr double kRatherThanNot = 0.5;

} // namespace

FeasibilityLimit::FeasibilityLimit(std::shared_ptr<const model::Feasibility> feasibility, double least)
    : m_feasibility(std::move(feasibility))
    , m_least(least)
{
}

double FeasibilityLimit::margin(const Eigen::VectorXd& x) const
{
    if (!m_feasibility->failedRunsAt(x).empty())
        return -1.0;
    if (m_least <= 0.0)
        return 1.0;
    double margin = 0.0;
    if (m_least > kRatherThanNot) {
        const model::RunProbability chance = m_feasibility->at(x);
        keep(x, chance.probability);
        margin = chance.low - m_least;
    } else {
        margin = probabilityAt(x) - m_least;
    }
    return m_feasibility->isKnownToRun(x) ? std::max(margin, 0.0) : margin;
}

double FeasibilityLimit::probabilityAt(const Eigen::VectorXd& x) const
{
    if (!isActive())
        return 1.0;
    const bool isLatest = m_latest.size() == x.size() && m_latest == x;
    return isLatest ? m_latestProbability : keep(x, m_feasibility->probabilityAt(x));
}

double FeasibilityLimit::keep(const Eigen::VectorXd& x, double probability) const
{
    m_latest = x;
    return m_latestProbability = probability;
}

} // namespace quadric::optimize
