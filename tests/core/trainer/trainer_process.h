// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace quadric::trainer::testing {

/// The built quadric-trainer as a child process whose standard output is read line by line.
class TrainerProcess {
public:
    using Environment = std::map<std::string, std::string>;
    explicit TrainerProcess(const std::vector<std::string>& arguments, const std::string& settings = "",
                            const Environment& environment = {});
    ~TrainerProcess();
    TrainerProcess(const TrainerProcess&) = delete;
    TrainerProcess& operator=(const TrainerProcess&) = delete;

    pid_t process() const { return m_process; }
    /// Processes of the ranks that are alive.
    std::vector<pid_t> ranks() const;
    void signal(int number) const;

    /// The next line as JSON; nothing at the end of the output or after the time limit. A line that is not
    /// JSON fails the test and is skipped.
    std::optional<nlohmann::json> next(std::chrono::seconds limit);
    /// Reads until an event of that kind.
    std::optional<nlohmann::json> waitFor(const std::string& event);
    /// The last event of the output.
    nlohmann::json last();
    /// Exit status as a shell reports it; nothing when the process does not end within the limit.
    std::optional<int> wait(std::chrono::seconds limit);

private:
    pid_t m_process = -1;
    int m_output = -1;
    std::string m_pending;
    std::optional<int> m_status;
};

/// The options of a small run of two ranks that share the processors there are.
std::vector<std::string> twoRanks(const std::string& seconds);

/// Whether the process exists and is not a zombie.
bool isAlive(pid_t process);

} // namespace quadric::trainer::testing
