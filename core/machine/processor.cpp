// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/processor.h"

#include "core/machine/proc.h"
#include "core/machine/units_of_measure.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <map>
#include <sstream>
#include <thread>

#include <sched.h>
#include <unistd.h>

namespace quadric::machine {

namespace {

using Word = unsigned long;

constexpr std::size_t kBitsPerWord = std::numeric_limits<Word>::digits;
constexpr std::size_t kMostCpus = std::size_t{1} << 16;

std::size_t bytesOf(const std::vector<Word>& bits)
{
    return bits.size() * sizeof(Word);
}

/// The kernel refuses a mask that is too small for its processors: a larger one is tried then.
std::vector<Word> ownMask()
{
    for (std::size_t cpus = CPU_SETSIZE; cpus <= kMostCpus; cpus *= 2) {
        std::vector<Word> bits(cpus / kBitsPerWord);
        if (sched_getaffinity(0, bytesOf(bits), reinterpret_cast<cpu_set_t*>(bits.data())) == 0)
            return bits;
        if (errno != EINVAL)
            break;
    }
    return {};
}

/// A number at `at`, which moves behind it; -1 without one.
int takeNumber(std::string_view text, std::size_t& at)
{
    int value = -1;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), value);
    if (error == std::errc())
        at = static_cast<std::size_t>(end - text.data());
    return error == std::errc() ? value : -1;
}

namespace fs = std::filesystem;

/// NUMA node of each processor.
std::map<int, int> readNumaNodes(const fs::path& root)
{
    std::map<int, int> nodes;
    std::error_code missing;
    for (const auto& entry : fs::directory_iterator(root / "sys/devices/system/node", missing)) {
        const std::string name = entry.path().filename().string();
        const std::vector<int> number =
            name.starts_with("node") ? parseCpuList(name.substr(4)) : std::vector<int>();
        if (number.size() != 1)
            continue;
        for (const int cpu : parseCpuList(readSmallFile(entry.path() / "cpulist")))
            nodes[cpu] = number.front();
    }
    return nodes;
}

/// Hardware threads of the core to which the processor belongs, itself among them.
std::vector<int> readHardwareThreads(const fs::path& topology, int cpu)
{
    std::vector<int> siblings = parseCpuList(readSmallFile(topology / "thread_siblings_list"));
    if (std::ranges::find(siblings, cpu) == siblings.end())
        siblings = {cpu};
    return siblings;
}

/// A line of /proc/meminfo.
double memoryKib(const fs::path& root, const char* key)
{
    return std::strtod(readValue(root / "proc/meminfo", key).c_str(), nullptr);
}

} // namespace

std::vector<int> allowedCpus()
{
    const std::vector<Word> bits = ownMask();
    std::vector<int> cpus;
    for (std::size_t cpu = 0; cpu < bits.size() * kBitsPerWord; ++cpu) {
        if ((bits[cpu / kBitsPerWord] >> (cpu % kBitsPerWord) & 1U) != 0)
            cpus.push_back(static_cast<int>(cpu));
    }
    return cpus;
}

CpuMask::CpuMask(const std::vector<int>& cpus)
{
    const int last = cpus.empty() ? 0 : *std::ranges::max_element(cpus);
    m_bits.resize(std::max<std::size_t>(CPU_SETSIZE, static_cast<std::size_t>(last) + 1) / kBitsPerWord + 1);
    for (const int cpu : cpus) {
        const auto bit = static_cast<std::size_t>(cpu);
        m_bits[bit / kBitsPerWord] |= Word{1} << (bit % kBitsPerWord);
    }
}

bool CpuMask::apply() const noexcept
{
    return sched_setaffinity(0, bytesOf(m_bits), reinterpret_cast<const cpu_set_t*>(m_bits.data())) == 0;
}

std::string cpuListText(std::vector<int> cpus)
{
    std::ranges::sort(cpus);
    std::string text;
    for (std::size_t first = 0, next = 0; first < cpus.size(); first = next) {
        for (next = first + 1; next < cpus.size() && cpus[next] == cpus[next - 1] + 1;)
            ++next;
        if (!text.empty())
            text += ',';
        text += std::to_string(cpus[first]);
        if (next - first > 1)
            text.append(1, '-').append(std::to_string(cpus[next - 1]));
    }
    return text;
}

std::vector<int> parseCpuList(std::string_view text)
{
    std::vector<int> cpus;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const int first = takeNumber(text, at);
        if (first < 0)
            break;
        int last = first;
        if (at < text.size() && text[at] == '-')
            last = takeNumber(text, ++at);
        if (last >= static_cast<int>(kMostCpus) || cpus.size() >= kMostCpus)
            break;
        for (int cpu = first; cpu <= last; ++cpu)
            cpus.push_back(cpu);
        if (at < text.size() && text[at] != ',')
            break;
    }
    std::ranges::sort(cpus);
    cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
    return cpus;
}

std::vector<Core> readCores(const fs::path& root, const std::vector<int>& cpus)
{
    const std::map<int, int> nodes = readNumaNodes(root);
    std::map<int, Core> cores; // by the core's lowest processor, allowed or not
    for (const int cpu : cpus) {
        const fs::path topology =
            root / "sys/devices/system/cpu" / ("cpu" + std::to_string(cpu)) / "topology";
        Core& core = cores[std::ranges::min(readHardwareThreads(topology, cpu))];
        core.cpus.push_back(cpu);
        core.node = nodes.contains(cpu) ? nodes.at(cpu) : 0;
        core.package = static_cast<int>(readNumber(topology / "physical_package_id").value_or(0.0));
    }
    std::vector<Core> list;
    list.reserve(cores.size());
    for (const auto& [first, core] : cores)
        list.push_back(core);
    return list;
}

/// Folders in /sys have four digits for the domain.
int readNodeOfPci(const fs::path& root, std::string busId)
{
    constexpr std::size_t kLength = 12; // "0000:3b:00.0"
    if (busId.size() > kLength)
        busId.erase(0, busId.size() - kLength);
    std::ranges::transform(busId, busId.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const auto node =
        busId.empty() ? std::nullopt : readNumber(root / "sys/bus/pci/devices" / busId / "numa_node");
    return static_cast<int>(node.value_or(-1.0));
}

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
