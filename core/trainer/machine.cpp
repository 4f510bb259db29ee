// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/machine.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <thread>

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

namespace quadric::trainer {

namespace {

/// The text after the colon of the first line that starts with `key`, without blanks around it.
std::string valueOf(const char* path, const std::string& key)
{
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        const std::size_t colon = line.find(':');
        if (!line.starts_with(key) || colon == std::string::npos)
            continue;
        const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
        return begin == std::string::npos ? std::string() : line.substr(begin);
    }
    return {};
}

std::string hostName()
{
    std::array<char, 256> name{};
    if (gethostname(name.data(), name.size() - 1) != 0)
        return "unknown";
    return name.data();
}

int usableCores()
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof(set), &set) == 0)
        return CPU_COUNT(&set);
    return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

} // namespace

Machine readMachine()
{
    Machine machine;
    machine.host = hostName();
    machine.cpu = valueOf("/proc/cpuinfo", "model name");
    if (machine.cpu.empty())
        machine.cpu = "unknown";
    machine.limits.cores = usableCores();
    const std::string available = valueOf("/proc/meminfo", "MemAvailable");
    machine.limits.availableBytes = std::strtoll(available.c_str(), nullptr, 10) * 1024;
    return machine;
}

double peakMemoryMib()
{
    rusage own{};
    getrusage(RUSAGE_SELF, &own);
    return static_cast<double>(own.ru_maxrss) / 1024.0;
}

std::string compilerName()
{
#ifdef __clang__
    return "clang " __clang_version__;
#else
    return "gcc " __VERSION__;
#endif
}

} // namespace quadric::trainer
