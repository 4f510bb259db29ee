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
    const model::RunProbability chance = m_feasibility->at(x);
    double margin = chance.probability - m_least;
    if (m_least > kRatherThanNot)
        margin = std::min(margin, chance.low - kRatherThanNot);
    return m_feasibility->isKnownToRun(x) ? std::max(margin, 0.0) : margin;
}

} // namespace quadric::optimize
