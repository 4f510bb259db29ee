// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/devices/inventory.h"

#include <algorithm>

namespace quadric::devices {

namespace {

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

void readGpus(const InventoryOptions& options, Inventory& inventory)
{
    const machine::Nvml nvml(options.nvmlLibrary);
    for (const DeviceIdentity& device : visibleOf(nvml.devices(), options.visibleGpus))
        inventory.gpus.push_back(
            {device.index, device.uuid, device.name, machine::readNodeOfPci(options.root, device.pciBusId)});
    for (const Gpu& one : inventory.gpus) {
        std::vector<GpuLink>& links = inventory.links.emplace_back();
        for (const Gpu& other : inventory.gpus)
            links.push_back(one == other ? GpuLink::NvLink : nvml.link(one.index, other.index));
    }
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
    inventory.cores = machine::readCores(options.root, options.cpus);
    keepWithin(options.mostCpus, inventory.cores);
    return inventory;
}

} // namespace quadric::devices
