// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/optimize/optimize_session.h"
#include "widgets/optimize/ramps_plot.h"

namespace quadric::widgets {

/// The setting that is looked at, as ramps: factors first, then the responses with a goal.
std::vector<Ramp> rampsOf(const Answer& answer);

} // namespace quadric::widgets
