// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/recipe/approval.h"
#include "core/study/study.h"

#include <QString>

#include <map>
#include <stdexcept>

namespace quadric::run {

/// The response that is asked for where runs need a baseline, and the result that a baseline is measured for.
inline constexpr const char* kScalingEfficiency = "scaling_efficiency";
inline constexpr const char* kBaselineSpeed = "images_per_sec";

/// Whether runs of the study are related to a baseline that quadric-trainer could measure in each of them.
bool asksForBaselines(const study::Study& study);

/// The baseline that a run's scaling efficiency is related to. Runs whose needs are equal can share one.
struct BaselineNeed {
    study::Settings settings; ///< of the run of one rank
    std::string conditions;   ///< what else its speed depends on: program, machine; JSON
    bool operator==(const BaselineNeed&) const = default;
};

/// The benchmark program did not say what was asked, and why in words.
class NoAnswer : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// What quadric-trainer answers, a line for a run (docs/trainer.md), by id of the run. Runs that need no
/// baseline are left out. Throws NoAnswer for anything else than such lines.
std::map<int, BaselineNeed> readBaselineNeeds(const std::vector<int>& runs, const std::string& answers);

/// Asks quadric-trainer for the baselines of these runs of the study, a few seconds at most. `devices` as for
/// launchFor(). Throws NoAnswer.
std::map<int, BaselineNeed> askForBaselines(const ApprovedStudy& approved,
                                            const std::vector<study::Run>& runs, const QString& devices);

} // namespace quadric::run
