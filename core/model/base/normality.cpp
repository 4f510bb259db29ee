// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/base/normality.h"
#include "core/model/base/distributions.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace quadric::model {

namespace {

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

double probabilityOf(double w, Eigen::Index n)
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
        return normalUpper((-std::log(gamma - y) - mean) / sd);
    }
    const double x = std::log(size);
    const double mean = polynomial<4>({-1.5861, -0.31082, -0.083751, 0.0038915}, x);
    const double sd = std::exp(polynomial<3>({-0.4803, -0.082676, 0.0030302}, x));
    return normalUpper((y - mean) / sd);
}

} // namespace

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
    return ShapiroWilk{w, probabilityOf(w, n)};
}

} // namespace quadric::model
