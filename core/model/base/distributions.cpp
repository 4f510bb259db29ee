// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/base/distributions.h"

#include "core/algebra/factorizations.h"
#include "core/model/base/thresholds.h"
#include "core/study/run_records.h"

#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/non_central_f.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/beta.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace quadric::model {

namespace {

namespace bm = boost::math;

/// Results too small for a double become 0 instead of an exception.
using Quiet = bm::policies::policy<bm::policies::underflow_error<bm::policies::ignore_error>,
                                   bm::policies::overflow_error<bm::policies::ignore_error>,
                                   bm::policies::evaluation_error<bm::policies::ignore_error>>;

/// Noncentralities from here on give a power of 1; beyond them the series of the distribution is slow.
constexpr double kSurelySeen = 1000.0;

/// Fewest effects from which a pseudo standard error is taken.
constexpr std::size_t kFewestEffects = 3;

/// 1.5 × the median of the sizes below 2.5 s₀, s₀ = 1.5 × the median.
double pseudoStandardError(std::vector<double> sizes)
{
    const double limit = 2.5 * 1.5 * study::computeMedian(sizes);
    std::erase_if(sizes, [&](double size) { return size >= limit; });
    return sizes.empty() ? 0.0 : 1.5 * study::computeMedian(std::move(sizes));
}

/// Variances below this part of the squared range are rounding.
constexpr double kNoVariance = 1e-12;

constexpr Eigen::Index kFewestValues = 3;
constexpr Eigen::Index kMost = 5000;
/// Values that differ by less than this part of their size are equal.
constexpr double kRoundingOfSpread = 1e-12;

/// c[0] + c[1] x + c[2] x² …
template <std::size_t N> double polynomial(const std::array<double, N>& c, double x)
{
    double value = 0.0;
    for (std::size_t i = N; i-- > 0;)
        value = value * x + c[i];
    return value;
}

/// Weights of the order statistics, upper half, largest first.
Eigen::VectorXd weightsOf(Eigen::Index n)
{
    const Eigen::Index half = n / 2;
    if (n == kFewestValues)
        return Eigen::VectorXd::Constant(1, std::sqrt(0.5));
    Eigen::VectorXd m(half);
    for (Eigen::Index i = 0; i < half; ++i)
        m[i] = -normalQuantile((static_cast<double>(i) + 1 - 0.375) / (static_cast<double>(n) + 0.25));
    const double squares = 2 * m.squaredNorm();
    const double u = 1 / std::sqrt(static_cast<double>(n));
    const double first = polynomial<6>({0.0, 0.221157, -0.147981, -2.07119, 4.434685, -2.706056}, u) +
                         m[0] / std::sqrt(squares);
    Eigen::VectorXd a(half);
    a[0] = first;
    double rest = squares - 2 * m[0] * m[0];
    double left = 1 - 2 * first * first;
    if (n > 5) {
        a[1] = polynomial<6>({0.0, 0.042981, -0.293762, -1.752461, 5.682633, -3.582633}, u) +
               m[1] / std::sqrt(squares);
        rest -= 2 * m[1] * m[1];
        left -= 2 * a[1] * a[1];
    }
    const Eigen::Index fixed = n > 5 ? 2 : 1;
    a.tail(half - fixed) = m.tail(half - fixed) * std::sqrt(left / rest);
    return a;
}

double shapiroWilkP(double w, Eigen::Index n)
{
    const double size = static_cast<double>(n);
    const double y = std::log1p(-w);
    if (n == kFewestValues)
        return std::clamp(6 / M_PI * (std::asin(std::sqrt(w)) - std::asin(std::sqrt(0.75))), 0.0, 1.0);
    if (n <= 11) {
        const double gamma = polynomial<2>({-2.273, 0.459}, size);
        if (y >= gamma)
            return 0.0;
        const double mean = polynomial<4>({0.544, -0.39978, 0.025054, -6.714e-4}, size);
        const double sd = std::exp(polynomial<4>({1.3822, -0.77857, 0.062767, -0.0020322}, size));
        return normalBelow((mean + std::log(gamma - y)) / sd);
    }
    const double x = std::log(size);
    const double mean = polynomial<4>({-1.5861, -0.31082, -0.083751, 0.0038915}, x);
    const double sd = std::exp(polynomial<3>({-0.4803, -0.082676, 0.0030302}, x));
    return normalBelow((mean - y) / sd);
}

constexpr double kRoundingOfBins = 1e-9; ///< of a bin's width

/// 1, 2 or 5 times a power of ten, at least this wide.
double roundWidth(double width)
{
    const double power = std::pow(10.0, std::floor(std::log10(width)));
    for (const double step : {1.0, 2.0, 5.0}) {
        if (width <= step * power * (1.0 + kRoundingOfBins))
            return step * power;
    }
    return 10.0 * power;
}

} // namespace

double tLimit(double alpha, double degreesOfFreedom)
{
    // Along a curve or a grid the same one is asked for at every point, and it takes longer than the point.
    struct Latest {
        double alpha = std::numeric_limits<double>::quiet_NaN(), degreesOfFreedom = 0.0, limit = 0.0;
    };
    thread_local Latest latest;
    if (alpha != latest.alpha || degreesOfFreedom != latest.degreesOfFreedom)
        latest = {alpha, degreesOfFreedom,
                  bm::quantile(bm::complement(bm::students_t_distribution<double, Quiet>(degreesOfFreedom),
                                              alpha / 2))};
    return latest.limit;
}

double tProbability(double t, double degreesOfFreedom)
{
    const bm::students_t_distribution<double, Quiet> distribution(degreesOfFreedom);
    return std::clamp(2 * bm::cdf(bm::complement(distribution, std::abs(t))), 0.0, 1.0);
}

double fProbability(double f, double numerator, double denominator)
{
    const bm::fisher_f_distribution<double, Quiet> distribution(numerator, denominator);
    return std::clamp(bm::cdf(bm::complement(distribution, f)), 0.0, 1.0);
}

double fLimit(double alpha, double numerator, double denominator)
{
    const bm::fisher_f_distribution<double, Quiet> distribution(numerator, denominator);
    return bm::quantile(bm::complement(distribution, alpha));
}

double normalQuantile(double p)
{
    if (p <= 0.0)
        return -std::numeric_limits<double>::infinity();
    if (p >= 1.0)
        return std::numeric_limits<double>::infinity();
    return bm::quantile(bm::normal_distribution<double, Quiet>(), p);
}

double normalBelow(double z)
{
    return bm::cdf(bm::normal_distribution<double, Quiet>(), z);
}

double computeTestPower(int df, int dfError, double noncentrality)
{
    if (noncentrality > kSurelySeen)
        return 1.0;
    const double critical = fLimit(kSignificance, df, dfError);
    const boost::math::non_central_f alternative(df, dfError, noncentrality);
    return std::clamp(boost::math::cdf(boost::math::complement(alternative, critical)), kSignificance, 1.0);
}

std::optional<Lenth> computeLenthLimits(std::vector<double> sizes, double confidence)
{
    const double m = static_cast<double>(sizes.size());
    const double pse = sizes.size() < kFewestEffects ? 0.0 : pseudoStandardError(std::move(sizes));
    if (pse <= 0)
        return std::nullopt;
    return Lenth{pse, tLimit(1 - confidence, m / 3) * pse,
                 tLimit(1 - std::pow(confidence, 1 / m), m / 3) * pse, m / 3};
}

double ratioProbability(const ResidualRatio& ratio)
{
    const double df = ratio.df, range = ratio.high - ratio.low;
    const double mean = ratio.trace / df;
    const double variance = 2 * (ratio.squareTrace - ratio.trace * mean) / (df * (df + 2));
    if (!(variance > kNoVariance * range * range))
        return 1.0;
    const double center = (mean - ratio.low) / range;
    const double size = center * (1 - center) * range * range / variance - 1;
    const double at = std::clamp((ratio.value - ratio.low) / range, 0.0, 1.0);
    const double a = center * size, b = (1 - center) * size;
    if (!(a > 0) || !(b > 0))
        return 1.0;
    return std::min({2 * boost::math::ibeta(a, b, at), 2 * boost::math::ibetac(a, b, at), 1.0});
}

std::optional<ShapiroWilk> shapiroWilk(const Eigen::VectorXd& values)
{
    const Eigen::Index n = values.size();
    if (n < kFewestValues || n > kMost)
        return std::nullopt;
    Eigen::VectorXd x = values;
    std::sort(x.begin(), x.end());
    if (x[n - 1] - x[0] <= kRoundingOfSpread * std::max(std::abs(x[0]), std::abs(x[n - 1])))
        return std::nullopt;
    const Eigen::VectorXd a = weightsOf(n);
    const double top = a.dot(x.tail(a.size()).reverse() - x.head(a.size()));
    const double w = std::min(top * top / (x.array() - x.mean()).square().sum(), 1.0);
    return ShapiroWilk{w, shapiroWilkP(w, n)};
}

Histogram histogram(const std::vector<double>& values)
{
    std::vector<double> finite;
    std::ranges::copy_if(values, std::back_inserter(finite), [](double v) { return std::isfinite(v); });
    if (finite.empty())
        return {};
    const auto [low, high] = std::ranges::minmax(finite);
    const double bins = std::ceil(1.0 + std::log2(static_cast<double>(finite.size())));
    const double fallback = low == 0.0 ? 1.0 : std::abs(low) * 0.1;
    const double width = roundWidth(high > low ? (high - low) / bins : fallback);
    const double first = std::floor(low / width + kRoundingOfBins) * width;
    const auto count =
        static_cast<std::size_t>(std::max(1.0, std::ceil((high - first) / width - kRoundingOfBins)));
    Histogram histogram;
    histogram.counts.assign(count, 0);
    for (std::size_t edge = 0; edge <= count; ++edge)
        histogram.edges.push_back(first + static_cast<double>(edge) * width);
    for (const double value : finite) {
        const auto bin =
            static_cast<std::size_t>(std::max(0.0, std::floor((value - first) / width + kRoundingOfBins)));
        ++histogram.counts[std::min(bin, count - 1)];
    }
    return histogram;
}

double drawNormal(RandomBits& random)
{
    const double radius = std::sqrt(-2.0 * std::log(1.0 - drawUnit(random)));
    return radius * std::cos(2.0 * std::numbers::pi * drawUnit(random));
}

NormalDraws::NormalDraws(std::uint64_t seed)
    : m_random(seed)
{
}

double NormalDraws::next()
{
    return drawNormal(m_random);
}

Eigen::VectorXd NormalDraws::vector(Eigen::Index size)
{
    return matrix(size, 1);
}

Eigen::MatrixXd NormalDraws::matrix(Eigen::Index rows, Eigen::Index columns)
{
    Eigen::MatrixXd numbers(rows, columns);
    for (Eigen::Index i = 0; i < numbers.size(); ++i)
        numbers.data()[i] = next();
    return numbers;
}

double NormalDraws::errorOverEstimate(int df)
{
    double squares = 0.0;
    for (int i = 0; i < df; ++i) {
        const double z = next();
        squares += z * z;
    }
    return std::sqrt(df / squares);
}

Eigen::MatrixXd rootOfCovariance(const Eigen::MatrixXd& covariance)
{
    return covariance.size() == 0 ? covariance : algebra::eigenRoot(covariance);
}

} // namespace quadric::model
