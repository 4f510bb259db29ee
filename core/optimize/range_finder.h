// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/optimum_region.h"
#include "core/optimize/region_test.h"

namespace quadric::optimize {

/// Grows the range of every factor from settings that belong to the region.
class RangeFinder {
public:
    /// `test` stays alive as long as the finder.
    explicit RangeFinder(const RegionTest& test);

    /// `members` of the region, not empty; all other factors may move while one is followed.
    FactorRange rangeOf(Eigen::Index axis, const std::vector<Eigen::VectorXd>& members) const;

private:
    bool reaches(Eigen::Index axis, double coded, const Eigen::VectorXd& from) const;
    double grow(Eigen::Index axis, const Eigen::VectorXd& member, double end) const;
    FactorRange levelsOf(Eigen::Index axis, const std::vector<Eigen::VectorXd>& members,
                         FactorRange range) const;

    const RegionTest& m_test;
};

} // namespace quadric::optimize
