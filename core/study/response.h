// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/factor.h"

#include <optional>

namespace quadric::study {

enum class Goal { None, Maximize, Minimize, Target };
enum class TransformKind { None, Log, Sqrt, Inverse, BoxCox };

/// What is done to a response before a model is fitted to it.
struct Transform {
    TransformKind kind = TransformKind::None;
    double lambda = 1.0; ///< BoxCox only
    bool operator==(const Transform&) const = default;
};

/// How much each run counts in the fit of a response.
enum class Weights {
    Equal,  ///< all the same
    Spread, ///< by the variance inside the run, which its spread tells, and that between runs
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
    Weights weights = Weights::Equal;
    UnknownKeys unknown = {};

    bool operator==(const Response&) const = default;
};

} // namespace quadric::study
