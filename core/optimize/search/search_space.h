// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/merit/feasibility_limit.h"
#include "core/optimize/merit/leverage_limit.h"
#include "core/optimize/merit/optimum.h"
#include "core/study/space/legal_space.h"

namespace quadric::optimize {

/// Slack of the sphere, as a share of its squared radius, so that a point on its surface is inside after
/// rounding.
inline constexpr double kSphereSlack = 1e-9;

using Axis = study::LegalAxis;
using study::ConstraintProgram;
using study::Range;
using study::Verdict;

/// The settings that can be run inside a region, that probably give a result (FeasibilityLimit) and, where
/// options ask for it, are near the runs.
class SearchSpace : public study::LegalSpace {
public:
    /// Throws std::invalid_argument naming the factor or constraint when no setting can be legal. `fits`
    /// stay alive as long as the space where options limit the leverage.
    SearchSpace(const study::Study& study, const std::vector<model::Fit>& fits,
                const OptimizeOptions& options);

    const Region& region() const { return m_region; }

    /// Values that the axis can take with all others as in `x`; empty (low > high) outside a sphere.
    Range reach(Eigen::Index axis, const Eigen::VectorXd& x) const;

    bool isLegal(const Eigen::VectorXd& x) const;
    /// Every axis can take its value in `x`.
    bool contains(const Eigen::VectorXd& x) const;
    /// Some settings inside the region may not be legal.
    bool hasConstraints() const { return !constraints().isEmpty() || isLimited(); }

    const FeasibilityLimit& feasibility() const { return m_feasibility; }
    /// Legal settings where a run gave a result, where others may give none: a search cannot be sure to come
    /// across them. Empty where no run failed.
    std::vector<Eigen::VectorXd> findPointsThatRan() const;

    /// Constraints over the part of a line where `axis` is between two coded values.
    Verdict judgeLine(Eigen::Index axis, const Eigen::VectorXd& x, double from, double to) const;

    /// Constraints over a box of coded values, one range for each factor.
    Verdict judgeBox(const std::vector<Range>& coded) const;

    /// ConstraintProgram::margin() at x, or what is left of the leverage or the probability asked for where
    /// that is less.
    double margin(const Eigen::VectorXd& x) const;

private:
    /// Limits that are no constraints between factors.
    bool isLimited() const { return m_leverage.isActive() || m_feasibility.isActive(); }
    double marginOfLimits(const Eigen::VectorXd& x) const;

    Region m_region;
    LeverageLimit m_leverage;
    FeasibilityLimit m_feasibility;
    mutable std::vector<Range> m_ranges;  ///< scratch
    mutable std::vector<double> m_actual; ///< scratch
    mutable Eigen::VectorXd m_point;      ///< scratch
};

} // namespace quadric::optimize
