// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace quadric::machine {

inline constexpr double kBytesPerKib = 1024.0;
inline constexpr double kBytesPerMib = 1048576.0;
inline constexpr double kBytesPerGib = 1073741824.0;

inline constexpr double kMsPerSecond = 1000.0;

} // namespace quadric::machine
