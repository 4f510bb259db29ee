// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/merit/evaluator.h"
#include "core/optimize/merit/optimum.h"
#include "core/study/space/legal_space.h"

#include <Eigen/Core>

#include <limits>

namespace quadric::optimize {

/// A merit below all others.
inline constexpr double kNoMerit = std::numeric_limits<double>::lowest();

/// Gain below which a step does not count.
inline constexpr double kGain = 1e-12;

/// A legal point and its merit.
struct Candidate {
    Eigen::VectorXd x;
    double merit = kNoMerit;
};

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
    /// stay alive as long as the space where options ask for settings near the runs.
    SearchSpace(const study::Study& study, const std::vector<model::Fit>& fits,
                const OptimizeOptions& options);

    const Region& region() const { return m_region; }

    bool isLegal(const Eigen::VectorXd& x) const;
    /// Every axis can take its value in `x`.
    bool contains(const Eigen::VectorXd& x) const;
    /// Some settings inside the region may not be legal.
    bool hasConstraints() const { return !constraints().isEmpty() || isLimited(); }

    const FeasibilityLimit& feasibility() const { return m_feasibility; }
    /// Legal settings where a run gave a result, where others may give none: a search cannot be sure to come
    /// across them. Empty where no run failed.
    std::vector<Eigen::VectorXd> findPointsThatRan() const;

    /// The constraints hold nowhere in a box of coded values, one range for each factor.
    bool isForbidden(const std::vector<Range>& coded) const;

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
};

/// About `count` legal points spread over the region: random levels and categories, every fifth value of a
/// continuous factor at one of its ends. Fewer where constraints leave little room. The same seed gives the
/// same points.
std::vector<Eigen::VectorXd> legalSample(const SearchSpace& space, std::size_t count, std::uint64_t seed);

/// Largest coded difference of a numeric factor; infinite where a categorical factor differs.
double distance(const SearchSpace& space, const Eigen::VectorXd& a, const Eigen::VectorXd& b);

/// Best first, none nearer than `apart` (distance()) to a better one; at most `most`.
std::vector<Candidate> spreadOut(const SearchSpace& space, std::vector<Candidate> candidates, double apart,
                                 std::size_t most = std::numeric_limits<std::size_t>::max());

} // namespace quadric::optimize
