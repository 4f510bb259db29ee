// SPDX-License-Identifier: GPL-3.0-or-later
#include "victims.h"

#include "study_fixture.h"

#include <csignal>
#include <filesystem>
#include <fstream>

namespace quadric::test {

namespace {

std::string programOf(const std::string& pid)
{
    std::error_code gone;
    return std::filesystem::read_symlink("/proc/" + pid + "/exe", gone).filename().string();
}

bool isRunner(const Process& process)
{
    return process.program == "runner_process";
}

bool isGuard(const Process& process)
{
    return process.program == "quadric-guard";
}

bool is(const Process& process, Victim victim)
{
    const bool isWorkerProgram = process.program == "fake_worker" || process.program == "quadric-trainer";
    switch (victim) {
    case Victim::Runner:
        return isRunner(process);
    case Victim::Window:
        return process.program == "follower_process";
    case Victim::Worker:
        return isWorkerProgram && process.parentProgram == "quadric-guard";
    case Victim::Rank:
        return isWorkerProgram && process.parentProgram == process.program;
    case Victim::Guard:
        return isGuard(process);
    case Victim::RunnerAndGuard:
        return isRunner(process) || (isGuard(process) && process.parentProgram == "runner_process");
    default:
        return isRunner(process) || isGuard(process);
    }
}

bool isOne(Victim victim)
{
    return victim != Victim::RunnerAndGuard && victim != Victim::Everybody;
}

} // namespace

std::vector<Process> processesOf(const QByteArray& token)
{
    std::vector<Process> found;
    for (const int pid : processesWith(token.toStdString())) {
        std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
        std::string text; // nothing of a process that has ended meanwhile
        std::getline(file, text);
        const std::size_t name = text.rfind(')');
        if (name == text.npos)
            continue;
        const std::string parent = text.substr(name + 4, text.find(' ', name + 4) - name - 4);
        found.push_back({pid, programOf(std::to_string(pid)), programOf(parent)});
    }
    return found;
}

bool kill(const QByteArray& token, Victim victim)
{
    std::vector<int> victims;
    for (const Process& process : processesOf(token)) {
        if (is(process, victim))
            victims.push_back(process.pid);
    }
    if (victims.empty())
        return false;
    if (isOne(victim)) // any of them, as their numbers fall
        return ::kill(victims[static_cast<std::size_t>(victims.front()) % victims.size()], SIGKILL) == 0;
    // Who is stopped does nothing more before it is killed: all of them end at the same instant.
    for (const int signal : {SIGSTOP, SIGKILL}) {
        for (const int pid : victims)
            ::kill(pid, signal);
    }
    return true;
}

} // namespace quadric::test
