// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/process_memory.h"

#include "core/run/process_children.h"

#include <fstream>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>

namespace quadric::run {

namespace {

constexpr double kBytesPerMib = 1048576.0;

double ownPages(const std::string& folder)
{
    std::ifstream file(folder + "/statm");
    double size = 0.0, resident = 0.0, shared = 0.0;
    file >> size >> resident >> shared;
    return file ? resident - shared : 0.0;
}

/// The number behind "name" in a file of lines "name number".
std::optional<std::int64_t> counter(const char* path, const std::string& name)
{
    std::ifstream file(path);
    std::string key;
    for (std::int64_t value = 0; file >> key >> value;) {
        if (key == name)
            return value;
    }
    return std::nullopt;
}

} // namespace

double privateMemoryMib(std::int64_t processId)
{
    std::vector<std::int64_t> processes = {processId};
    double pages = 0.0;
    for (std::size_t i = 0; i < processes.size(); ++i) {
        pages += ownPages("/proc/" + std::to_string(processes[i]));
        const std::vector<std::int64_t> children = childrenOf(processes[i]);
        processes.insert(processes.end(), children.begin(), children.end());
    }
    return pages * static_cast<double>(::sysconf(_SC_PAGESIZE)) / kBytesPerMib;
}

std::int64_t outOfMemoryKills()
{
    if (const auto group = counter("/sys/fs/cgroup/memory.events", "oom_kill"))
        return *group;
    return counter("/proc/vmstat", "oom_kill").value_or(0);
}

} // namespace quadric::run
