// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/processor.h"

#include "core/machine/affinity.h"
#include "core/machine/memory_units.h"
#include "core/machine/proc.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <sstream>
#include <thread>

#include <unistd.h>

namespace quadric::machine {

namespace {

namespace fs = std::filesystem;

/// A line of /proc/meminfo.
double memoryKib(const fs::path& root, const char* key)
{
    return std::strtod(readValue(root / "proc/meminfo", key).c_str(), nullptr);
}

} // namespace

std::string readProcessorName(const fs::path& root)
{
    const fs::path file = root / "proc/cpuinfo";
    const std::string name = readValue(file, "model name");
    const std::string part = readValue(file, "CPU part");
    if (!name.empty() || part.empty())
        return name.empty() ? "unknown" : name;
    return "ARM processor (implementer " + readValue(file, "CPU implementer") + ", part " + part + ")";
}

std::string readHostName()
{
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

int countUsableCores()
{
    const std::size_t cpus = allowedCpus().size();
    return static_cast<int>(cpus > 0 ? cpus : std::max(1U, std::thread::hardware_concurrency()));
}

int limitToQuota(int cores, const fs::path& root)
{
    std::istringstream quota(readSmallFile(root / "sys/fs/cgroup/cpu.max"));
    double time = 0.0, period = 0.0;
    if (!(quota >> time >> period)) // "max" without a limit
        return cores;
    const double allowed = time / std::max(1.0, period);
    return allowed > 0.0 ? std::clamp(static_cast<int>(allowed), 1, cores) : cores;
}

double readMemoryMib(const fs::path& root)
{
    const double total = memoryKib(root, "MemTotal") * kBytesPerKib / kBytesPerMib;
    const double limit = readNumber(root / "sys/fs/cgroup/memory.max").value_or(0.0) / kBytesPerMib;
    return limit > 0.0 && limit < total ? limit : total;
}

std::int64_t readAvailableBytes(const fs::path& root)
{
    return static_cast<std::int64_t>(memoryKib(root, "MemAvailable") * kBytesPerKib);
}

} // namespace quadric::machine
