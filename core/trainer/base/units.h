// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace quadric::trainer {

/// Bytes.
inline constexpr std::int64_t kMib = std::int64_t{1} << 20;

} // namespace quadric::trainer
