// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/orphans.h"

#include "core/run/process_children.h"

#include <chrono>
#include <csignal>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace quadric::run {

namespace {

constexpr int kMostRounds = 2000;
constexpr std::chrono::milliseconds kPause{1};

bool adopts()
{
    int adopts = 0;
    return ::prctl(PR_GET_CHILD_SUBREAPER, &adopts) == 0 && adopts != 0;
}

/// A guard leaves the session of this process, and none of its descendants can come back into it: a child in
/// another session that is no guard had one above it.
std::vector<pid_t> findOrphans(const std::set<std::int64_t>& guards)
{
    std::vector<pid_t> orphans;
    const pid_t ownSession = ::getsid(0);
    for (const std::int64_t child : childrenOf(::getpid())) {
        const pid_t session = ::getsid(static_cast<pid_t>(child));
        if (session > 0 && session != ownSession && !guards.contains(child))
            orphans.push_back(static_cast<pid_t>(child));
    }
    return orphans;
}

} // namespace

void adoptOrphans()
{
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
}

void endOrphans(const std::set<std::int64_t>& guards)
{
    if (!adopts())
        return;
    // The children of those that end become children of this process: a tree ends in some rounds.
    for (int round = 0; round < kMostRounds; ++round) {
        const std::vector<pid_t> orphans = findOrphans(guards);
        if (orphans.empty())
            return;
        for (const pid_t orphan : orphans) {
            ::kill(orphan, SIGKILL);
            ::waitpid(orphan, nullptr, WNOHANG);
        }
        std::this_thread::sleep_for(kPause);
    }
}

} // namespace quadric::run
