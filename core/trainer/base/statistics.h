// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace quadric::trainer {

/// Quantile with linear interpolation between order statistics (Hyndman and Fan 1996, type 7; R's default).
/// `probability` from 0 to 1; `samples` not empty, in any order.
double quantile(std::span<const double> samples, double probability);

double median(std::span<const double> samples);

/// The 97.5 % quantile of Student's t by the expansion of Abramowitz and Stegun 26.7.5; within 0.2 % from 4
/// degrees of freedom, exact values below.
double studentQuantile975(std::size_t degreesOfFreedom);

double mean(std::span<const double> samples);

/// Standard error of the mean of independent samples, s / √n; at least two of them.
double standardErrorOfMean(std::span<const double> samples);

/// Half width of the 95 % interval of the mean, t · s / √n. Assumes independent samples; nothing below two of
/// them.
std::optional<double> meanHalfWidth(std::span<const double> samples);

} // namespace quadric::trainer
