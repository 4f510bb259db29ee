// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/catalogue.h"

/// Which runs are worth their time, and when to stop.
namespace quadric::report::catalogue {

inline constexpr std::string_view kPlanConverged =
    "Stop here: no further run is expected to gain more than {least}.";
inline constexpr std::string_view kPlanOutOfTime =
    "The time ends before the gain does: the next run may gain {next}.";
inline constexpr std::string_view kPlanSpent = "The time is spent.";
inline constexpr std::string_view kPlanFailed =
    "Stopped: the last {n} added runs failed. Check their logs before going on.";
inline constexpr std::string_view kPlanTogether = "Together {n} {run|runs}, about {time}.";
inline constexpr std::string_view kPlanUntimed =
    "{n} {run|runs}. No run has reported how long it takes, so the time is not divided.";

} // namespace quadric::report::catalogue
