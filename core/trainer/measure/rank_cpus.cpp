// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/measure/rank_cpus.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <span>

namespace quadric::trainer {

namespace {

using machine::Core;

bool haveSeveralNodes(const std::vector<Core>& cores)
{
    return std::ranges::any_of(cores, [&](const Core& core) { return core.node != cores.front().node; });
}

std::vector<int> cpusOf(std::span<const Core> cores)
{
    std::vector<int> cpus;
    for (const Core& core : cores)
        cpus.insert(cpus.end(), core.cpus.begin(), core.cpus.end());
    return cpus;
}

/// Part `index` of `parts` of nearly equal size, in order.
template <typename Item>
std::span<const Item> part(const std::vector<Item>& all, std::size_t index, std::size_t parts)
{
    const std::size_t begin = index * all.size() / parts;
    return std::span(all).subspan(begin, (index + 1) * all.size() / parts - begin);
}

} // namespace

RankCpus shareOfCores(const Workload& workload, std::vector<Core> cores, bool userBinds)
{
    std::ranges::stable_sort(cores, {}, &Core::node);
    const std::vector<int> cpus = cpusOf(cores);
    const auto ranks = static_cast<std::size_t>(workload.ranks);
    const auto threads = static_cast<std::size_t>(workload.threadsPerRank);
    if (ranks * threads > cpus.size() || (!userBinds && !haveSeveralNodes(cores)))
        return {};
    RankCpus shares;
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        const std::span<const int> some = part(cpus, rank, ranks);
        shares.push_back(ranks * threads <= cores.size() ? cpusOf(part(cores, rank, ranks))
                                                         : std::vector<int>(some.begin(), some.end()));
    }
    return shares;
}

RankCpus coresBesideGpus(int ranks, const std::vector<int>& nodesOfGpus, const std::vector<Core>& cores)
{
    if (nodesOfGpus.empty() || !haveSeveralNodes(cores))
        return {};
    RankCpus shares;
    for (std::size_t rank = 0; rank < static_cast<std::size_t>(ranks); ++rank) {
        const int node = nodesOfGpus[rank % nodesOfGpus.size()];
        std::vector<Core> near;
        std::ranges::copy_if(cores, std::back_inserter(near),
                             [node](const Core& core) { return core.node == node; });
        shares.push_back(cpusOf(near.empty() ? cores : near));
    }
    return shares;
}

bool userBindsThreads()
{
    return std::getenv("OMP_PROC_BIND") != nullptr || std::getenv("OMP_PLACES") != nullptr;
}

} // namespace quadric::trainer
