// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/devices/allocator.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace quadric::devices {

namespace {

Places allOf(std::size_t count)
{
    Places places(count);
    std::iota(places.begin(), places.end(), std::size_t{0});
    return places;
}

void remove(Places& from, const Places& taken)
{
    std::erase_if(from, [&taken](std::size_t place) { return std::ranges::binary_search(taken, place); });
}

void add(Places& to, const Places& returned)
{
    to.insert(to.end(), returned.begin(), returned.end());
    std::ranges::sort(to);
}

std::set<int> nodesOf(const Inventory& inventory, const Places& gpus)
{
    std::set<int> nodes;
    for (const std::size_t place : gpus) {
        if (inventory.gpus[place].node >= 0)
            nodes.insert(inventory.gpus[place].node);
    }
    return nodes;
}

} // namespace

Allocator::Allocator(Inventory inventory)
    : m_inventory(std::move(inventory))
    , m_freeGpus(allOf(m_inventory.gpus.size()))
    , m_freeCores(allOf(m_inventory.cores.size()))
{
}

bool Allocator::needsEverything(const Need& need) const
{
    const auto reaches = [](int needed, std::size_t all) {
        return needed > 0 && static_cast<std::size_t>(needed) >= all;
    };
    return reaches(need.gpus, m_inventory.gpus.size()) || reaches(need.cores, m_inventory.cores.size());
}

std::optional<Allocation> Allocator::takeEverything()
{
    if (m_users > 0)
        return std::nullopt;
    m_users = 1;
    m_isTakenWhole = true;
    return Allocation{std::exchange(m_freeGpus, {}), std::exchange(m_freeCores, {}), true};
}

std::optional<Allocation> Allocator::take(const Need& need)
{
    if (needsEverything(need))
        return takeEverything();
    const auto gpus = static_cast<std::size_t>(need.gpus);
    const auto cores = static_cast<std::size_t>(need.cores);
    if (m_isTakenWhole || gpus > m_freeGpus.size() || cores > m_freeCores.size())
        return std::nullopt;
    Allocation allocation;
    allocation.gpus = bestConnected(m_inventory.links, m_freeGpus, gpus);
    allocation.cores =
        mostCompact(m_inventory.cores, m_freeCores, cores, nodesOf(m_inventory, allocation.gpus));
    remove(m_freeGpus, allocation.gpus);
    remove(m_freeCores, allocation.cores);
    ++m_users;
    return allocation;
}

void Allocator::giveBack(const Allocation& allocation)
{
    add(m_freeGpus, allocation.gpus);
    add(m_freeCores, allocation.cores);
    m_isTakenWhole = m_isTakenWhole && !allocation.isWholeMachine;
    --m_users;
}

} // namespace quadric::devices
