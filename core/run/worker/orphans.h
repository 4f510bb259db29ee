// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <set>
#include <string>

namespace quadric::run {

/// From now on, what a killed guard leaves behind becomes a child of this process. For a process that
/// executes runs and starts no detached programs: those would become its children too.
void adoptOrphans();

/// Ends what killed guards left behind, and all that it started. `guards` are the processes of the guards
/// that live. Without adoptOrphans() nothing is done. Waits at most some seconds for what the kernel does not
/// let die; the next call tries again.
void endOrphans(const std::set<std::int64_t>& guards);

/// What a worker on this machine, and everything that inherits its environment, carries the name of its owner
/// in.
inline constexpr const char* kOwnerVariable = "QUADRIC_OWNER";

/// Ends the processes of this user that carry this owner, all but this one: what a former runner of the study
/// has left where its guards were killed together with it.
void endLeftovers(const std::string& owner);

} // namespace quadric::run
