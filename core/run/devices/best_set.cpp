// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/devices/best_set.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

namespace quadric::devices {

namespace {

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

/// Keeps the better of two sets; the first of equals.
void keepBetter(const Links& links, const Places& free, Places candidate, std::optional<Places>& best)
{
    if (!best || connectionOf(links, candidate, free) < connectionOf(links, *best, free))
        best = std::move(candidate);
}

Places bestOfAll(const Links& links, const Places& free, std::size_t count)
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

Places grownFrom(const Links& links, const Places& free, std::size_t count, std::size_t seed)
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

} // namespace

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

Places bestConnected(const Links& links, const Places& free, std::size_t count)
{
    if (count == 0)
        return {};
    if (numberOfSets(free.size(), count) <= kMostSets)
        return bestOfAll(links, free, count);
    std::optional<Places> best;
    for (const std::size_t seed : free)
        keepBetter(links, free, grownFrom(links, free, count, seed), best);
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

} // namespace quadric::devices
