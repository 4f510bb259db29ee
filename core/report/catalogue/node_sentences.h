// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/catalogue.h"

/// Whether a number of GPUs fills the nodes that it needs.
namespace quadric::report::catalogue {

inline constexpr Entry kIdleRanks{
    "idle-gpus", Severity::Amber, "Whole nodes",
    "{factor} = {count} needs {nodes} nodes of {size} and leaves {idle} of {all} places idle ({source})."};
inline constexpr std::string_view kWholeCounts = "{factor} = {counts} fills whole nodes.";
inline constexpr Entry kIdleCounts{"idle-gpus", Severity::Amber, "Whole nodes",
                                   "Part of a node of {size} ({source}) stays idle with {counts}."};
inline constexpr std::string_view kIdleOfAll = "{idle} of {all}";
inline constexpr std::string_view kIdleColumn =
    "Idle: places that a setting leaves unused on nodes of {size} ({source}).";

inline constexpr std::string_view kDoublingIsWorthIt =
    "Doubling brings {times} times the speed or more up to {gpus}.";
inline constexpr std::string_view kDoublingIsNotWorthIt =
    "Doubling {gpus} brings less than {times} times the speed.";

} // namespace quadric::report::catalogue
