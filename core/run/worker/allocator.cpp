// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/worker/allocator.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace quadric::devices {

namespace {

using machine::DeviceIdentity;

std::vector<DeviceIdentity> filterVisibleDevices(const std::vector<DeviceIdentity>& all,
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
    for (const DeviceIdentity& device : filterVisibleDevices(nvml.devices(), options.visibleGpus))
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

using Links = std::vector<std::vector<GpuLink>>;

constexpr double kMostSets = 20'000;
constexpr std::size_t kMostNodes = 12; ///< of which all subsets are looked at

double numberOfSets(std::size_t of, std::size_t count)
{
    double sets = 1.0;
    for (std::size_t i = 0; i < count; ++i)
        sets *= static_cast<double>(of - i) / static_cast<double>(i + 1);
    return sets;
}

/// Moves on to the next of the ascending choices of positions below `of`; false after the last.
bool advance(std::vector<std::size_t>& choice, std::size_t of)
{
    const std::size_t count = choice.size();
    std::size_t i = count;
    while (i > 0 && choice[i - 1] == of - count + i - 1)
        --i;
    if (i == 0)
        return false;
    std::iota(choice.begin() + static_cast<std::ptrdiff_t>(i) - 1, choice.end(), choice[i - 1] + 1);
    return true;
}

Connection connectionOf(const Links& links, const Places& chosen, const Places& free)
{
    Connection connection;
    for (const std::size_t a : chosen) {
        for (const std::size_t b : free) {
            const bool isInside = std::ranges::binary_search(chosen, b);
            const int distance = static_cast<int>(links[a][b]);
            if (!isInside) {
                connection.separated -= distance;
            } else if (a < b) {
                connection.worst = std::max(connection.worst, links[a][b]);
                connection.sum += distance;
            }
        }
    }
    return connection;
}

/// Keeps the better of two sets; the first of equals.
void keepBetter(const Links& links, const Places& free, Places candidate, std::optional<Places>& best)
{
    if (!best || connectionOf(links, candidate, free) < connectionOf(links, *best, free))
        best = std::move(candidate);
}

Places searchAllSubsets(const Links& links, const Places& free, std::size_t count)
{
    std::vector<std::size_t> choice(count);
    std::iota(choice.begin(), choice.end(), std::size_t{0});
    std::optional<Places> best;
    do {
        Places chosen;
        for (const std::size_t position : choice)
            chosen.push_back(free[position]);
        keepBetter(links, free, std::move(chosen), best);
    } while (advance(choice, free.size()));
    return *best;
}

Places growFromSeed(const Links& links, const Places& free, std::size_t count, std::size_t seed)
{
    Places chosen = {seed};
    while (chosen.size() < count) {
        std::optional<Places> best;
        for (const std::size_t next : free) {
            if (std::ranges::find(chosen, next) != chosen.end())
                continue;
            Places grown = chosen;
            grown.insert(std::ranges::lower_bound(grown, next), next);
            keepBetter(links, free, std::move(grown), best);
        }
        chosen = *best;
    }
    return chosen;
}

/// Free cores by node.
std::map<int, Places> byNode(const std::vector<Core>& cores, const Places& free)
{
    std::map<int, Places> nodes;
    for (const std::size_t place : free)
        nodes[cores[place].node].push_back(place);
    return nodes;
}

struct Node {
    int number = 0;
    int package = 0;
    Places free = {};
};

Compactness compactnessOf(const std::vector<const Node*>& nodes, std::size_t count,
                          const std::set<int>& wanted)
{
    Compactness compactness{.nodes = static_cast<int>(nodes.size()), .unused = -static_cast<int>(count)};
    std::set<int> packages;
    for (const Node* node : nodes) {
        packages.insert(node->package);
        compactness.unused += static_cast<int>(node->free.size());
        compactness.strangers += wanted.empty() || wanted.contains(node->number) ? 0 : 1;
    }
    compactness.packages = static_cast<int>(packages.size());
    return compactness;
}

std::vector<const Node*> subset(const std::vector<Node>& nodes, std::size_t bits)
{
    std::vector<const Node*> chosen;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if ((bits >> i & 1U) != 0)
            chosen.push_back(&nodes[i]);
    }
    return chosen;
}

std::vector<const Node*> bestNodes(const std::vector<Node>& nodes, std::size_t count,
                                   const std::set<int>& wanted)
{
    std::vector<const Node*> best;
    std::optional<Compactness> least;
    for (std::size_t bits = 1; bits < std::size_t{1} << nodes.size(); ++bits) {
        const std::vector<const Node*> chosen = subset(nodes, bits);
        const Compactness compactness = compactnessOf(chosen, count, wanted);
        if (compactness.unused >= 0 && (!least || compactness < *least)) {
            least = compactness;
            best = chosen;
        }
    }
    return best;
}

std::vector<const Node*> largestNodes(const std::vector<Node>& nodes)
{
    std::vector<const Node*> list(nodes.size());
    std::ranges::transform(nodes, list.begin(), [](const Node& node) { return &node; });
    std::ranges::stable_sort(list, std::ranges::greater{},
                             [](const Node* node) { return node->free.size(); });
    return list;
}

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

Inventory readInventory(const InventoryOptions& options)
{
    Inventory inventory;
    readGpus(options, inventory);
    inventory.cores = machine::readCores(options.root, options.cpus);
    keepWithin(options.mostCpus, inventory.cores);
    return inventory;
}

Places bestConnected(const Links& links, const Places& free, std::size_t count)
{
    if (count == 0)
        return {};
    if (numberOfSets(free.size(), count) <= kMostSets)
        return searchAllSubsets(links, free, count);
    std::optional<Places> best;
    for (const std::size_t seed : free)
        keepBetter(links, free, growFromSeed(links, free, count, seed), best);
    return *best;
}

Places mostCompact(const std::vector<Core>& cores, const Places& free, std::size_t count,
                   const std::set<int>& wanted)
{
    std::vector<Node> nodes;
    for (auto& [number, places] : byNode(cores, free))
        nodes.push_back({number, cores[places.front()].package, places});
    Places chosen;
    for (const Node* node :
         nodes.size() <= kMostNodes ? bestNodes(nodes, count, wanted) : largestNodes(nodes)) {
        for (std::size_t i = 0; i < node->free.size() && chosen.size() < count; ++i)
            chosen.push_back(node->free[i]);
    }
    std::ranges::sort(chosen);
    return chosen;
}

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

std::optional<Allocation> Allocator::allocateEverything()
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
        return allocateEverything();
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

void Allocator::returnAllocation(const Allocation& allocation)
{
    add(m_freeGpus, allocation.gpus);
    add(m_freeCores, allocation.cores);
    m_isTakenWhole = m_isTakenWhole && !allocation.isWholeMachine;
    --m_users;
}

} // namespace quadric::devices
