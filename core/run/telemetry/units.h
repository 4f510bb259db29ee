// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace quadric::telemetry {

inline constexpr double kBytesPerMib = 1048576.0;
inline constexpr double kMsPerSecond = 1000.0;

} // namespace quadric::telemetry
