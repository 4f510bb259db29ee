// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/speed_up.h"
#include "core/report/table.h"

namespace quadric::plan {

/// "Weak scaling: the work of each GPU stays the same".
std::string describeScaling(ScalingKind kind);

/// At each measured count speed-up and efficiency with their intervals, beside the ideal; the note names the
/// kind of scaling, the baseline, and what the numbers are means of.
report::Table makeSpeedUpTable(const SpeedUp& speedUp);

} // namespace quadric::plan
