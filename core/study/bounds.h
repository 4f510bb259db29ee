// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/response.h"

namespace quadric::study {

/// The transform that a response is modeled on: its own, or, where it has bounds and none was chosen, the one
/// that keeps them: the logit between two bounds, the logarithm above 0.
Transform transformOf(const Response& response);

/// Why the response cannot be modeled on this transform: it would leave the bounds, or is a logit without
/// two bounds. Empty where it can.
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
