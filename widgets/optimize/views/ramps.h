// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/optimize/charts/ramps_plot.h"
#include "widgets/optimize/session/optimize_session.h"

namespace quadric::widgets {

/// The setting that is looked at, as ramps: factors first, then the responses with a goal.
std::vector<Ramp> rampsOf(const Answer& answer);

} // namespace quadric::widgets
