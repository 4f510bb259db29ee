// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/feasibility/feasibility.h"

namespace quadric::optimize {

/// Settings that probably give a result: the probability is at least the one asked for, or a run there gave
/// one; never a setting where a run failed for a reason that repeats.
class FeasibilityLimit {
public:
    /// No limit.
    FeasibilityLimit() = default;
    FeasibilityLimit(std::shared_ptr<const model::Feasibility> feasibility, double least);

    bool isActive() const { return m_feasibility != nullptr; }
    const model::Feasibility* feasibility() const { return m_feasibility.get(); }

    /// Probability − the one asked for at a coded point, at least 0 where a run gave a result; −1 where runs
    /// failed.
    double margin(const Eigen::VectorXd& x) const;

private:
    std::shared_ptr<const model::Feasibility> m_feasibility;
    double m_least = 0.0;
};

} // namespace quadric::optimize
