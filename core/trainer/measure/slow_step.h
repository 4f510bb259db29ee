// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/measure/stage_rule.h"
#include "core/trainer/workload/workload.h"

#include <optional>
#include <string>

namespace quadric::trainer {

/// What QUADRIC_SHORT_LOOK says (docs/worker-protocol.md). Throws Failure (bad-settings) where that is no
/// object with a response and a number.
ShortLookBar readShortLook(const std::string& text);

/// The step that the bar of the workload stands for; empty without a bar, and where its response is not
/// calculated from the time of steps alone.
std::optional<SlowStep> slowStepOf(const Workload& workload);

} // namespace quadric::trainer
