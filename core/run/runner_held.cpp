// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/runner_state.h"

namespace quadric::run {

namespace {

constexpr int kTryAgainMs = 1000;

} // namespace

void Runner::State::hold()
{
    if (isHeld())
        return;
    send(problemEvent(records->problem()));
    held.start(kTryAgainMs);
}

void Runner::State::tryToGoOn()
{
    const std::vector<study::Run> away = records->away();
    if (!records->bringHome())
        return;
    held.stop();
    send(problemEvent({}));
    // What was told meanwhile may not have reached the file of events.
    for (const study::Run& run : away)
        send(runEvent(eventOf(run.status), run));
    sendQueue();
    goOn();
}

} // namespace quadric::run
