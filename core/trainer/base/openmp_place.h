// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace quadric::trainer {

/// OpenMP binds the first thread of a program to one place where the user asks for binding (OMP_PROC_BIND,
/// OMP_PLACES), before main() begins; whatever that thread starts, other programs among it, inherits it. This
/// gives the calling thread all processors of OpenMP's places, which are those that the program was started
/// with. Without binding nothing changes.
void leaveOpenMpPlace();

} // namespace quadric::trainer
