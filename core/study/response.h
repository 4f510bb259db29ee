// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/factor.h"

#include <optional>

namespace quadric::study {

enum class Goal { None, Maximize, Minimize, Target };
enum class TransformKind { None, Log, Sqrt, Inverse, BoxCox, Logit };

/// What is done to a response before a model is fitted to it.
struct Transform {
    TransformKind kind = TransformKind::None;
    double lambda = 1.0;          ///< BoxCox only
    double low = 0.0, high = 1.0; ///< Logit only: the bounds, response's own unit
    /// Logit, and Log of a response with bounds: a value at a bound counts as this far inside of it. 0: the
    /// transform is not defined there.
    double inset = 0.0;
    bool operator==(const Transform&) const = default;
};

/// The values that a response can have by its nature: shares 0 … 1, percentages 0 … 100; without `high` 0 and
/// above, as counts have them.
struct Bounds {
    double low = 0.0;
    std::optional<double> high = {};
    bool operator==(const Bounds&) const = default;
};

/// Something that a run measures, and what is wanted of it.
struct Response {
    std::string name = {};
    std::string unit = {};
    Goal goal = Goal::Maximize;
    double target = 0.0;               ///< Goal::Target only, response's own unit
    std::optional<double> low = {};    ///< lower desirability limit; default: smallest observed value
    std::optional<double> high = {};   ///< upper desirability limit; default: largest observed value
    std::vector<double> shape = {1.0}; ///< exponent, or two exponents (below and above the target)
    double weight = 1.0;               ///< importance ≥ 0; 0 takes the response out of the compromise
    Transform transform = {};
    std::optional<Bounds> bounds = {}; ///< no prediction and no interval leaves them
    UnknownKeys unknown = {};

    bool operator==(const Response&) const = default;
};

/// The transform that a response is modeled on: its own, of a logit between the bounds of the response.
Transform effectiveTransform(const Response& response);

/// What a response measures, as far as its unit or else its name tells.
enum class Quantity { Other, Speed, Time, Memory, Energy, Percent };
Quantity quantityOf(const Response& response);

/// The values that a response can have: its bounds, else those of what it measures, 0 and above (a loss too),
/// of a percentage to 100. Bounds that a measured value is outside of are none, but for a percentage the
/// largest value is its upper one.
std::optional<Bounds> physicalBounds(const Response& response, double smallestMeasured,
                                     double largestMeasured);

/// Why the response cannot be modeled on this transform: a logit without two bounds. Empty where it can.
std::string whyNotWithinBounds(const Response& response, const Transform& transform);

/// What is wrong with the bounds themselves; empty where nothing is.
std::string problemOf(const Bounds& bounds);

/// "0 … 100", "≥ 0".
std::string describeBounds(const Bounds& bounds);

/// The bounds that a response of this name has wherever it is measured: percentages of the built-in workload
/// and of quadric-torch. A scaling efficiency has no upper one: caches bring it above 100 %.
std::optional<Bounds> knownBounds(std::string_view response);

/// Reads "0..100", "0 … 100", "0–100", "0.." and "≥ 0"; empty for anything else.
std::optional<Bounds> boundsFrom(std::string_view text);

} // namespace quadric::study
