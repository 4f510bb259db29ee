// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/proc.h"

#include "core/machine/units_of_measure.h"

#include <charconv>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <set>
#include <sstream>

#include <unistd.h>

namespace quadric::machine {

namespace {

namespace fs = std::filesystem;

double ticksPerSecond()
{
    return static_cast<double>(sysconf(_SC_CLK_TCK));
}

fs::path processFolder(const fs::path& root, int pid)
{
    return root / "proc" / std::to_string(pid);
}

/// utime, stime, cutime and cstime: fields 14 to 17 of /proc/PID/stat. The name before them may hold
/// anything, so that fields are counted behind its last bracket.
double parseCpuTicks(const std::string& stat)
{
    constexpr int kFieldsBetween = 11; // from the state, field 3, to field 13
    const std::size_t bracket = stat.rfind(')');
    if (bracket == stat.npos)
        return 0.0;
    std::istringstream text(stat.substr(bracket + 1));
    std::string skipped;
    for (int i = 0; i < kFieldsBetween; ++i)
        text >> skipped;
    double user = 0, system = 0, childUser = 0, childSystem = 0;
    return text >> user >> system >> childUser >> childSystem ? user + system + childUser + childSystem : 0.0;
}

/// A line "cpu3 user nice …" of /proc/stat; nothing where its label is not wanted.
std::optional<CpuTimes> parseCpuTimes(const std::string& line, const std::set<std::string>& wanted)
{
    std::istringstream text(line);
    std::string label;
    double user = 0, nice = 0, system = 0, idle = 0, waiting = 0, interrupts = 0, soft = 0, steal = 0;
    if (!(text >> label) || !wanted.contains(label) ||
        !(text >> user >> nice >> system >> idle >> waiting >> interrupts >> soft >> steal))
        return std::nullopt;
    const double busy = user + nice + system + interrupts + soft;
    const double ticks = ticksPerSecond();
    return CpuTimes{busy / ticks, (busy + idle + waiting + steal) / ticks, steal / ticks};
}

/// Of /proc/PID/statm, in MiB.
struct ResidentMemory {
    double all = 0.0;
    double ofFiles = 0.0; ///< and shared memory
};

ResidentMemory readResident(const fs::path& process)
{
    const double pageMib = static_cast<double>(sysconf(_SC_PAGESIZE)) / kBytesPerMib;
    std::ifstream file(process / "statm");
    double size = 0.0, resident = 0.0, shared = 0.0;
    if (!(file >> size >> resident >> shared))
        return {};
    return {resident * pageMib, shared * pageMib};
}

/// The sum of these lines "Key:  12 kB"; nothing where one of them is missing.
std::optional<double> sumMib(const std::string& text, std::initializer_list<std::string_view> keys)
{
    double kib = 0.0;
    for (const std::string_view key : keys) {
        const std::size_t line = text.find('\n' + std::string(key) + ':');
        if (line == text.npos)
            return std::nullopt;
        kib += std::strtod(text.c_str() + line + key.size() + 2, nullptr);
    }
    return kib * kBytesPerKib / kBytesPerMib;
}

double shareMib(const fs::path& process)
{
    const std::string rollup = readSmallFile(process / "smaps_rollup");
    if (const auto share = sumMib(rollup, {"Pss_Anon", "Pss_Shmem"})) // from Linux 5.4 on
        return *share;
    if (const auto own = sumMib(rollup, {"Private_Dirty"}))
        return *own;
    const ResidentMemory resident = readResident(process);
    return resident.all - resident.ofFiles;
}

/// The process that a folder of /proc tells of; 0: none.
int processNumber(const fs::path& folder)
{
    const std::string name = folder.filename().string();
    int pid = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
    return error == std::errc() && end == name.data() + name.size() ? pid : 0;
}

} // namespace

CpuTimes operator+(const CpuTimes& one, const CpuTimes& other)
{
    return {one.busySeconds + other.busySeconds, one.totalSeconds + other.totalSeconds,
            one.stealSeconds + other.stealSeconds};
}

CpuTimes operator-(const CpuTimes& after, const CpuTimes& before)
{
    return {after.busySeconds - before.busySeconds, after.totalSeconds - before.totalSeconds,
            after.stealSeconds - before.stealSeconds};
}

std::string readSmallFile(const fs::path& path)
{
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::optional<double> readNumber(const fs::path& path)
{
    std::ifstream file(path);
    double value = 0.0;
    return file >> value ? std::optional(value) : std::nullopt;
}

std::optional<CpuTimes> readCpuTimes(const fs::path& root, const std::vector<int>& cpus)
{
    std::set<std::string> wanted;
    for (const int cpu : cpus)
        wanted.insert("cpu" + std::to_string(cpu));
    if (wanted.empty())
        wanted.insert("cpu"); // the sum of all
    std::ifstream file(root / "proc/stat");
    std::optional<CpuTimes> sum;
    for (std::string line; std::getline(file, line) && line.starts_with("cpu");) {
        if (const auto times = parseCpuTimes(line, wanted))
            sum = sum ? *sum + *times : *times;
    }
    return sum;
}

double readLoad(const fs::path& root)
{
    return readNumber(root / "proc/loadavg").value_or(0.0);
}

std::vector<int> childrenOf(const fs::path& root, int pid)
{
    std::vector<int> children;
    std::error_code gone;
    fs::directory_iterator thread(processFolder(root, pid) / "task", gone);
    for (; !gone && thread != fs::directory_iterator(); thread.increment(gone)) {
        std::istringstream text(readSmallFile(thread->path() / "children"));
        for (int child = 0; text >> child;)
            children.push_back(child);
    }
    return children;
}

std::vector<int> processTree(const fs::path& root, int pid)
{
    std::vector<int> tree = {pid};
    for (std::size_t next = 0; next < tree.size(); ++next) {
        for (const int child : childrenOf(root, tree[next]))
            tree.push_back(child);
    }
    return tree;
}

double processSeconds(const fs::path& root, const std::vector<int>& pids)
{
    double ticks = 0.0;
    for (const int pid : pids)
        ticks += parseCpuTicks(readSmallFile(processFolder(root, pid) / "stat"));
    return ticks / ticksPerSecond();
}

double residentMemoryMib(const fs::path& root, const std::vector<int>& pids)
{
    double sum = 0.0;
    for (const int pid : pids)
        sum += readResident(processFolder(root, pid)).all;
    return sum;
}

double proportionalMemoryMib(const fs::path& root, const std::vector<int>& pids)
{
    double sum = 0.0;
    for (const int pid : pids)
        sum += shareMib(processFolder(root, pid));
    return sum;
}

double peakMemoryMib()
{
    return std::strtod(readValue("/proc/self/status", "VmHWM").c_str(), nullptr) * kBytesPerKib /
           kBytesPerMib;
}

void resetPeakMemory()
{
    std::ofstream("/proc/self/clear_refs") << "5";
}

std::string processName(const fs::path& root, int pid)
{
    std::string name = readSmallFile(processFolder(root, pid) / "comm");
    while (!name.empty() && name.back() == '\n')
        name.pop_back();
    return name;
}

std::string readValue(const fs::path& path, const std::string& key)
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

std::vector<int> processesOfJob(const fs::path& root, const std::string& job)
{
    const std::string title = "slurmstepd: [" + job + '.';
    std::vector<int> processes;
    std::error_code gone;
    for (const auto& entry : fs::directory_iterator(root / "proc", gone)) {
        const int pid = processNumber(entry.path());
        if (pid == 0 || !machine::readSmallFile(entry.path() / "cmdline").starts_with(title))
            continue;
        const std::vector<int> tree = machine::processTree(root, pid);
        processes.insert(processes.end(), tree.begin(), tree.end());
    }
    return processes;
}

} // namespace quadric::machine
