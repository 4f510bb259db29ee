// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fit/transform.h"

#include <algorithm>
#include <cmath>

namespace quadric::model {

using study::TransformKind;

namespace {

/// Largest argument of exp() that is let through.
constexpr double kLargestExponent = 690.0;
constexpr double kLargestValue = 1e300;

double power(double base, double exponent)
{
    return std::min(std::pow(base, exponent), kLargestValue);
}

} // namespace

bool isLogarithm(const study::Transform& transform)
{
    return transform.kind == TransformKind::Log ||
           (transform.kind == TransformKind::BoxCox && std::abs(transform.lambda) < kZeroPower);
}

std::optional<double> applyTransform(const study::Transform& transform, double y)
{
    const bool isPositive = y > 0;
    if (transform.kind == TransformKind::None)
        return y;
    if (transform.kind == TransformKind::Sqrt)
        return y >= 0 ? std::optional(std::sqrt(y)) : std::nullopt;
    if (!isPositive)
        return std::nullopt;
    if (isLogarithm(transform))
        return std::log(y);
    if (transform.kind == TransformKind::Inverse)
        return 1 / y;
    return (std::pow(y, transform.lambda) - 1) / transform.lambda;
}

bool isInvertible(const study::Transform& transform, double z)
{
    if (isLogarithm(transform))
        return z < kLargestExponent;
    if (transform.kind == TransformKind::Inverse)
        return z > 1 / kLargestValue;
    if (transform.kind == TransformKind::BoxCox && transform.lambda < 0)
        return transform.lambda * z + 1 > 0;
    return true;
}

double invertTransform(const study::Transform& transform, double z)
{
    if (transform.kind == TransformKind::None)
        return z;
    if (!isInvertible(transform, z))
        return kLargestValue;
    if (isLogarithm(transform))
        return std::exp(z);
    if (transform.kind == TransformKind::Sqrt)
        return z > 0 ? power(z, 2.0) : 0.0;
    if (transform.kind == TransformKind::Inverse)
        return 1 / z;
    const double base = transform.lambda * z + 1;
    return base > 0 ? power(base, 1 / transform.lambda) : 0.0;
}

double inverseSlope(const study::Transform& transform, double z)
{
    if (transform.kind == TransformKind::None)
        return 1.0;
    if (!isInvertible(transform, z))
        return 0.0;
    if (isLogarithm(transform))
        return std::exp(z);
    if (transform.kind == TransformKind::Sqrt)
        return z > 0 ? 2 * z : 0.0;
    if (transform.kind == TransformKind::Inverse)
        return -1 / (z * z);
    const double base = transform.lambda * z + 1;
    return base > 0 ? power(base, 1 / transform.lambda - 1) : 0.0;
}

std::string domainOf(const study::Transform& transform)
{
    return transform.kind == TransformKind::Sqrt ? "values of 0 or above" : "values above 0";
}

} // namespace quadric::model
