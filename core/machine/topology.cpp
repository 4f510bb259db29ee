// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/topology.h"

#include "core/machine/affinity.h"
#include "core/machine/proc.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace quadric::machine {

namespace {

namespace fs = std::filesystem;

/// NUMA node of each processor.
std::map<int, int> nodesOf(const fs::path& root)
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
std::vector<int> siblingsOf(const fs::path& topology, int cpu)
{
    std::vector<int> siblings = parseCpuList(readSmallFile(topology / "thread_siblings_list"));
    if (std::ranges::find(siblings, cpu) == siblings.end())
        siblings = {cpu};
    return siblings;
}

} // namespace

std::vector<Core> readCores(const fs::path& root, const std::vector<int>& cpus)
{
    const std::map<int, int> nodes = nodesOf(root);
    std::map<int, Core> cores; // by the core's lowest processor, allowed or not
    for (const int cpu : cpus) {
        const fs::path topology =
            root / "sys/devices/system/cpu" / ("cpu" + std::to_string(cpu)) / "topology";
        Core& core = cores[std::ranges::min(siblingsOf(topology, cpu))];
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

} // namespace quadric::machine
