// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/leverage_limit.h"
#include "core/optimize/optimum.h"
#include "core/study/constraint_program.h"

namespace quadric::optimize {

/// Slack of the sphere, as a share of its squared radius, so that a point on its surface is inside after
/// rounding.
inline constexpr double kSphereSlack = 1e-9;

using study::ConstraintProgram;
using study::Range;
using study::Verdict;

/// How one factor can be changed by a search. Coded units.
struct Axis {
    enum class Kind {
        Fixed,
        Continuous, ///< anything between low and high (or so many legal values that it is searched like that)
        Levels,     ///< numeric, `coded` holds the legal values in ascending order
        Category    ///< `coded` holds 0, 1, …
    };
    Kind kind = Kind::Fixed;
    double low = 0.0, high = 0.0;
    std::vector<double> coded;
    std::vector<double> actual; ///< actual values of `coded`; the one value of a fixed numeric factor
    bool snaps = false;         ///< continuous in name only: values must be rounded to legal ones

    bool isMovable() const { return kind != Kind::Fixed; }
    bool isNumeric() const { return kind == Kind::Continuous || kind == Kind::Levels; }
    std::size_t count() const { return coded.size(); }
};

/// The settings that can be run inside a region: bounds, legal values, constraints, fixed factors. Points are
/// coded, one entry per factor; entries of a point on a Levels or Category axis are exactly one of `coded`.
class SearchSpace {
public:
    /// Throws std::invalid_argument naming the factor or constraint when no setting can be legal. `fits`
    /// stay alive as long as the space where options limit the leverage.
    SearchSpace(const study::Study& study, const std::vector<model::Fit>& fits,
                const OptimizeOptions& options);

    const std::vector<Axis>& axes() const { return m_axes; }
    const Axis& axis(Eigen::Index i) const { return m_axes[static_cast<std::size_t>(i)]; }
    Eigen::Index size() const { return static_cast<Eigen::Index>(m_axes.size()); }
    bool isNumeric(Eigen::Index i) const
    {
        return m_coding.factors()[static_cast<std::size_t>(i)].isNumeric();
    }
    const Region& region() const { return m_region; }

    /// A point with every axis at the value nearest to 0; constraints are not looked at.
    Eigen::VectorXd center() const;

    /// The nearest value of the axis.
    double snap(Eigen::Index axis, double coded) const;

    /// Values that the axis can take with all others as in `x`; empty (low > high) outside a sphere.
    Range reach(Eigen::Index axis, const Eigen::VectorXd& x) const;

    bool isLegal(const Eigen::VectorXd& x) const;
    /// Some settings inside the region may not be legal.
    bool hasConstraints() const { return !m_constraints.isEmpty() || m_leverage.isActive(); }

    /// Constraints over the part of a line where `axis` lies between two coded values.
    Verdict judgeLine(Eigen::Index axis, const Eigen::VectorXd& x, double from, double to) const;

    /// Constraints over a box of coded values, one range for each factor.
    Verdict judgeBox(const std::vector<Range>& coded) const;

    /// ConstraintProgram::margin() at x, or what is left of the leverage allowed where that is less.
    double margin(const Eigen::VectorXd& x) const;

    study::Settings settingsAt(const Eigen::VectorXd& x) const;

    /// The point of given settings, every axis at its nearest value; empty where a factor has no value that
    /// can be coded.
    std::optional<Eigen::VectorXd> pointAt(const study::Settings& settings) const;

private:
    Axis axisOf(std::size_t factor, const OptimizeOptions& options) const;
    Axis fixedAxis(std::size_t factor, const study::Value& value) const;
    Axis levelsAxis(std::size_t factor) const;
    bool isNearRuns(Eigen::Index axis, const Eigen::VectorXd& x, double coded) const;
    double actualAt(Eigen::Index axis, double coded) const;

    study::Coding m_coding;
    Region m_region;
    double m_reach = 1.0; ///< largest coded value of a factor in the region
    std::vector<Axis> m_axes;
    ConstraintProgram m_constraints;
    LeverageLimit m_leverage;
    mutable std::vector<Range> m_ranges;  ///< scratch
    mutable std::vector<double> m_actual; ///< scratch
    mutable Eigen::VectorXd m_point;      ///< scratch
};

} // namespace quadric::optimize
