// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict/predict.h"

#include <Eigen/Core>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace quadric::plan {

/// Speed of a number of GPUs (ranks) that was measured; `error`: its relative standard error, 0 where it is
/// not known.
struct ScalingPoint {
    int count = 1;
    double speed = 0.0;
    double error = 0.0;
};

/// How speed depends on the number N of GPUs. N/X, the time of a step of one GPU's share of the work, is a
/// sum of known functions of N, each times a parameter of 0 or more.
enum class LawKind {
    Amdahl, ///< X₁N/(1 + σ(N − 1)) (Amdahl 1967)
    Usl,    ///< X₁N/(1 + σ(N − 1) + κN(N − 1)) (Gunther 2007)
    Ring ///< N/(t + 2(M − 1)A + 2(M − 1)/M B [+ 2(n − 1)/n D]): α–β cost of a ring of M nodes [of n GPUs]
};

inline constexpr std::array kLaws = {LawKind::Amdahl, LawKind::Usl, LawKind::Ring};

std::string_view nameOf(LawKind kind);

/// What would have to be true for a prediction of this law, sentences.
std::vector<std::string> listLawAssumptions(LawKind kind);

inline constexpr int kMostParameters = 4;
using LawParameters = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMostParameters, 1>;

/// A law with its parameters: 1/X₁, σ/X₁, κ/X₁ or t, A, B, D.
struct ScalingLaw {
    LawKind kind = LawKind::Amdahl;
    int perNode = 1; ///< GPUs that share a node; 1: one level
    LawParameters parameters;

    double speedAt(double count) const;
};

/// Weighted least squares on the log scale, Σ w (ln X − ln X̂)² with w = 1/(error² + (1 %)²), by Gauss–Newton
/// steps, each a linear problem whose parameters are 0 or more. Throws std::invalid_argument with fewer
/// points than parameters.
ScalingLaw fitLaw(LawKind kind, int perNode, const std::vector<ScalingPoint>& points);

/// How many parameters the law has.
int parametersOf(LawKind kind, int perNode);

/// Standard deviation of a point about the law on the log scale, with n − p degrees of freedom; at least the
/// stated errors of the points.
double residualSd(const ScalingLaw& law, const std::vector<ScalingPoint>& points);

/// What the runs show at each of their counts (levels of the factor), the other factors held as in `at`:
/// adjusted means of the model (EffectCurve::adjustedMean), each with the error of so many runs. A response
/// that is a time gives its inverse, per second. Throws std::invalid_argument for a factor without numbers
/// and for predictions that are not above 0.
std::vector<ScalingPoint> makeScalingPoints(const model::Fit& fit, const study::Study& study,
                                            std::size_t factor, const study::CodedPoint& at);

/// Rows of a table with the columns "gpus" and "speed"; also "error", the relative standard error. Case does
/// not count. Throws std::invalid_argument.
std::vector<ScalingPoint> readScalingPoints(const std::vector<std::string>& headers,
                                            const std::vector<std::vector<std::string>>& rows);

} // namespace quadric::plan
