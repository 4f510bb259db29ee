// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/machine.h"

#include "core/trainer/cpu_support.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <thread>

#include <sched.h>
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

/// ARM processors tell numbers instead of a name.
std::string cpuName()
{
    const char* path = "/proc/cpuinfo";
    const std::string name = valueOf(path, "model name");
    const std::string part = valueOf(path, "CPU part");
    if (!name.empty() || part.empty())
        return name.empty() ? "unknown" : name;
    return "ARM processor (implementer " + valueOf(path, "CPU implementer") + ", part " + part + ")";
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
    const std::size_t cpus = usableCpus().size();
    return cpus > 0 ? static_cast<int>(cpus)
                    : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

} // namespace

std::set<int> usableCpus()
{
    cpu_set_t mask;
    std::set<int> cpus;
    if (sched_getaffinity(0, sizeof(mask), &mask) != 0)
        return cpus;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (CPU_ISSET(static_cast<std::size_t>(cpu), &mask))
            cpus.insert(cpu);
    }
    return cpus;
}

Machine readMachine()
{
    Machine machine;
    machine.host = hostName();
    machine.cpu = cpuName();
    machine.limits.cores = usableCores();
    const std::string available = valueOf("/proc/meminfo", "MemAvailable");
    const CpuSupport support = readCpuSupport();
    machine.limits.hasBf16 = support.hasBf16;
    machine.limits.whyNoCpu = support.whyNot;
    machine.limits.availableBytes = std::strtoll(available.c_str(), nullptr, 10) * 1024;
    return machine;
}

double peakMemoryMib()
{
    const std::string peak = valueOf("/proc/self/status", "VmHWM");
    return static_cast<double>(std::strtoll(peak.c_str(), nullptr, 10)) / 1024.0;
}

void resetPeakMemory()
{
    std::ofstream("/proc/self/clear_refs") << "5";
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
