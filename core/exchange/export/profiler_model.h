// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"

namespace quadric::exchange {

/// The usable models of a study as JSON from which a script that knows no statistics computes what the
/// profiler shows, around `start`: factors with their coding and legal values, constraints as trees, and per
/// response coefficients, covariance, quantiles, transform, goal and desirability limits. Everything is in
/// the words of resources/report/profiler.js, which reads it. "<" is escaped, so that the text can stand in
/// HTML. Empty without a usable model. Throws std::invalid_argument for settings or constraints that cannot
/// be read.
std::string profilerModel(const study::Study& study, const std::vector<model::Fit>& fits,
                          const study::Settings& start);

} // namespace quadric::exchange
