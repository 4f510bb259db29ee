// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/worker/placement.h"

#include "core/machine/affinity.h"
#include "core/run/recipe/recipe.h"

#include <algorithm>

namespace quadric::run {

namespace {

/// What CUDA_VISIBLE_DEVICES calls the GPU.
QString nameOf(const devices::Gpu& gpu)
{
    return gpu.uuid.empty() ? QString::number(gpu.index) : QString::fromStdString(gpu.uuid);
}

} // namespace

Placement placementOf(const devices::Allocation& allocation, const devices::Inventory& inventory)
{
    Placement placement;
    for (const std::size_t place : allocation.gpus)
        placement.gpus.push_back(inventory.gpus[place]);
    for (const std::size_t place : allocation.cores) {
        const std::vector<int>& cpus = inventory.cores[place].cpus;
        placement.cpus.insert(placement.cpus.end(), cpus.begin(), cpus.end());
    }
    std::ranges::sort(placement.cpus);
    placement.isConfined = !allocation.isWholeMachine;
    return placement;
}

void confine(Launch& launch, const Placement& placement)
{
    if (!placement.isConfined)
        return;
    launch.cpus = placement.cpus;
    QStringList names;
    for (const devices::Gpu& gpu : placement.gpus)
        names << nameOf(gpu);
    if (!names.isEmpty())
        launch.environment.insert(QStringLiteral("CUDA_VISIBLE_DEVICES"), names.join(QLatin1Char(',')));
}

void note(const Placement& placement, study::Provenance& provenance)
{
    for (const devices::Gpu& gpu : placement.gpus)
        provenance.devices.push_back({gpu.index, gpu.uuid, gpu.name});
    if (!placement.cpus.empty())
        provenance.cpus = machine::cpuListText(placement.cpus);
}

} // namespace quadric::run
