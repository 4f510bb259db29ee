// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/recipe/baseline_question.h"

namespace quadric::run {

// Runs of a command of the user's own are related to a run with the same settings and one rank, as those of
// the built-in workload are. Whether that is weak or strong scaling, the settings say: weak where they set
// the work of each rank, strong where they set that of all.

inline constexpr const char* kSpeedUp = "speed_up";
/// The fixed setting that says from how many ranks on a job can be measured, where one is too few.
inline constexpr const char* kBaselineRanks = "baseline_ranks";

using study::rankFactorOf;

/// The response by which runs of different ranks are compared: the first that is a speed, by its name
/// ("…_per_sec") or its unit ("…/s"). Empty where there is none.
std::string speedResponse(const study::Study& study);

/// The result that a baseline of the study is measured for.
std::string baselineSpeed(const study::Study& study);

/// Whether the study runs a command, asks for scaling_efficiency or speed_up, and has what they are made of.
bool relatesCommands(const study::Study& study);

/// Whether the runner adds this result to those of a command.
bool isRelated(const study::Study& study, std::string_view result);

/// The baselines that these runs of a command need, by id of the run; none for runs with its ranks.
std::map<int, BaselineNeed> commandBaselines(const study::Study& study, const std::vector<study::Run>& runs);

/// The run with scaling_efficiency, 100 X_N n / (N X_n) in per cent, and speed_up, X_N / X_n, from its speed
/// X_N with N ranks and that of its baseline with n; errors of both speeds add as independent ones (delta
/// method). As it is where either is not known.
study::Run withScaling(const study::Study& study, study::Run run, const study::Run* baseline);

} // namespace quadric::run
