// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace quadric::machine {

inline constexpr double kMsPerSecond = 1000.0;

} // namespace quadric::machine
