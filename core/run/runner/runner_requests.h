// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/words/control.h"
#include "core/study/run.h"

namespace quadric::run {

struct RunnerState;

/// Does what clients of the control channel ask a runner for (docs/running.md).
class RunnerRequests {
public:
    /// The state must outlive it.
    explicit RunnerRequests(RunnerState& state)
        : m_state(state)
    {
    }

    ControlReply handle(const ControlRequest& request);
    ControlReply stop();

private:
    ControlReply handleRun(ControlAction action, const study::Run& run);
    ControlReply tellStatus() const;
    ControlReply pause();
    ControlReply resume();
    ControlReply cancel(const study::Run& run);
    ControlReply skip(const study::Run& run);
    ControlReply retry(const study::Run& run);
    ControlReply first(const study::Run& run);
    /// Later: the answer comes first, also where going on ends the runner.
    void goOnLater();

    RunnerState& m_state;
};

} // namespace quadric::run
