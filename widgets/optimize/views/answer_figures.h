// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/optimize/session/optimize_session.h"
#include "widgets/plots/profiler/profiler.h"

namespace quadric::widgets {

/// The curves of the profiler around the setting that the answer shows: a row for every response with a
/// model, and last the overall desirability of those that have a goal.
ProfilerData profilerData(const Answer& answer);

} // namespace quadric::widgets
