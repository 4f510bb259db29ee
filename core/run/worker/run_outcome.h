// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/words/worker_protocol.h"
#include "core/run/worker/memory_kills.h"
#include "core/study/study.h"

#include <optional>
#include <vector>

namespace quadric::run {

/// How a worker process ended.
struct WorkerExit {
    enum class Kind { NotStarted, Exited, Signalled, TimedOut, Stopped };
    Kind kind = Kind::Exited;
    int code = 0;         ///< exit status or number of the signal
    std::string message;  ///< NotStarted: why
    double seconds = 0.0; ///< from start to end; TimedOut: the limit
    /// What the launcher knows about the end beyond the program's status (a node that died); counts before
    /// everything else.
    std::optional<study::Failure> failure = {};
    /// What the kernel did meanwhile. Only together with a process of the run that got SIGKILL it tells of
    /// memory that ran out.
    MemoryKills memoryKills = MemoryKills::None;
    /// What ranks that do not print have left behind, the lowest rank first.
    std::vector<study::Failure> rankFailures = {};
};

/// What a worker said while it ran.
struct WorkerReport {
    std::optional<Result> result;             ///< another one that differs is a bad message
    std::optional<study::Failure> failure;    ///< what it says itself
    std::optional<study::Failure> badMessage; ///< the first event whose content was wrong
    study::Facts hello;
    /// Kind of failure that its log speaks of last (failure_phrases.h).
    std::optional<std::string> phrase;
    std::string lastLine; ///< last line of log text, for the message of a failure
};

/// Takes a message into the report.
void note(WorkerReport& report, const WorkerMessage& message);

/// The run with its outcome: done with every response of the study, or failed with a kind and a sentence.
study::Run conclude(const study::Study& study, study::Run run, const WorkerReport& report,
                    const WorkerExit& exit);

/// The run as it was before it was started, but for what went wrong earlier (`earlier_failure`) and how often
/// it was repeated (`repeats`).
study::Run backToPending(study::Run run);

} // namespace quadric::run
