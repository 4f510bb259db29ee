// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

namespace quadric::study {

// Runs of one rank that the scaling efficiency of others is related to (RunKind::Baseline). In the document
// they stand among the runs. In memory they lie apart from Study::runs, so that nothing that reads the runs
// of a study (models, designs, counts, plots, exported tables) can take one for an observation.

/// Where they lie in Study::unknown, as the JSON text of a list of runs. No document has such a key.
inline constexpr const char* kBaselinesKey = "runs of kind baseline";

/// The study's baselines in the order of their ids.
std::vector<Run> baselinesOf(const Study& study);

/// Takes the baseline in, in the place of an earlier record with its id.
void putBaseline(Study& study, const Run& baseline);

/// Takes a run of any kind in, in the place of an earlier record with its id.
void putRun(Study& study, const Run& run);

/// For studies whose runs are replaced by those of a new design.
void removeBaselines(Study& study);

/// The study's runs, and then its baselines: everything that is executed.
std::vector<Run> allRuns(const Study& study);

/// The value that the baseline has for a factor, under the name of the factor or of the trainer's setting
/// that it stands for; null where one rank alone does not depend on it.
const Value* settingOf(const Run& baseline, const Factor& factor);

/// What a runner that is no more had in its hands waits again, runs as well as baselines.
void settleRunning(Study& study);

/// The largest id of a run or a baseline, 0 where there are none. New runs go on from here.
int largestRunId(const Study& study);

} // namespace quadric::study
