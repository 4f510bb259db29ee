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

/// The factor that sets the ranks, or where none does one whose unit is GPUs.
bool countsGpus(const Study& study)
{
    const Factor* ranks = rankFactorOf(study);
    return ranks != nullptr ? hasUnitGpus(*ranks) || hasWord(ranks->name, "gpu")
                            : std::ranges::any_of(study.factors, hasUnitGpus);
}

/// Of the simulation where no setting changes it.
int usualSimulatedNode()
{
    const std::string_view text = workload::findKnob(kNodeKnob)->usual;
    int size = kUsualNode;
    std::from_chars(text.data(), text.data() + text.size(), size);
    return size;
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
    if (countsGpus(study))
        return NodeSize{kUsualNode, "assumed; the fixed setting gpus_per_node says otherwise", true};
    return std::nullopt;
}

std::optional<NodeSize> knownNodeOf(const Study& study, const Factor& factor, const Settings& held)
{
    const Factor* ranks = rankFactorOf(study);
    const bool isVaried = std::ranges::any_of(kNodeSettings, [&](const char* name) {
        return findFactor(study, name) != nullptr && !held.contains(name);
    });
    if (ranks == nullptr || ranks->name != factor.name || isVaried)
        return std::nullopt;
    std::optional<NodeSize> node = nodeSizeOf(study, held);
    return node && !node->isAssumed ? node : std::nullopt;
}

bool leavesIdle(double count, const NodeSize& node)
{
    return count > node.ranks && std::fmod(count, node.ranks) != 0.0;
}

std::vector<double> recommendedValues(const Study& study, const Factor& factor, std::size_t most)
{
    std::vector<double> legal = legalValues(factor, factor.low, factor.high, most);
    const auto node = knownNodeOf(study, factor);
    if (!node)
        return legal;
    std::vector<double> whole = legal;
    std::erase_if(whole, [&node](double count) { return leavesIdle(count, *node); });
    return whole.empty() ? legal : whole;
}

double snapToRecommended(const Study& study, const Factor& factor, double actual)
{
    const double legal = snapToLegal(factor, actual);
    const auto node = knownNodeOf(study, factor);
    if (!node || !leavesIdle(legal, *node))
        return legal;
    const auto distance = [&factor, actual](double value) {
        return std::abs(onScale(factor, value) - onScale(factor, actual));
    };
    const std::vector<double> values = recommendedValues(study, factor);
    return values.empty() ? legal : *std::ranges::min_element(values, {}, distance);
}

} // namespace quadric::study
