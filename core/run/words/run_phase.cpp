// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/words/run_phase.h"

#include <algorithm>
#include <array>
#include <utility>

namespace quadric::run {

namespace {

using enum RunPhase;

constexpr auto kMoves = std::to_array<std::pair<RunPhase, RunPhase>>({
    {Waiting, Starting},
    {Starting, Executing},
    {Starting, Failed}, // the program is not there
    {Starting, Stopping},
    {Executing, Stopping},
    {Executing, Done},
    {Executing, Failed},
    {Stopping, Waiting}, // the run goes back to pending
    {Stopping, Done},    // it ended by itself in the same moment
    {Stopping, Failed},
});

} // namespace

bool mayMove(RunPhase from, RunPhase to)
{
    return std::ranges::find(kMoves, std::pair(from, to)) != kMoves.end();
}

std::string_view nameOf(RunPhase phase)
{
    constexpr std::array<std::string_view, 6> names = {"waiting",  "starting", "executing",
                                                       "stopping", "done",     "failed"};
    return names[static_cast<std::size_t>(phase)];
}

} // namespace quadric::run
