// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer_process.h"
#include "tests/support/test_paths.h"

#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace quadric::trainer::testing {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

TrainerProcess::TrainerProcess(const std::vector<std::string>& arguments, const std::string& settings,
                               const Environment& environment)
{
    std::array<int, 2> pipe{};
    if (pipe2(pipe.data(), O_CLOEXEC) != 0)
        return;
    std::vector<char*> list = {const_cast<char*>(builtPath("bin/quadric-trainer"))};
    for (const std::string& argument : arguments)
        list.push_back(const_cast<char*>(argument.c_str()));
    list.push_back(nullptr);
    m_process = fork();
    if (m_process == 0) {
        dup2(pipe[1], STDOUT_FILENO);
        if (!settings.empty())
            setenv("QUADRIC_SETTINGS", settings.c_str(), 1);
        for (const auto& [name, value] : environment)
            setenv(name.c_str(), value.c_str(), 1);
        execv(list.front(), list.data());
        _exit(127);
    }
    close(pipe[1]);
    m_output = pipe[0];
}

TrainerProcess::~TrainerProcess()
{
    if (!m_status && m_process > 0) {
        kill(m_process, SIGKILL);
        waitpid(m_process, nullptr, 0);
    }
    if (m_output >= 0)
        close(m_output);
}

std::vector<pid_t> TrainerProcess::ranks() const
{
    const std::string id = std::to_string(m_process);
    std::ifstream file("/proc/" + id + "/task/" + id + "/children");
    std::vector<pid_t> processes;
    for (pid_t child = 0; file >> child;)
        processes.push_back(child);
    return processes;
}

void TrainerProcess::signal(int number) const
{
    kill(m_process, number);
}

std::optional<nlohmann::json> TrainerProcess::next(std::chrono::seconds limit)
{
    const Clock::time_point end = Clock::now() + limit;
    for (;;) {
        if (const std::size_t line = m_pending.find('\n'); line != std::string::npos) {
            const std::string text = m_pending.substr(0, line);
            m_pending.erase(0, line + 1);
            const nlohmann::json event = nlohmann::json::parse(text, nullptr, false);
            EXPECT_TRUE(event.is_object()) << "not an event: " << text;
            if (event.is_object())
                return event;
            continue;
        }
        pollfd ready{m_output, POLLIN, 0};
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
        if (left <= 0ms || poll(&ready, 1, static_cast<int>(left.count())) <= 0)
            return std::nullopt;
        std::array<char, 4096> buffer;
        const ssize_t count = read(m_output, buffer.data(), buffer.size());
        if (count <= 0)
            return std::nullopt;
        m_pending.append(buffer.data(), static_cast<std::size_t>(count));
    }
}

std::optional<nlohmann::json> TrainerProcess::waitFor(const std::string& event)
{
    while (const std::optional<nlohmann::json> line = next(60s)) {
        if (line->value("event", "") == event)
            return line;
    }
    return std::nullopt;
}

nlohmann::json TrainerProcess::last()
{
    nlohmann::json event;
    while (const std::optional<nlohmann::json> line = next(60s))
        event = *line;
    return event;
}

std::optional<int> TrainerProcess::wait(std::chrono::seconds limit)
{
    const Clock::time_point end = Clock::now() + limit;
    while (!m_status && Clock::now() < end) {
        int status = 0;
        if (waitpid(m_process, &status, WNOHANG) == m_process)
            m_status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
        else
            std::this_thread::sleep_for(10ms);
    }
    return m_status;
}

std::vector<std::string> twoRanks(const std::string& seconds)
{
    return {"--format",     "json", "--ranks",          "2", "--oversubscribe", "on",
            "--image-size", "16",   "--batch-per-rank", "4", "--max-seconds",   seconds};
}

bool isAlive(pid_t process)
{
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string id, name, state;
    return static_cast<bool>(file >> id >> name >> state) && state != "Z" && state != "X";
}

} // namespace quadric::trainer::testing
