// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/base/axis_scale.h"

#include <vector>

namespace quadric::widgets {

/// Ticks at whole numbers for an axis of counts on which round values lie between them as well, as from 1 to
/// 2 GPUs; empty where they do not: the usual ticks are whole then.
std::vector<Tick> wholeTicks(const AxisScale& scale);

} // namespace quadric::widgets
