// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace quadric::model {

/// The value that |t| exceeds with probability `alpha` (two-sided quantile). `degreesOfFreedom` > 0.
double tLimit(double alpha, double degreesOfFreedom);

/// Probability that |T| is at least |t|.
double tProbability(double t, double degreesOfFreedom);

/// Probability that F is at least `f` (≥ 0).
double fProbability(double f, double numerator, double denominator);

/// The value that F exceeds with probability `alpha`. Degrees of freedom > 0.
double fLimit(double alpha, double numerator, double denominator);

/// The value that a standard normal variable stays below with probability `p`; ±infinity at the ends.
double normalQuantile(double p);

/// Probability that a standard normal variable is above `z`.
double normalUpper(double z);

} // namespace quadric::model
