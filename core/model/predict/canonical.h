// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"
#include "core/model/predict/predict.h"

namespace quadric::model {

/// The model as a function of the numeric factors alone, ŷ = c + b'x + x'Bx on the model's (transformed)
/// scale, categorical factors held.
struct SecondOrder {
    std::vector<std::size_t> factors; ///< positions of the numeric factors in the study
    double constant = 0.0;
    Eigen::VectorXd b;
    Eigen::MatrixXd B;
    bool isSecondOrder = true; ///< false: terms of third or higher degree are left out
};

/// An inverse transform that falls turns a maximum of the model into a minimum of the response.
bool isFalling(const study::Transform& transform);

enum class StationaryKind { Maximum, Minimum, Saddle };

/// Canonical analysis of a second-order model: x_s = −½ B⁻¹ b and the eigenvalues of B (Myers, Montgomery &
/// Anderson-Cook, ch. 6). Eigenvalues and vectors are of the model's (transformed) scale in coded units.
struct Canonical {
    std::vector<std::string> factors; ///< the numeric factors, in the order of `point` and `eigenvectors`
    Eigen::VectorXd point;            ///< stationary point, coded
    std::vector<double> actual;       ///< the same in actual units
    double response = 0.0;            ///< predicted there, response's own unit
    Eigen::VectorXd eigenvalues;      ///< descending
    Eigen::MatrixXd eigenvectors;     ///< column i belongs to eigenvalues[i]; largest component positive
    StationaryKind kind =
        StationaryKind::Saddle; ///< by the signs of all eigenvalues, in terms of the response
    bool isNearRidge =
        false; ///< an eigenvalue is at most a twentieth of the largest: a (near-)stationary ridge
    bool isInsideRegion = false; ///< every coordinate is between low and high
};

/// Categorical factors are held as in `at`. Empty when the model has no square or interaction, terms of
/// third or higher degree, or no unique stationary point.
std::optional<Canonical> canonicalAnalysis(const Fit& fit, const study::CodedPoint& at);

/// "maximum", "minimum", "saddle".
std::string_view nameOf(StationaryKind kind);

/// Intervals of the eigenvalues, λ ± t se, each that of the quadratic coefficient along its canonical axis
/// (double linear regression, Bisgaard & Ankenman 1996). Empty without an error estimate.
std::vector<Interval> eigenvalueIntervals(const Fit& fit, const Canonical& canonical,
                                          const study::CodedPoint& at);

/// Whether the intervals leave no doubt about the sign of any eigenvalue, and with it about the kind of the
/// stationary point.
bool isKindCertain(const std::vector<Interval>& eigenvalues);

enum class Direction { Ascent, Descent };

/// One step of a path from the center of the coded region.
struct PathPoint {
    double distance = 0.0;   ///< from the center, coded units
    study::CodedPoint point; ///< all factors; never rounded
    std::vector<double>
        actual;            ///< per numeric factor (the order of Path::factors), not rounded to legal values
    Prediction prediction; ///< with its standard error, in the response's own unit
};

struct Path {
    std::vector<std::string> factors; ///< the numeric factors
    std::vector<PathPoint> points;
    std::string message; ///< why there is no path, when `points` is empty
};

/// Ridge analysis (Hoerl; MMA 6): on every sphere of radius r about the center the setting with the largest
/// (smallest) prediction, as the exact constrained optimum x = ½(μI − B)⁻¹b. Categorical factors are held as
/// in `at`. Models with terms of third or higher degree have no ridge path.
Path ridgePath(const Fit& fit, Direction direction, const study::CodedPoint& at,
               const std::vector<double>& radii);

/// Steepest ascent (descent): the straight line from the center along the first-order coefficients (MMA 5).
Path steepestPath(const Fit& fit, Direction direction, const study::CodedPoint& at,
                  const std::vector<double>& radii);

/// 0, ¼, … up to `farthest`, coded units.
std::vector<double> evenRadii(double farthest = 2.0, double step = 0.25);

} // namespace quadric::model
