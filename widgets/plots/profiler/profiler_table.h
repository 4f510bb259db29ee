// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/profiler/profiler.h"

namespace quadric::widgets {

/// What a profiler draws, in numbers: the predictions at the setting that is shown, and along each factor
/// with the others held there. Low and high are the ends of the 95 % confidence interval of the mean.
TextTable profilerTable(const ProfilerData& data);

/// "throughput 27 300 ± 900 img/s, Overall D 79 %": every row at the setting that is shown.
QString profilerReading(const ProfilerData& data);

} // namespace quadric::widgets
