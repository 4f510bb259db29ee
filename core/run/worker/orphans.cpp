// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/worker/orphans.h"

#include "core/machine/proc.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace quadric::run {

namespace {

constexpr int kMostRounds = 2000;
/// For which the second process of a guard is left alone: it ends everything itself, and would leave that
/// behind if this process were killed too.
constexpr int kRoundsOfGuard = 1000;
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
    for (const pid_t child : machine::childrenOf("/", ::getpid())) {
        const pid_t session = ::getsid(child);
        if (session > 0 && session != ownSession && !guards.contains(child))
            orphans.push_back(child);
    }
    return orphans;
}

bool isGuard(pid_t process)
{
    std::error_code gone;
    return std::filesystem::read_symlink("/proc/" + std::to_string(process) + "/exe", gone).filename() ==
           "quadric-guard";
}

/// False for a process that is not ours to see, or is gone: reading it fails then, also half way.
bool hasInEnvironment(const std::filesystem::path& process, const std::string& wanted)
{
    std::ifstream file(process / "environ", std::ios::binary);
    for (std::string entry; std::getline(file, entry, '\0');) {
        if (entry == wanted)
            return true;
    }
    return false;
}

std::vector<pid_t> processesOf(const std::string& owner)
{
    const std::string entry = std::string(kOwnerVariable) + '=' + owner;
    std::vector<pid_t> found;
    std::error_code gone;
    std::filesystem::directory_iterator process("/proc", gone);
    for (; !gone && process != std::filesystem::directory_iterator(); process.increment(gone)) {
        const auto pid = static_cast<pid_t>(std::atol(process->path().filename().c_str()));
        if (pid > 1 && pid != ::getpid() && hasInEnvironment(process->path(), entry))
            found.push_back(pid);
    }
    return found;
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
            if (round >= kRoundsOfGuard || !isGuard(orphan))
                ::kill(orphan, SIGKILL);
            ::waitpid(orphan, nullptr, WNOHANG);
        }
        std::this_thread::sleep_for(kPause);
    }
}

void endLeftovers(const std::string& owner)
{
    for (int round = 0; round < kMostRounds; ++round) {
        const std::vector<pid_t> left = processesOf(owner);
        if (left.empty())
            return;
        for (const pid_t process : left)
            ::kill(process, SIGKILL);
        std::this_thread::sleep_for(kPause);
    }
}

} // namespace quadric::run
