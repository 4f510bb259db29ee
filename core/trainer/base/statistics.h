// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace quadric::trainer {

struct Interval {
    double lower = 0.0;
    double upper = 0.0;
    double halfWidth() const { return (upper - lower) / 2.0; }
};

/// Quantile with linear interpolation between order statistics (Hyndman and Fan 1996, type 7; R's default).
/// `probability` from 0 to 1; `samples` not empty, in any order.
double quantile(std::span<const double> samples, double probability);

double median(std::span<const double> samples);

/// Ranks (from 1) of the two order statistics that enclose the median with at least 95 % confidence, whatever
/// the distribution: the largest r with P(Binomial(n, 1/2) < r) ≤ 2.5 %, and n + 1 − r (Conover 1999,
/// section 3.2). Nothing below six samples, where no such pair exists.
struct RankPair {
    std::size_t lower = 0;
    std::size_t upper = 0;
};
std::optional<RankPair> medianRanks(std::size_t count);

/// The distribution-free 95 % interval of the median. Assumes independent samples.
std::optional<Interval> medianInterval(std::span<const double> samples);

/// The 97.5 % quantile of Student's t by the expansion of Abramowitz and Stegun 26.7.5; within 0.2 % from 4
/// degrees of freedom, exact values below.
double studentQuantile975(std::size_t degreesOfFreedom);

/// Half width of the 95 % interval of the mean, t · s / √n. Assumes independent samples; nothing below two of
/// them.
std::optional<double> meanHalfWidth(std::span<const double> samples);

} // namespace quadric::trainer
