// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/node_size.h"

#include "core/workload/knob_table.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

namespace quadric::study {

namespace {

constexpr const char* kNodeKnob = "ranks_per_node"; ///< of the built-in simulation, too
constexpr std::array<const char*, 2> kNodeSettings = {kNodeKnob, "gpus_per_node"};
constexpr int kUsualNode = 8; ///< GPUs
constexpr double kMost = 1e6;

bool hasWord(std::string text, std::string_view word)
{
    std::ranges::transform(text, text.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text.find(word) != std::string::npos;
}

const Value* findSetting(const Study& study, const Settings& settings, const char* name)
{
    for (const Settings* each : {&settings, &study.fixed}) {
        if (const auto found = each->find(name); found != each->end())
            return &found->second;
    }
    return nullptr;
}

/// A whole number from 1; empty for everything else.
std::optional<int> countOf(const Value& value)
{
    const double number = numberOf(value);
    const bool isCount = number >= 1.0 && number <= kMost && number == std::floor(number);
    return isCount ? std::optional(static_cast<int>(number)) : std::nullopt;
}

bool isSimulated(const Study& study)
{
    const Value* engine = findSetting(study, {}, "engine");
    return study.benchmark.workload == "builtin" &&
           (study.benchmark.engine == "simulated" || (engine != nullptr && toText(*engine) == "simulated"));
}

/// Of the simulation where no setting changes it.
int usualSimulatedNode()
{
    const std::string_view text = workload::findKnob(kNodeKnob)->usual;
    int size = kUsualNode;
    std::from_chars(text.data(), text.data() + text.size(), size);
    return size;
}

/// The nearest counts on both sides that fill nodes, in the factor's range.
std::vector<int> wholeCountsNear(const Factor& factor, int count, int size)
{
    const auto isLegal = [&factor](double value) {
        return value >= factor.low && value <= factor.high && snapToLegal(factor, value) == value;
    };
    std::vector<int> counts;
    for (const int step : {-size, size}) {
        int whole = count / size * size + (step > 0 ? size : 0);
        while (whole > 0 && whole >= factor.low && whole <= factor.high && !isLegal(whole))
            whole += step;
        if (whole > 0 && isLegal(whole))
            counts.push_back(whole);
    }
    return counts;
}

} // namespace

bool hasUnitGpus(const Factor& factor)
{
    return hasWord(factor.unit, "gpu");
}

std::optional<NodeSize> nodeSizeOf(const Study& study, const Settings& settings)
{
    if (study.benchmark.launcher == LauncherKind::Slurm)
        return NodeSize{study.benchmark.slurm.ranksPerNode, "ranks per node of the Slurm jobs"};
    for (const char* name : kNodeSettings) {
        const Value* value = findSetting(study, settings, name);
        if (const auto size = value != nullptr ? countOf(*value) : std::nullopt)
            return NodeSize{*size, std::string("setting ") + name};
    }
    if (isSimulated(study))
        return NodeSize{usualSimulatedNode(), "nodes of the simulation"};
    return std::nullopt;
}

std::optional<NodeSize> likelyNodeSize(const Study& study, const Factor& factor, const Settings& settings)
{
    if (const auto said = nodeSizeOf(study, settings))
        return said;
    if (!hasUnitGpus(factor) && !hasWord(factor.name, "gpu"))
        return std::nullopt;
    return NodeSize{kUsualNode, "assumed; the fixed setting gpus_per_node says otherwise"};
}

bool leavesIdle(int count, const NodeSize& node)
{
    return count > node.ranks && count % node.ranks != 0;
}

std::optional<IdleRanks> idleRanksAt(const Study& study, const Settings& settings)
{
    const Factor* factor = rankFactorOf(study);
    const auto value = factor != nullptr ? settings.find(factor->name) : settings.end();
    const auto count = value != settings.end() ? countOf(value->second) : std::nullopt;
    const auto node = count ? likelyNodeSize(study, *factor, settings) : std::nullopt;
    if (!node || !leavesIdle(*count, *node))
        return std::nullopt;
    return IdleRanks{factor->name, *count, *count / node->ranks + 1, *node,
                     wholeCountsNear(*factor, *count, node->ranks)};
}

} // namespace quadric::study
