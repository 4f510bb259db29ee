// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"

namespace quadric::model {

/// Box–Cox powers nearer to 0 than this are the logarithm.
inline constexpr double kZeroPower = 1e-8;

/// The logarithm, under its own name or as the Box–Cox power 0.
bool isLogarithm(const study::Transform& transform);

/// False where the inverse of the transform has a pole or overflows: the response is then unbounded above.
bool isInvertible(const study::Transform& transform, double z);

/// Derivative of invertTransform() by z; 0 where the response sits at a bound.
double inverseSlope(const study::Transform& transform, double z);

/// What the transform asks of the values, for messages: "values above 0".
std::string domainOf(const study::Transform& transform);

} // namespace quadric::model
