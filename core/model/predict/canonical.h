// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"

namespace quadric::model {

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

} // namespace quadric::model
