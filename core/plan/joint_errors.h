// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <utility>
#include <vector>

namespace quadric::plan {

/// How far two responses of one run may be beside their predictions, in standard errors of a new run: pairs
/// of t values, all equally likely. Their ranks are correlated as normal values are (normal copula).
class JointErrors {
public:
    /// `correlation`: of those normal values.
    JointErrors(double firstDf, double secondDf, double correlation);

    bool isFor(double firstDf, double secondDf) const
    {
        return firstDf == m_firstDf && secondDf == m_secondDf;
    }
    const std::vector<std::pair<double, double>>& pairs() const { return m_pairs; }

private:
    double m_firstDf, m_secondDf;
    std::vector<std::pair<double, double>> m_pairs;
};

} // namespace quadric::plan
