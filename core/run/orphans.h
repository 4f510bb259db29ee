// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <set>

namespace quadric::run {

/// From now on, what a killed guard leaves behind becomes a child of this process. For a process that
/// executes runs and starts no detached programs: those would become its children too.
void adoptOrphans();

/// Ends what killed guards left behind, and all that it started. `guards` are the processes of the guards
/// that live. Without adoptOrphans() nothing is done. Waits at most some seconds for what the kernel does not
/// let die; the next call tries again.
void endOrphans(const std::set<std::int64_t>& guards);

} // namespace quadric::run
