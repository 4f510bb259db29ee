// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fit/transform.h"

#include "core/study/bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace quadric::model {

using study::TransformKind;

namespace {

/// Largest argument of exp() that is let through.
constexpr double kLargestExponent = 690.0;
constexpr double kLargestValue = 1e300;

/// A value at a bound moved inside, where the transform says by how much.
double insideOf(const study::Transform& transform, double y)
{
    const bool isLogit = transform.kind == TransformKind::Logit;
    if (y == (isLogit ? transform.low : 0.0))
        return y + transform.inset;
    return isLogit && y == transform.high ? y - transform.inset : y;
}

std::optional<double> logit(const study::Transform& transform, double y)
{
    const double above = y - transform.low, below = transform.high - y;
    return above > 0.0 && below > 0.0 ? std::optional(std::log(above / below)) : std::nullopt;
}

/// Exact at both ends: exp() is taken of what is not above 0.
double inverseLogit(const study::Transform& transform, double z)
{
    const double small = std::exp(-std::abs(z));
    const double nearer = (transform.high - transform.low) * small / (1.0 + small);
    return z < 0.0 ? transform.low + nearer : transform.high - nearer;
}

/// Half of the smallest distance from a bound among the values that are at none; 0 where there are no such
/// values, or none is at a bound.
double insetOf(const study::Bounds& bounds, const Eigen::VectorXd& y)
{
    double nearest = 0.0;
    bool isNeeded = false;
    for (const double value : y) {
        double distance = value - bounds.low;
        if (bounds.high)
            distance = std::min(distance, *bounds.high - value);
        isNeeded = isNeeded || distance == 0.0;
        if (distance > 0.0 && (nearest == 0.0 || distance < nearest))
            nearest = distance;
    }
    return isNeeded ? nearest / 2.0 : 0.0;
}

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
    if (transform.kind == TransformKind::None)
        return y;
    if (transform.inset > 0.0)
        y = insideOf(transform, y);
    if (transform.kind == TransformKind::Logit)
        return logit(transform, y);
    if (transform.kind == TransformKind::Sqrt)
        return y >= 0 ? std::optional(std::sqrt(y)) : std::nullopt;
    if (!(y > 0.0))
        return std::nullopt;
    if (isLogarithm(transform))
        return std::log(y);
    if (transform.kind == TransformKind::Inverse)
        return 1 / y;
    return (std::pow(y, transform.lambda) - 1) / transform.lambda;
}

std::optional<double> limitOnModelScale(const study::Transform& transform, double y)
{
    constexpr double kNoLimit = std::numeric_limits<double>::infinity();
    if (transform.kind == TransformKind::Logit && y >= transform.high)
        return kNoLimit;
    return transform.kind == TransformKind::Logit && y <= transform.low ? -kNoLimit
                                                                        : applyTransform(transform, y);
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
    if (transform.kind == TransformKind::Logit)
        return inverseLogit(transform, z);
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
    if (transform.kind == TransformKind::Logit) {
        const double small = std::exp(-std::abs(z));
        return (transform.high - transform.low) * small / std::pow(1.0 + small, 2.0);
    }
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
    if (transform.kind == TransformKind::Logit)
        return "values " + std::string(transform.inset > 0.0 ? "from " : "strictly between ") +
               study::toText(transform.low) + (transform.inset > 0.0 ? " to " : " and ") +
               study::toText(transform.high);
    if (isLogarithm(transform) && transform.inset > 0.0)
        return "values of 0 or above";
    return transform.kind == TransformKind::Sqrt ? "values of 0 or above" : "values above 0";
}

study::Transform transformFor(const study::Response& response, const std::optional<study::Transform>& asked,
                              const Eigen::VectorXd& y)
{
    study::Response wanted = response;
    wanted.transform = asked.value_or(response.transform);
    study::Transform transform = asked && asked->kind == TransformKind::None ? *asked : transformOf(wanted);
    const std::string refusal = study::whyNotWithinBounds(response, transform);
    if (!refusal.empty())
        throw std::domain_error("No model: " + refusal + ".");
    if (response.bounds && (transform.kind == TransformKind::Logit || isLogarithm(transform)))
        transform.inset = insetOf(*response.bounds, y);
    return transform;
}

} // namespace quadric::model
