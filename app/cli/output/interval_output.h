// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/output/study_output.h"
#include "core/model/feasibility/feasibility.h"
#include "core/model/predict/predict.h"

namespace quadric::app {

/// [low, high], or null.
Json intervalJson(const std::optional<model::Interval>& interval);

/// {probability, low, high} of giving a result.
Json runProbabilityJson(const model::RunProbability& runs);

/// "low … high", or a dash.
std::string intervalText(const std::optional<model::Interval>& interval);

/// What decides the digits of a number with this interval.
std::optional<double> halfWidth(const std::optional<model::Interval>& interval);

/// A desirability with the digits that the window gives it.
std::string desirabilityText(double desirability);

} // namespace quadric::app
