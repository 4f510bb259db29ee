// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace quadric::run {

/// Called in the forked child of a QProcess, before the worker's program is executed: splits it into a guard,
/// which is what QProcess waits for, and the worker, for which alone this function returns.
///
/// The guard outlives nothing and leaks nothing: when the worker ends, when the guard gets SIGTERM, or when
/// the process that started it dies in whatever way, it ends everything that the worker started, also what
/// left the worker's process group or session, and then ends with the worker's own exit status or signal.
/// After SIGTERM the worker has two seconds to end by itself; after the death of the parent none.
///
/// Only calls that are allowed between fork and exec.
void splitOffGuard();

} // namespace quadric::run
