// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/processor.h"
#include "core/trainer/base/failure.h"
#include "core/trainer/workload/workload.h"

#include <chrono>
#include <csignal>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace quadric::trainer {

/// Processors that each rank of this host is confined to, by rank; empty: none is.
using RankCpus = std::vector<std::vector<int>>;

/// Ranks that compute on processors share these cores out evenly, in the order of their NUMA nodes, whole
/// cores where there is one for each thread: threads stay beside the memory that they have touched first. On
/// one node the system places threads better than a fixed share, unless the user binds them (OMP_PROC_BIND,
/// OMP_PLACES): without shares, threads of all ranks would be bound to the same cores. Too many threads are
/// not confined.
RankCpus distributeCores(const Workload& workload, std::vector<machine::Core> cores, bool userBinds);

/// Ranks that compute on GPUs, which they take in turn, get all these cores of the node that their GPU is
/// attached to. A rank whose node is not known (-1) or has none of the cores may use all. On one node none is
/// confined.
RankCpus assignCoresNearGpus(int ranks, const std::vector<int>& nodesOfGpus,
                             const std::vector<machine::Core>& cores);

/// Whether the user says where threads are bound; ranks inherit that.
bool userBindsThreads();

/// What a rank process needs to know beside the workload.
struct RankPlace {
    int rank = 0;
    std::string rendezvous; ///< empty for a single rank
    std::chrono::steady_clock::time_point started;
};

/// The environment of a rank: this process's, with the settings and the thread rules of the workload (as many
/// OpenMP threads as asked for, waiting without spinning, because ranks share the cores). Of the user's rules
/// for OpenMP those of binding stay: OMP_PROC_BIND, OMP_PLACES.
std::vector<std::string> rankEnvironment(const Workload& workload);

/// How a rank ended, as wait() tells it; nothing where it has not.
struct RankEnd {
    int rank = 0;
    std::optional<int> status;
};
/// What a rank said of its failure.
struct RankFailure {
    std::string kind;
    std::string message;
};

/// The cause rather than its consequences: what a rank reported other than a lost connection, because ranks
/// whose peers are gone can crash; then a rank that was killed, then a lost connection, then a bad status.
Failure findFailureCause(const std::vector<RankEnd>& ends, const std::vector<RankFailure>& failures);

/// The processes of one run: starts this program once per rank, passes on what the ranks print, and ends all
/// of them when one fails, when the time is up, or when the launcher itself is ended. A rank also dies with
/// its launcher.
class RankGroup {
public:
    using Line = std::function<void(const std::string&)>;

    explicit RankGroup(const Workload& workload, RankCpus cpus = {});
    ~RankGroup();
    RankGroup(const RankGroup&) = delete;
    RankGroup& operator=(const RankGroup&) = delete;

    /// Starts the ranks and returns when all have ended well. `line` receives every line that a rank prints.
    /// A signal number in `*signal` ends the run. Throws Failure with the cause, after all ranks have ended.
    void run(std::chrono::steady_clock::time_point started, const Line& line,
             const volatile std::sig_atomic_t* signal);

private:
    struct Member {
        int rank = 0;
        pid_t process = -1;
        int output = -1;
        std::string pending; ///< an unfinished line
        std::optional<int> status;
    };

    void start(Member& member, const RankPlace& place);
    void readAll(const Line& line);
    bool readSome(Member& member, const Line& line);
    void deliver(Member& member, const Line& line);
    void reap();
    void endAll();
    bool allEnded() const;
    bool oneFailed() const;
    void collectCauses(const Line& line);
    std::vector<RankEnd> ends() const;

    Workload m_workload;
    RankCpus m_cpus;
    std::string m_rendezvous;
    std::vector<Member> m_members;
    std::vector<RankFailure> m_failures;
};

} // namespace quadric::trainer
