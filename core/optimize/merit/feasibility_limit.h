// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/feasibility/feasibility.h"

namespace quadric::optimize {

/// Settings that probably give a result: the probability is at least the one asked for and, where more than a
/// half is asked for, so is all of its interval; or a run there gave one. Never a setting where a run
/// failed for a reason that repeats. (The best settings lie where the probability is overestimated rather
/// than underestimated, hence the interval.)
class FeasibilityLimit {
public:
    /// No limit.
    FeasibilityLimit() = default;
    FeasibilityLimit(std::shared_ptr<const model::Feasibility> feasibility, double least);

    bool isActive() const { return m_feasibility != nullptr; }
    const model::Feasibility* feasibility() const { return m_feasibility.get(); }

    /// What is left at a coded point of the probability asked for, or of its interval's lower end, at least 0
    /// where a run gave a result; −1 where runs failed.
    double margin(const Eigen::VectorXd& x) const;

    /// Of giving a result, 1 without a limit. Searches ask for it where they have just asked for the margin:
    /// that of the latest point is kept.
    double probabilityAt(const Eigen::VectorXd& x) const;

private:
    double keep(const Eigen::VectorXd& x, double probability) const;

    mutable Eigen::VectorXd m_latest;
    mutable double m_latestProbability = 1.0;
    std::shared_ptr<const model::Feasibility> m_feasibility;
    double m_least = 0.0;
};

} // namespace quadric::optimize
