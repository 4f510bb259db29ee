// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/slurm/submit_error.h"

#include "core/run/cluster/slurm_reason.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <array>

namespace quadric::run {

namespace {

bool contains(std::string_view text, std::string_view part)
{
    return text.find(part) != text.npos;
}

int most(const std::vector<ClusterNode>& nodes, int ClusterNode::*field)
{
    int largest = 0;
    for (const ClusterNode& node : nodes)
        largest = std::max(largest, node.*field);
    return largest;
}

std::string asked(const JobRequest& request)
{
    return "the run asks for " + request.inWords() + ", ";
}

/// A node that the controller does not hear of now: it may come back, and its numbers are those of the
/// configuration.
bool isAway(const ClusterNode& node)
{
    constexpr std::array<std::string_view, 6> starts = {"unknown", "down", "fail", "reboot", "power", "boot"};
    const bool isMarked =
        !node.state.empty() && contains("*~#!%$@^-", node.state.substr(node.state.size() - 1));
    return isMarked || std::ranges::any_of(starts, [&](auto start) { return node.state.starts_with(start); });
}

bool canGive(const ClusterNode& node, const JobRequest& request)
{
    return node.gpus >= request.gpusPerNode && node.cpus >= request.ranksPerNode * request.cpusPerRank;
}

/// How many nodes that could be part of the job are away, where all together would be enough; 0: these nodes
/// can never do it.
std::ptrdiff_t countAwaited(const JobRequest& request, const std::vector<ClusterNode>& all)
{
    const std::vector<ClusterNode> nodes = nodesOf(all, request.partition);
    const auto gives = [&request](const ClusterNode& node) { return canGive(node, request); };
    return std::ranges::count_if(nodes, gives) < request.nodes
               ? 0
               : std::ranges::count_if(nodes, [&](const auto& node) { return gives(node) && isAway(node); });
}

/// Which number of the request the nodes cannot meet.
std::string shortfall(const JobRequest& request, const std::vector<ClusterNode>& all)
{
    const std::vector<ClusterNode> nodes = nodesOf(all, request.partition);
    const std::string where =
        request.partition.empty() ? std::string("the cluster") : "partition " + request.partition;
    const int gpus = most(nodes, &ClusterNode::gpus);
    const int cpus = most(nodes, &ClusterNode::cpus);
    const int cores = request.ranksPerNode * request.cpusPerRank;
    if (nodes.empty())
        return asked(request) + where + " has no nodes";
    if (request.gpusPerNode > gpus)
        return asked(request) + "the largest node of " + where + " has " + text::formatCount(gpus, "GPU") +
               ": set ranks_per_node or gpus_per_rank lower";
    if (cores > cpus)
        return asked(request) + "that is " + text::formatCount(cores, "core") +
               " on a node, the largest node of " + where + " has " + std::to_string(cpus) +
               ": set ranks_per_node or cpus_per_rank lower";
    const auto fitting =
        std::ranges::count_if(nodes, [&](const auto& node) { return canGive(node, request); });
    if (request.nodes > fitting)
        return asked(request) + where + " has " + text::formatCount(fitting, "node") + " of that size";
    if (const auto awaited = countAwaited(request, all); awaited > 0)
        return asked(request) + text::formatCount(awaited, "node") + " of " + where + " that could give it " +
               (awaited == 1 ? "is" : "are") + " unknown, down or not responding";
    return asked(request) + "no nodes of " + where +
           " can give that; benchmark.slurm.options may ask for more than they have";
}

bool mayComeBack(const JobRequest& request, const std::vector<ClusterNode>& nodes)
{
    return nodesOf(nodes, request.partition).empty() || countAwaited(request, nodes) > 0;
}

bool passes(std::string_view text)
{
    constexpr auto words = std::to_array<std::string_view>({
        "Unable to contact slurm controller",
        "Socket timed out",
        "emporarily",
        "Job violates accounting",
        "slurm_persist_conn",
        "Connection refused",
        "Connection reset",
        "Connection timed out",
        "Zero Bytes were transmitted",
        "standby mode",
        "Unexpected message received",
        "Required node not available",
        "not available now",
        "Nodes required for job are DOWN",
        "uthentication",
        "QOSMaxSubmitJobPerUserLimit",
        "MaxSubmitJob",
        "too many jobs",
    });
    return std::any_of(words.begin(), words.end(),
                       [text](std::string_view word) { return contains(text, word); });
}

struct Known {
    std::string_view text;
    std::string_view sentence;
};

/// What sbatch says, and what that means for the one who wrote the study.
constexpr std::array<Known, 11> kSentences = {{
    {"Invalid partition name", "the cluster has no such partition; benchmark.slurm.partition names it, sinfo "
                               "lists those that there are"},
    {"Invalid account", "the cluster does not know this account, or you may not use it; "
                        "benchmark.slurm.account names it"},
    {"Invalid qos", "the cluster does not know this quality of service"},
    {"Node count specification invalid", "the partition does not give so many nodes to a job"},
    {"More processors requested", "the partition does not give so many cores to a job"},
    {"Requested time limit is invalid", "the time limit of the benchmark, and a minute, is longer than the "
                                        "partition allows"},
    {"Invalid generic resource", "the nodes have no GPUs that Slurm knows of, or not of this name; set "
                                 "gpus_per_rank to 0 for a run without"},
    {"Memory specification can not be satisfied", "no node has so much memory"},
    {"Invalid feature", "no node has this feature; benchmark.slurm.options asks for it"},
    {"Invalid node name", "there is no such node; benchmark.slurm.options asks for it"},
    {"User's group not permitted", "you may not use this partition"},
}};

} // namespace

bool concernsNodes(std::string_view standardError)
{
    return contains(standardError, "Requested node configuration is not available") ||
           contains(standardError, "Node count specification invalid") ||
           contains(standardError, "More processors requested");
}

SubmitError submitError(std::string_view standardError, const JobRequest& request,
                        const std::vector<ClusterNode>& nodes)
{
    const std::string words = findReason(standardError);
    std::string meaning;
    if (concernsNodes(standardError) && !nodes.empty())
        meaning = shortfall(request, nodes);
    for (const Known& known : kSentences) {
        if (meaning.empty() && contains(standardError, known.text))
            meaning = known.sentence;
    }
    return {"Slurm refuses the job: " + words + (meaning.empty() ? "" : " – " + meaning),
            passes(standardError) || (concernsNodes(standardError) && mayComeBack(request, nodes))};
}

} // namespace quadric::run
