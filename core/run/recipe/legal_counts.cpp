// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/recipe/legal_counts.h"

#include "core/run/recipe/ranks.h"

#include <algorithm>
#include <cmath>

namespace quadric::run {

namespace {

constexpr int kUsualNode = 8;     ///< GPUs, where nothing is known
constexpr int kMostStages = 8;    ///< of a pipeline
constexpr std::size_t kShown = 4; ///< values that a title lists, before the last one

bool isOnSlurm(const study::Study& study)
{
    return study.benchmark.launcher == study::LauncherKind::Slurm;
}

/// The ranks of a node that the jobs ask for, or as many as its GPUs are enough for.
NodeSize withinNodes(const study::Study& study, NodeSize asked, const std::vector<ClusterNode>& cluster)
{
    const study::SlurmOptions& slurm = study.benchmark.slurm;
    const auto there = gpusOfNodes(cluster, slurm.partition);
    const int ofRank = gpusPerRank(study, slurm);
    if (!there || ofRank < 1)
        return asked;
    const int most = std::max(1, there->gpus / ofRank);
    const std::string uses = most > asked.ranks ? "; the jobs use " + std::to_string(asked.ranks) : "";
    return {std::min(asked.ranks, most), there->words + uses};
}

std::string inCounts(const study::Factor& factor)
{
    const std::vector<double> values = study::legalValues(factor, factor.low, factor.high);
    std::string text;
    for (std::size_t i = 0; i < std::min(values.size(), kShown); ++i)
        text += (text.empty() ? "" : ", ") + study::toText(values[i]);
    if (values.size() > kShown)
        text += (values.size() > kShown + 1 ? ", … " : ", ") + study::toText(values.back());
    return text;
}

std::vector<double> powersOfTwo(double low, double high)
{
    std::vector<double> powers;
    for (double power = 1.0; power <= high; power *= 2.0) {
        if (power >= low)
            powers.push_back(power);
    }
    return powers;
}

std::optional<CountProposal> wholeNodes(const study::Factor& ranks, const NodeSize& node)
{
    CountProposal proposal{.factor = ranks};
    study::Factor& factor = proposal.factor;
    factor.type = study::FactorType::Integer;
    factor.levels.clear();
    factor.multipleOf = node.ranks;
    factor.low = std::ceil(ranks.low / node.ranks) * node.ranks;
    factor.high = std::floor(ranks.high / node.ranks) * node.ranks;
    if (node.ranks < 2 || !(factor.high > factor.low))
        return std::nullopt;
    proposal.title = "Multiples of " + std::to_string(node.ranks) + ": " + inCounts(factor);
    proposal.reason = "A node has " + std::to_string(node.ranks) + " (" + node.source +
                      "): other counts leave part of a node idle, and their last node is slower to reach.";
    return proposal;
}

std::optional<CountProposal> powers(const study::Factor& ranks)
{
    CountProposal proposal{.factor = ranks};
    study::Factor& factor = proposal.factor;
    factor.type = study::FactorType::Discrete;
    factor.multipleOf = 1;
    factor.levels = powersOfTwo(ranks.low, ranks.high);
    if (factor.levels.size() < 2)
        return std::nullopt;
    factor.low = factor.levels.front();
    factor.high = factor.levels.back();
    factor.scale = study::Scale::Log2;
    proposal.title = "Powers of two: " + inCounts(factor);
    proposal.reason = "They fill nodes of 2, 4 or 8 and halve evenly into tensor, pipeline and data parallel "
                      "groups; on a log2 scale the steps are even.";
    return proposal;
}

/// Jobs with more ranks on a node than it has GPUs for would be refused.
void takeNode(int ranks, CountProposal& proposal)
{
    proposal.ranksPerNode = ranks;
    proposal.reason += " The jobs get " + std::to_string(ranks) + " ranks per node.";
}

study::Factor parallelFactor(const char* name, int most)
{
    study::Factor factor{.name = name, .type = study::FactorType::Discrete, .scale = study::Scale::Log2};
    factor.levels = powersOfTwo(1.0, most);
    factor.low = 1.0;
    factor.high = factor.levels.back();
    return factor;
}

} // namespace

std::optional<NodeSize> nodeSizeFor(const study::Study& study, const NodesSeen& seen)
{
    const std::optional<NodeSize> said = study::nodeSizeOf(study);
    if (said)
        return isOnSlurm(study) ? withinNodes(study, *said, seen.cluster) : said;
    return seen.gpusHere > 0 ? std::optional(NodeSize{seen.gpusHere, "GPUs of this machine"}) : std::nullopt;
}

std::vector<CountProposal> proposeCounts(const study::Study& study, const std::optional<NodeSize>& node)
{
    const study::Factor* ranks = study::rankFactorOf(study);
    std::vector<CountProposal> proposals;
    if (ranks == nullptr)
        return proposals;
    if (const auto whole = node ? wholeNodes(*ranks, *node) : std::nullopt)
        proposals.push_back(*whole);
    if (const auto halving = powers(*ranks))
        proposals.push_back(*halving);
    for (CountProposal& proposal : proposals) {
        if (isOnSlurm(study) && node && node->ranks < study.benchmark.slurm.ranksPerNode)
            takeNode(node->ranks, proposal);
    }
    return proposals;
}

study::Study withCounts(study::Study study, const CountProposal& proposal)
{
    const auto same = std::ranges::find(study.factors, proposal.factor.name, &study::Factor::name);
    if (same != study.factors.end())
        *same = proposal.factor;
    if (proposal.ranksPerNode)
        study.benchmark.slurm.ranksPerNode = *proposal.ranksPerNode;
    return study;
}

study::Study withParallelism(study::Study study, const std::optional<NodeSize>& node)
{
    const study::Factor* ranks = study::rankFactorOf(study);
    if (ranks == nullptr || study::findFactor(study, kTensorParallel) != nullptr ||
        study::findFactor(study, kPipelineParallel) != nullptr)
        return study;
    const std::string product = std::string(kTensorParallel) + " * " + kPipelineParallel;
    const std::string constraint = ranks->name + " % (" + product + ") == 0";
    const int inNode = std::max(2, node ? node->ranks : kUsualNode);
    study.factors.push_back(parallelFactor(kTensorParallel, inNode));
    study.factors.push_back(parallelFactor(kPipelineParallel, kMostStages));
    study.constraints.push_back(constraint);
    return study;
}

} // namespace quadric::run
