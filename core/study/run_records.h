// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

namespace quadric::study {

/// Takes the baseline in, in the place of an earlier record with its id.
void putBaseline(Study& study, const Run& baseline);

/// Takes runs of any kind in, one after another, each in the place of an earlier record with its id.
void putRuns(Study& study, const std::vector<Run>& records);

/// What a study is without anything that is executed; most questions about it need no more, and the runs are
/// nearly all of its size.
Study withoutRuns(Study study);

/// The study's runs, and then its baselines: everything that is executed.
std::vector<Run> allRuns(const Study& study);

/// The trainer's setting that the factor stands for: what it binds, or its own name, as the trainer
/// understands it.
std::string trainerSettingOf(const Factor& factor);

/// The value that the baseline has for a factor; null where one rank alone does not depend on it.
const Value* settingOf(const Run& baseline, const Factor& factor);

/// What a runner that is no more had in its hands waits again, runs as well as baselines.
void settleRunning(Study& study);

/// The largest id of a run or a baseline, 0 where there are none. New runs go on from here.
int largestRunId(const Study& study);

} // namespace quadric::study
