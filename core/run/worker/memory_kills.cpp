// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/worker/memory_kills.h"

#include <fstream>
#include <optional>
#include <string>

namespace quadric::run {

namespace {

namespace fs = std::filesystem;

/// The number behind "oom_kill" in a file of lines "name number".
std::optional<std::int64_t> killsIn(const fs::path& path)
{
    std::ifstream file(path);
    std::string key;
    for (std::int64_t value = 0; file >> key >> value;) {
        if (key == "oom_kill")
            return value;
    }
    return std::nullopt;
}

/// The file that counts for a line "number:controllers:/path" of /proc/self/cgroup; empty when none does.
fs::path fileOf(const std::string& line, const fs::path& root)
{
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == line.npos || second == line.npos)
        return {};
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const fs::path group = fs::path(line.substr(second + 1)).relative_path();
    if (controllers == ",,")
        return root / "sys/fs/cgroup" / group / "memory.events";
    if (controllers.find(",memory,") != controllers.npos)
        return root / "sys/fs/cgroup/memory" / group / "memory.oom_control";
    return {};
}

fs::path groupFile(const fs::path& root)
{
    std::ifstream file(root / "proc/self/cgroup");
    for (std::string line; std::getline(file, line);) {
        fs::path counts = fileOf(line, root);
        if (!counts.empty() && killsIn(counts))
            return counts;
    }
    return {};
}

} // namespace

MemoryKillCounter::MemoryKillCounter(const std::filesystem::path& root)
    : m_machineFile(root / "proc/vmstat")
    , m_groupFile(groupFile(root))
    , m_onMachine(killsIn(m_machineFile).value_or(0))
    , m_inGroup(killsIn(m_groupFile).value_or(0))
{
}

MemoryKills MemoryKillCounter::sinceThen() const
{
    if (!m_groupFile.empty() && killsIn(m_groupFile).value_or(0) > m_inGroup)
        return MemoryKills::InGroup;
    return killsIn(m_machineFile).value_or(0) > m_onMachine ? MemoryKills::OnMachine : MemoryKills::None;
}

} // namespace quadric::run
