// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/words/events.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quadric::run {

/// What is known about a run in progress.
struct ActiveNews {
    double done = 0.0; ///< 0…1
    std::string phase; ///< "warm-up", "measure" or what the worker calls it; empty before the first news
    std::string started = {}; ///< ISO time, UTC; empty: not told
    std::string waitsFor;     ///< in words; empty: it executes
    bool isExecuting = false; ///< its program has been started
    RunDevices devices;       ///< that it has for itself; none where runs are executed one at a time
    bool operator==(const ActiveNews&) const = default;
};

/// Where a runner stands, as its events tell. Everybody who shows that folds the same events in this way: the
/// window and `quadric status` cannot differ.
struct RunnerNews {
    bool isPaused = false;
    std::string pausedBecause; ///< in sentences, where the runner paused by itself; empty otherwise
    std::string problem;       ///< why no further run is started for now, in words; empty: nothing is wrong
    std::optional<TimeLeft> remaining; ///< until all runs are done; empty: not known
    std::map<int, ActiveNews> active;  ///< by id of the run
    std::vector<int> queue;            ///< ids of the runs to come, in order
    bool operator==(const RunnerNews&) const = default;

    /// Takes one line of the events in; what is not understood changes nothing.
    void take(std::string_view line);
};

/// The news of the last runner of the study, from the events file; nothing where there is none.
RunnerNews readRunnerNews(const std::filesystem::path& document);

/// Why the study cannot take results, where they are, and what to do, for people; empty: it can. The window
/// and `quadric status` say this. A runner's own word (`news`) may not have come through where its events lie
/// in the folder that cannot be written; what it has answered when it was asked (`answered`,
/// ControlReply::problem) tells then.
/// `isRunning`: there is a runner.
std::string describeStudyProblem(const std::filesystem::path& document, const RunnerNews& news,
                                 bool isRunning, const std::string& answered);

} // namespace quadric::run
