// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/optimize/optimize_options.h"

namespace quadric::app {

/// `optimize --spend TIME`: the runs on which the time is spent best, what each may gain, and when to stop;
/// with `--add` they are added to the study, with `--go` executed, and the question is asked again until the
/// time is spent or no run is expected to gain enough. Throws UsageError and WorkError.
void spendTime(const OptimizeCommand& command);

} // namespace quadric::app
