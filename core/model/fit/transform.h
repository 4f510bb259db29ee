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

/// The transform that the values y of a response are modeled on: `asked`, else its own or that of its bounds.
/// With values exactly at a bound, logit and log get the `inset` that these count as: half of the smallest
/// distance from a bound among the other values, as for zeros among proportions (Warton & Hui 2011, Ecology
/// 92). Throws std::domain_error where `asked` does not keep the bounds.
study::Transform transformFor(const study::Response& response, const std::optional<study::Transform>& asked,
                              const Eigen::VectorXd& y);

/// A limit of the response on the model's scale; of a logit −∞ and ∞ for limits at its bounds and beyond,
/// which no value passes. Empty where the transform is not defined.
std::optional<double> limitOnModelScale(const study::Transform& transform, double y);

/// What the transform asks of the values, for messages: "values above 0".
std::string domainOf(const study::Transform& transform);

} // namespace quadric::model
