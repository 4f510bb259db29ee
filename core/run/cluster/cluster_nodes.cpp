// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/cluster/cluster_nodes.h"

#include "core/run/cluster/number_from.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <set>
#include <sstream>

namespace quadric::run {

namespace {

std::vector<std::string> split(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);)
        parts.push_back(part);
    return parts;
}

bool isListed(const std::string& partition, const std::string& list)
{
    return ("," + list + ",").find("," + partition + ",") != std::string::npos;
}

/// The partition that jobs go to which name none; empty where no line marks one.
std::string defaultPartition(const std::vector<ClusterNode>& nodes)
{
    const auto marked = std::ranges::find(nodes, true, &ClusterNode::isInDefault);
    return marked == nodes.end() ? std::string() : marked->partition;
}

std::string inWords(const std::map<int, int>& nodesByGpus)
{
    std::vector<std::string> sizes;
    for (const auto& [gpus, nodes] : nodesByGpus)
        sizes.push_back(text::formatCount(nodes, "node") + " of " + std::to_string(gpus));
    return text::formatList(sizes) + (nodesByGpus.rbegin()->first == 1 ? " GPU" : " GPUs");
}

} // namespace

int gpusIn(std::string_view resources)
{
    constexpr std::int64_t kMost = 1'000'000;
    std::int64_t count = 0;
    for (const std::string& resource : split(std::string(resources), ',')) {
        const std::string bare = resource.substr(0, resource.find('('));
        std::string name = bare.substr(0, bare.find(':'));
        std::ranges::transform(name, name.begin(),
                               [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        if (name != "gpu")
            continue;
        const std::size_t colon = bare.rfind(':');
        count += colon == bare.npos ? 1 : numberFrom(std::string_view(bare).substr(colon + 1));
    }
    return static_cast<int>(std::min(count, kMost));
}

std::vector<ClusterNode> clusterNodesFrom(std::string_view answer)
{
    constexpr std::size_t kFewest = 4, kMost = 5;
    std::vector<ClusterNode> nodes;
    for (const std::string& line : split(std::string(answer), '\n')) {
        std::vector<std::string> fields = split(line, '|');
        if (fields.size() < kFewest || fields.size() > kMost)
            continue;
        fields.resize(kMost);
        const bool isInDefault = fields[3].ends_with('*');
        if (isInDefault)
            fields[3].pop_back();
        nodes.push_back(
            {fields[0], numberFrom(fields[1]), gpusIn(fields[2]), fields[3], fields[4], isInDefault});
    }
    return nodes;
}

std::vector<ClusterNode> nodesOf(const std::vector<ClusterNode>& nodes, const std::string& partition)
{
    std::set<std::string> seen;
    std::vector<ClusterNode> chosen;
    for (const ClusterNode& node : nodes) {
        const bool isAsked = partition.empty() || isListed(node.partition, partition);
        if (isAsked && seen.insert(node.name).second)
            chosen.push_back(node);
    }
    return chosen;
}

std::optional<NodeGpus> gpusOfNodes(const std::vector<ClusterNode>& nodes, std::string partition)
{
    if (partition.empty())
        partition = defaultPartition(nodes);
    std::map<int, int> nodesByGpus;
    for (const ClusterNode& node : nodesOf(nodes, partition)) {
        if (node.gpus > 0)
            ++nodesByGpus[node.gpus];
    }
    if (nodesByGpus.empty())
        return std::nullopt;
    const auto most = std::ranges::max_element(nodesByGpus, {}, &std::pair<const int, int>::second);
    return NodeGpus{most->first, "sinfo: " + (partition.empty() ? "the cluster" : "partition " + partition) +
                                     " has " + inWords(nodesByGpus)};
}

} // namespace quadric::run
