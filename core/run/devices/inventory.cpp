// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/devices/inventory.h"

#include "core/machine/affinity.h"
#include "core/machine/proc.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace quadric::devices {

namespace {

namespace fs = std::filesystem;
using machine::DeviceIdentity;

std::vector<DeviceIdentity> visibleOf(const std::vector<DeviceIdentity>& all,
                                      const std::optional<std::string>& variable)
{
    const auto find = [&all](const std::string& entry) {
        const auto found = std::ranges::find_if(all, [&entry](const DeviceIdentity& device) {
            return machine::isMeant(entry, device.index, device.uuid);
        });
        return found == all.end() ? std::nullopt : std::optional(*found);
    };
    return variable ? machine::findVisible<DeviceIdentity>(*variable, find) : all;
}

/// NUMA node of a PCI device, whose folder in /sys has four digits for the domain; -1 where it is not told.
int nodeOfPci(const fs::path& root, std::string busId)
{
    constexpr std::size_t kLength = 12; // "0000:3b:00.0"
    if (busId.size() > kLength)
        busId.erase(0, busId.size() - kLength);
    std::ranges::transform(busId, busId.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const auto node = busId.empty() ? std::nullopt
                                    : machine::readNumber(root / "sys/bus/pci/devices" / busId / "numa_node");
    return static_cast<int>(node.value_or(-1.0));
}

void readGpus(const InventoryOptions& options, Inventory& inventory)
{
    const machine::Nvml nvml(options.nvmlLibrary);
    for (const DeviceIdentity& device : visibleOf(nvml.devices(), options.visibleGpus))
        inventory.gpus.push_back(
            {device.index, device.uuid, device.name, nodeOfPci(options.root, device.pciBusId)});
    for (const Gpu& one : inventory.gpus) {
        std::vector<GpuLink>& links = inventory.links.emplace_back();
        for (const Gpu& other : inventory.gpus)
            links.push_back(one == other ? GpuLink::NvLink : nvml.link(one.index, other.index));
    }
}

/// NUMA node of each processor.
std::map<int, int> nodesOf(const fs::path& root)
{
    std::map<int, int> nodes;
    std::error_code missing;
    for (const auto& entry : fs::directory_iterator(root / "sys/devices/system/node", missing)) {
        const std::string name = entry.path().filename().string();
        const std::vector<int> number =
            name.starts_with("node") ? machine::parseCpuList(name.substr(4)) : std::vector<int>();
        if (number.size() != 1)
            continue;
        for (const int cpu : machine::parseCpuList(machine::readSmallFile(entry.path() / "cpulist")))
            nodes[cpu] = number.front();
    }
    return nodes;
}

/// Hardware threads of the core to which the processor belongs, itself among them.
std::vector<int> siblingsOf(const fs::path& topology, int cpu)
{
    std::vector<int> siblings =
        machine::parseCpuList(machine::readSmallFile(topology / "thread_siblings_list"));
    if (std::ranges::find(siblings, cpu) == siblings.end())
        siblings = {cpu};
    return siblings;
}

std::vector<Core> readCores(const InventoryOptions& options)
{
    const std::map<int, int> nodes = nodesOf(options.root);
    std::map<int, Core> cores; // by the core's lowest processor, allowed or not
    for (const int cpu : options.cpus) {
        const fs::path topology =
            options.root / "sys/devices/system/cpu" / ("cpu" + std::to_string(cpu)) / "topology";
        Core& core = cores[std::ranges::min(siblingsOf(topology, cpu))];
        core.cpus.push_back(cpu);
        core.node = nodes.contains(cpu) ? nodes.at(cpu) : 0;
        core.package = static_cast<int>(machine::readNumber(topology / "physical_package_id").value_or(0.0));
    }
    std::vector<Core> list;
    list.reserve(cores.size());
    for (const auto& [first, core] : cores)
        list.push_back(core);
    return list;
}

/// Always at least one core.
void keepWithin(std::size_t mostCpus, std::vector<Core>& cores)
{
    std::size_t cpus = 0;
    std::size_t kept = 0;
    while (kept < cores.size() && (kept == 0 || cpus + cores[kept].cpus.size() <= mostCpus))
        cpus += cores[kept++].cpus.size();
    cores.resize(kept);
}

} // namespace

Inventory readInventory(const InventoryOptions& options)
{
    Inventory inventory;
    readGpus(options, inventory);
    inventory.cores = readCores(options);
    keepWithin(options.mostCpus, inventory.cores);
    return inventory;
}

} // namespace quadric::devices
