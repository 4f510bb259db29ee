// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <utility>
#include <vector>

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

/// Probability that a standard normal variable is below `z`.
double normalBelow(double z);

/// Chance that an F test at the 5 % level finds an effect of this noncentrality; never below the level.
double computeTestPower(int df, int dfError, double noncentrality);

/// Lenth (1989) for effects without an estimate of the error: pseudo standard error, margin of error and
/// simultaneous margin of error; degrees of freedom of the first, a third of the effects.
struct Lenth {
    double pseudoStandardError = 0.0, marginOfError = 0.0, simultaneous = 0.0, df = 0.0;
};

/// `sizes` are |effects| in any order. Empty with fewer than three, or when the smaller half is 0.
std::optional<Lenth> computeLenthLimits(std::vector<double> sizes, double confidence);

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

struct ShapiroWilk {
    double w = 0.0; ///< 1 for a perfectly normal sample
    double p = 0.0; ///< probability of a smaller W from normal values
};

/// Test of normality by P. Royston, Applied Statistics 44 (1995), algorithm AS R94, no censoring. Empty for
/// fewer than 3 or more than 5000 values, and where the values are equal to rounding.
std::optional<ShapiroWilk> shapiroWilk(const Eigen::VectorXd& values);

/// How many values lie in each of several bins of equal width.
struct Histogram {
    std::vector<double> edges; ///< ascending, one more than counts; a value on an edge counts to its right
    std::vector<int> counts;   ///< the last bin holds its right edge too
};

/// Bins at round values, their number about 1 + log2(n) (Sturges 1926). Values that are not finite are left
/// out; without any other the histogram is empty, and equal values share one bin.
Histogram histogram(const std::vector<double>& values);

using RandomBits = std::mt19937_64;

/// Uniform on 0 … count − 1, by rejection. Not std::uniform_int_distribution, whose values differ between
/// standard libraries.
inline std::size_t drawBelow(RandomBits& generator, std::size_t count)
{
    const std::uint64_t limit = RandomBits::max() - RandomBits::max() % count;
    std::uint64_t value = generator();
    while (value >= limit)
        value = generator();
    return static_cast<std::size_t>(value % count);
}

/// Fisher–Yates.
template <typename Value> void shuffle(std::vector<Value>& values, RandomBits& generator)
{
    for (std::size_t i = values.size(); i > 1; --i)
        std::swap(values[i - 1], values[drawBelow(generator, i)]);
}

/// Uniform on 0 … 1 (1 excluded), with all bits of a double; the same on every platform.
inline double drawUnit(RandomBits& generator)
{
    constexpr double kStep = 0x1p-53;
    return static_cast<double>(generator() >> 11U) * kStep;
}

/// A standard normal number, the same on every machine (Box & Muller 1958, one of each pair).
double drawNormal(RandomBits& random);

/// Independent standard normal numbers, in vectors and matrices.
class NormalDraws {
public:
    explicit NormalDraws(std::uint64_t seed);

    double next();
    Eigen::VectorXd vector(Eigen::Index size);
    /// Column by column.
    Eigen::MatrixXd matrix(Eigen::Index rows, Eigen::Index columns);

    /// √(df/χ²) with a new χ² of so many degrees of freedom: a standard error over its own estimate.
    double errorOverEstimate(int df);

private:
    RandomBits m_random;
};

/// A root L of a covariance matrix: covariance = LL'. Negative eigenvalues, which rounding makes, count as 0.
Eigen::MatrixXd rootOfCovariance(const Eigen::MatrixXd& covariance);

} // namespace quadric::model
