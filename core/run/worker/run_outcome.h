// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/words/worker_protocol.h"
#include "core/study/study.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace quadric::run {

/// What the kernel's counters say about processes that it has ended because memory ran out.
enum class MemoryKills {
    None,      ///< the counters stand where they stood
    OnMachine, ///< somewhere on this machine one was ended
    InGroup    ///< one was ended in the control group of this process
};

/// Watches the counters of the kernel's out-of-memory killer from its making on: of the control group of this
/// process (version 2: `memory.events`, version 1: `memory.oom_control`), where its workers are too, and of
/// the whole machine (`/proc/vmstat`).
class MemoryKillCounter {
public:
    /// `root`: where proc and sys are.
    explicit MemoryKillCounter(const std::filesystem::path& root = "/");

    MemoryKills countKillsSinceStart() const;

private:
    std::filesystem::path m_machineFile, m_groupFile; ///< of the group: empty where the kernel does not count
    std::int64_t m_onMachine = 0, m_inGroup = 0;
};

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
    /// Kind of failure that its log speaks of last.
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
study::Run resetToPending(study::Run run);

} // namespace quadric::run
