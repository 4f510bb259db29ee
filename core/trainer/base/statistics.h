// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <optional>
#include <span>

namespace quadric::trainer {

/// SplitMix64 (Steele, Lea, Flood 2014): small, fast, and the same everywhere, which the distributions of the
/// standard library are not.
class Random {
public:
    explicit Random(std::uint64_t seed)
        : m_state(seed * 0x9e3779b97f4a7c15ULL + 1)
    {
    }

    std::uint64_t bits()
    {
        std::uint64_t z = (m_state += 0x9e3779b97f4a7c15ULL);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }
    /// Uniform in (0, 1].
    double uniform() { return (static_cast<double>(bits() >> 11) + 1.0) * 0x1.0p-53; }
    /// One standard normal number.
    double normal()
    {
        const double radius = std::sqrt(-2.0 * std::log(uniform()));
        return radius * std::cos(2.0 * std::numbers::pi * uniform());
    }
    /// Fills with normal numbers, two for each pair of uniform ones (Box and Muller 1958).
    void normal(std::span<float> values, double deviation)
    {
        for (std::size_t i = 0; i < values.size(); i += 2) {
            const double radius = deviation * std::sqrt(-2.0 * std::log(uniform()));
            const double angle = 2.0 * std::numbers::pi * uniform();
            values[i] = static_cast<float>(radius * std::cos(angle));
            if (i + 1 < values.size())
                values[i + 1] = static_cast<float>(radius * std::sin(angle));
        }
    }

private:
    std::uint64_t m_state;
};

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
