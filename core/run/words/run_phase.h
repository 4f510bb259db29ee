// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace quadric::run {

/// What becomes of a run while the runner has it in hand.
enum class RunPhase {
    Waiting,   ///< in the queue, pending in the document
    Starting,  ///< recorded as running, its worker is being started
    Executing, ///< its worker runs
    Stopping,  ///< the runner was asked to stop and has told the worker to end
    Done,      ///< measured and recorded
    Failed     ///< recorded with its kind of failure
};

/// The one table of allowed moves.
bool mayMove(RunPhase from, RunPhase to);

std::string_view nameOf(RunPhase phase);

} // namespace quadric::run
