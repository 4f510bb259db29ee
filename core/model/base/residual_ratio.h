// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace quadric::model {

/// A ratio e'Ae/e'e of residuals e = Mε, as Durbin and Watson's d is one; ε independent and normal.
struct ResidualRatio {
    double value = 0.0;
    double trace = 0.0, squareTrace = 0.0; ///< tr MA, tr MAMA
    double low = 0.0, high = 0.0;          ///< bounds of the ratio: smallest and largest eigenvalue of A
    int df = 0;                            ///< tr M
};

/// Two-sided probability by the Beta distribution between the bounds that has the ratio's exact mean and
/// variance (Durbin & Watson 1951); 1 where the ratio cannot vary.
double ratioProbability(const ResidualRatio& ratio);

} // namespace quadric::model
