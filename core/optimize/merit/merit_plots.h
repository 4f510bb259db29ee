// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/feasibility/feasibility.h"
#include "core/optimize/merit/desirability.h"
#include "core/study/space/constraint_program.h"

namespace quadric::optimize {

/// One response over two factors, and where it is inside its limits.
struct LimitLayer {
    std::string response, unit;
    std::optional<double> low, high; ///< the limits that were set and count, response's own unit
    Eigen::MatrixXd value;           ///< predictions at the nodes of the map
};

/// All limits at once over two factors, the others held: the sweet spot is where none is violated. `value(i,
/// j)` belongs to `x[i]`, `y[j]`; actual values.
struct LimitMap {
    std::string xName, xUnit, yName, yUnit;
    bool xIsLog2 = false, yIsLog2 = false;
    std::vector<double> x, y;
    std::vector<LimitLayer> layers;
    /// The study's constraints hold at the node.
    Eigen::Matrix<bool, Eigen::Dynamic, Eigen::Dynamic> isAllowed;
    study::FeasibleGrid constraints;        ///< their boundary between the nodes
    study::FeasibleGrid running;            ///< by the probability of giving a result; empty: no run failed
    std::vector<model::FailedPoint> failed; ///< of this slice

    bool isEmpty() const { return x.empty() || layers.empty(); }
};

/// The map of two different numeric factors around `at`, of the responses whose limits have to hold. Limits
/// are those below or above which a response's desirability is 0; a response to be maximized has only the
/// lower one, one to be minimized only the upper.
LimitMap limitMap(const study::Study& study, const std::vector<model::Fit>& fits, std::size_t xFactor,
                  std::size_t yFactor, const study::CodedPoint& at, int points = 41);

/// LeverageLimit::margin() of all usable models at the nodes of such a map: negative where a prediction is an
/// extrapolation. It depends on neither goals nor limits.
Eigen::MatrixXd supportGrid(const study::Study& study, const std::vector<model::Fit>& fits,
                            std::size_t xFactor, std::size_t yFactor, const study::CodedPoint& at,
                            int points = 41);

/// Overall desirability over two numeric factors, in the form of a response surface without errors and
/// without observed points; an extrapolation where one of the models makes one.
model::MarkedSurface desirabilityGrid(const study::Study& study, const std::vector<model::Fit>& fits,
                                      std::size_t xFactor, std::size_t yFactor, const study::CodedPoint& at,
                                      int points = 41);

/// One response along one factor, with its desirability at the same points (empty without a goal).
struct ProfileCurve {
    model::EffectCurve curve;
    std::vector<double> desirability;
};

/// The curves of a prediction profiler around one setting.
struct Profile {
    std::vector<std::string> responses;            ///< those with a usable model
    std::vector<std::vector<ProfileCurve>> curves; ///< response × factor
    std::vector<std::vector<double>> overall;      ///< per factor: overall desirability at the curves' points
    /// Per factor: the stretches of its axis, actual values, that the study's constraints forbid.
    std::vector<std::vector<study::Range>> infeasible;
    /// The same where runs fail more often than not; empty: no run failed for a reason that repeats.
    std::vector<std::vector<study::Range>> failing;

    bool isEmpty() const { return responses.empty(); }
};

/// Every response with a usable model along every factor, the other factors at `settings`; `points` per
/// numeric factor, and the setting itself. Throws std::invalid_argument for settings that cannot be coded.
Profile profile(const study::Study& study, const std::vector<model::Fit>& fits,
                const study::Settings& settings, int points = 41);

} // namespace quadric::optimize
