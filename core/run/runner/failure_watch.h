// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/worker/run_outcome.h"
#include "core/study/run.h"

#include <optional>
#include <set>
#include <string>

namespace quadric::run {

/// True where the run could not be started for a reason that is none of its settings: its program, its folder
/// or the setup of its job is not there or may not be used.
bool isCertainToRepeat(const study::Run& ended, const WorkerExit& exit);

/// Notices when further runs would most likely fail as those before did. Runs that somebody has cancelled,
/// and those that a cluster took away, say nothing about that.
class FailureWatch {
public:
    /// An attempt has ended in this way; `willRepeat`: the runs to come would fail for the same reason.
    /// Returns why they should not be started, in sentences; empty: nothing speaks against it.
    std::string note(const study::Run& ended, bool willRepeat);

    /// The user wants to go on all the same: failures like the last one are no reason any more.
    void accept();

private:
    std::string m_last; ///< what all of the last failures have in common; empty: the last attempt succeeded
    int m_count = 0;    ///< of them, one after the other
    std::set<std::string> m_accepted;
};

} // namespace quadric::run
