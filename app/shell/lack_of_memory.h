// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace quadric::app {

/// From now on memory that cannot be had ends the program with a sentence and status 1 where no code is
/// prepared for it, in whatever thread. `program` is kept, not copied.
void endWithoutMemory(const char* program);

} // namespace quadric::app
