// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/merit/evaluator.h"
#include "core/optimize/merit/optimum.h"
#include "core/study/space/legal_space.h"

#include <Eigen/Core>

#include <functional>
#include <limits>
#include <stop_token>

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

/// Walks over lines along one axis of a search space: every combination of the levels of the other axes where
/// that is possible, together with well-spread values of the continuous ones (Halton sequence, stretched so
/// that a part of the values lies on the faces of the region).
class LineSampler {
public:
    /// About `lines` lines; up to kMostLines where every combination of levels is visited.
    LineSampler(const SearchSpace& space, Eigen::Index inner, std::size_t lines, std::uint64_t seed);

    /// Sets all axes but the inner one to those of the next line; false after the last.
    bool next(Eigen::VectorXd& x);

    /// Every combination of levels of the outer axes is visited.
    bool isComplete() const { return m_isComplete; }

    static constexpr std::size_t kMostLines = 50000;

private:
    void pullInside(Eigen::VectorXd& x) const;
    double spread(std::size_t dimension) const;
    double levelAt(const Axis& axis, double share) const;

    const SearchSpace& m_space;
    Eigen::Index m_inner;
    std::vector<Eigen::Index> m_listed, m_continuous; ///< outer axes
    std::size_t m_combinations = 1;                   ///< of the listed axes
    std::size_t m_stride = 1;
    std::size_t m_samples = 1; ///< for each combination
    std::size_t m_at = 0;
    std::size_t m_sample = 0; ///< index in the Halton sequence
    bool m_isComplete = true;
    std::vector<double> m_shift;
};

/// About `count` legal points spread over the region: random levels and categories, every fifth value of a
/// continuous factor at one of its ends. Fewer where constraints leave little room. The same seed gives the
/// same points.
std::vector<Eigen::VectorXd> legalSample(const SearchSpace& space, std::size_t count, std::uint64_t seed);

/// Local search for functions of the settings that are no merit of predicted responses: steps along every
/// factor and along what gained last (Hooke & Jeeves 1961), halved until they are small; legal points only.
class PatternSearch {
public:
    using Function = std::function<double(const Eigen::VectorXd&)>;

    static constexpr double kSmallestStep = 2e-5; ///< coded

    /// `smallestStep`: a search ends where no longer step gains.
    PatternSearch(const SearchSpace& space, Function function, std::stop_token stop = {},
                  double smallestStep = kSmallestStep);

    /// From a legal point; `step`: first step of continuous factors, coded.
    Candidate climb(const Eigen::VectorXd& start, double step = 0.25);

    /// The best of climbs from the best of the given points.
    Candidate best(const std::vector<Eigen::VectorXd>& points, std::size_t climbs);

private:
    Candidate at(const Eigen::VectorXd& x) const { return {x, m_function(x)}; }
    bool tryPoint(const Eigen::VectorXd& x, Candidate& best) const;
    bool explore(double step, Candidate& best) const;
    std::vector<double> placesOn(Eigen::Index axis, const Eigen::VectorXd& x, double step) const;

    const SearchSpace& m_space;
    Function m_function;
    std::stop_token m_stop;
    double m_smallestStep;
};

} // namespace quadric::optimize
