// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit.h"
#include "core/study/study.h"
#include "widgets/plots/profiler.h"

namespace quadric::widgets {

/// The curves of the profiler around one setting: a row for every response with a model, and last the overall
/// desirability of those that have a goal.
ProfilerData profilerData(const study::Study& study, const std::vector<model::Fit>& fits,
                          const study::Settings& settings);

/// The settings with one factor moved to the legal value nearest to `actual` (categorical factors: the level
/// with this index).
study::Settings withValue(const study::Study& study, study::Settings settings, std::size_t factor,
                          double actual);

} // namespace quadric::widgets
