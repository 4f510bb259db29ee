// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace quadric::run {

/// Memory in MiB that the process and all its descendants hold in main memory and share with no file: what
/// would be free without them. Shared memory is not counted.
double privateMemoryMib(std::int64_t processId);

} // namespace quadric::run
