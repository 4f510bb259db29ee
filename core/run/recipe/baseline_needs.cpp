// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/recipe/baseline_needs.h"

#include "core/run/recipe/recipe.h"
#include "core/study/derived.h"
#include "core/workload/knob_table.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace quadric::run {

namespace {

constexpr const char* kRanks = "ranks";
constexpr int kMostRanks = 1'000'000;

/// The factor that says how many ranks or GPUs a run has; null without one.
const study::Factor* boundToRanks(const study::Study& study)
{
    const auto found = std::find_if(study.factors.begin(), study.factors.end(),
                                    [](const study::Factor& factor) { return factor.binds == kRanks; });
    return found == study.factors.end() ? nullptr : &*found;
}

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
    const auto there = summarizeNodeGpus(cluster, slurm.partition);
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
    double power = 1.0;
    while (power <= high) {
        if (power >= low)
            powers.push_back(power);
        power *= 2.0;
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

constexpr auto kRelated = std::to_array<std::string_view>({kScalingEfficiency, kSpeedUp});

bool isCommand(const study::Study& study)
{
    return study.benchmark.workload == "command";
}

bool isWanted(const study::Study& study, std::string_view result)
{
    return study::findResponse(study, result) != nullptr ||
           std::ranges::any_of(study::derivedResults(study), [&](const study::DerivedResult& derived) {
               const study::Expression expression(derived.expression);
               return std::ranges::find(expression.names(), result) != expression.names().end();
           });
}

double baselineRanks(const study::Study& study)
{
    const auto found = study.fixed.find(kBaselineRanks);
    const double ranks = found == study.fixed.end() ? 1.0 : study::numberOf(found->second);
    return ranks >= 1.0 ? ranks : 1.0;
}

/// The number of ranks of a run; nothing where its setting is none.
std::optional<double> ranksIn(const study::Study& study, const study::Run& run)
{
    const study::Factor* factor = rankFactorOf(study);
    const auto found = factor ? run.settings.find(factor->name) : run.settings.end();
    const double ranks = found == run.settings.end() ? std::nan("") : study::numberOf(found->second);
    return ranks >= 1.0 ? std::optional(ranks) : std::nullopt;
}

/// The half width of a speed, relative to it.
std::optional<double> relativeSpread(const study::Run& run, const std::string& speed)
{
    const auto spread = run.spread.find(speed);
    return spread == run.spread.end() ? std::nullopt : std::optional(spread->second / run.results.at(speed));
}

/// Of the ratio of two independent speeds.
std::optional<double> relativeSpread(const study::Run& run, const study::Run& baseline,
                                     const std::string& speed)
{
    const std::optional<double> own = relativeSpread(run, speed);
    const std::optional<double> of = relativeSpread(baseline, speed);
    if (!own || !of)
        return std::nullopt;
    return std::hypot(*own, *of);
}

void addRelated(const study::Study& study, const char* name, double value, std::optional<double> relative,
                study::Run& run)
{
    if (!isWanted(study, name) || run.results.contains(name))
        return;
    run.results[name] = value;
    if (relative)
        run.spread[name] = value * *relative;
}

/// The settings that the trainer knows, under its own names.
study::Settings trainerSettings(const study::Study& study, const study::Run& run)
{
    study::Settings known;
    for (const auto& [name, value] : workerSettings(study, run)) {
        if (const workload::Knob* knob = workload::findKnob(name))
            known[std::string(knob->name)] = value;
    }
    return known;
}

std::string textOf(const study::Settings& settings, const workload::Knob& knob)
{
    const auto found = settings.find(std::string(knob.name));
    return found == settings.end() ? std::string(knob.usual) : study::toText(found->second);
}

double numberIn(const study::Settings& settings, const workload::Knob& knob)
{
    const auto found = settings.find(std::string(knob.name));
    return found == settings.end() ? std::stod(std::string(knob.usual)) : study::numberOf(found->second);
}

/// With strong scaling one rank does the work of all, one micro-batch of theirs after the other.
std::optional<study::Settings> trainerBaseline(const study::Study& study, const study::Run& run)
{
    using workload::knob;
    const study::Settings all = trainerSettings(study, run);
    const double ranks = numberIn(all, knob("ranks"));
    if (!(ranks > 1.0) || textOf(all, knob("baseline")) == "off" ||
        textOf(all, knob("baseline_rate")) != "none")
        return std::nullopt;
    study::Settings one = all;
    std::erase_if(one, [](const auto& setting) {
        return workload::findKnob(setting.first)->oneRank == workload::OneRank::Ignores;
    });
    one["ranks"] = 1.0;
    one.try_emplace("batch_per_rank", numberIn(all, knob("batch_per_rank")));
    if (textOf(all, knob("scaling")) != "strong")
        return one;
    const double shares = ranks * numberIn(all, knob("aggregation"));
    const double batch = std::floor(numberIn(all, knob("global_batch")) / shares);
    one["aggregation"] = shares;
    one["batch_per_rank"] = batch;
    return batch >= 1.0 ? std::optional(one) : std::nullopt;
}

/// All settings are those of the run but the ranks.
std::optional<study::Settings> commandBaseline(const study::Study& study, const study::Run& run)
{
    const std::optional<double> ranks = ranksIn(study, run);
    if (!ranks || *ranks == baselineRanks(study))
        return std::nullopt;
    study::Settings one = run.settings;
    one[rankFactorOf(study)->name] = baselineRanks(study);
    return one;
}

bool wantsBaselines(const study::Study& study)
{
    using enum study::BaselineMode;
    return asksForBaselines(study) ? study.benchmark.baseline == Shared
                                   : study.benchmark.baseline != Off && computesScaling(study);
}

} // namespace

bool hasSpeed(const study::Run& run, const std::string& speed)
{
    const auto found = run.results.find(speed);
    return found != run.results.end() && std::isfinite(found->second) && found->second > 0.0;
}

std::optional<int> readRankCount(const study::Study& study, const study::Run& run)
{
    const study::Settings settings = workerSettings(study, run);
    const study::Factor* factor = boundToRanks(study);
    auto found = factor ? settings.find(factor->name) : settings.end();
    if (found == settings.end())
        found = settings.find(kRanks);
    if (found == settings.end())
        return std::nullopt;
    const double ranks = study::numberOf(found->second);
    if (!(ranks >= 1.0) || ranks > kMostRanks || ranks != std::floor(ranks))
        throw RecipeError("run " + std::to_string(run.id) + ": " + found->first + " is " +
                          study::toText(found->second) + ", expected a whole number of ranks");
    return static_cast<int>(ranks);
}

int gpusPerRank(const study::Study& study, const study::SlurmOptions& options)
{
    const study::Factor* ranks = boundToRanks(study);
    const bool isForGpus =
        study.benchmark.engine == "cuda" || (ranks != nullptr && study::hasUnitGpus(*ranks));
    return options.gpusPerRank.value_or(isForGpus ? 1 : 0);
}

std::optional<NodeSize> nodeSizeFor(const study::Study& study, const NodesSeen& seen)
{
    const std::optional<NodeSize> said = study::nodeSizeOf(study);
    if (said && isOnSlurm(study))
        return withinNodes(study, *said, seen.cluster);
    const bool isSaid = said && !said->isAssumed;
    return isSaid || seen.gpusHere < 1 ? said : NodeSize{seen.gpusHere, "GPUs of this machine"};
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
    const int inNode = std::max(2, node ? node->ranks : study::kUsualNode);
    study.factors.push_back(parallelFactor(kTensorParallel, inNode));
    study.factors.push_back(parallelFactor(kPipelineParallel, kMostStages));
    study.constraints.push_back(constraint);
    return study;
}

bool asksForBaselines(const study::Study& study)
{
    return study.benchmark.workload == "builtin" && study::findResponse(study, kScalingEfficiency) != nullptr;
}

std::string speedResponse(const study::Study& study)
{
    const auto found = std::ranges::find_if(study.responses, [](const study::Response& response) {
        return std::ranges::find(kRelated, response.name) == kRelated.end() &&
               (response.name.ends_with("_per_sec") || response.unit.ends_with("/s"));
    });
    return found == study.responses.end() ? std::string() : found->name;
}

std::string baselineSpeed(const study::Study& study)
{
    return isCommand(study) ? speedResponse(study) : kBaselineSpeed;
}

bool computesScaling(const study::Study& study)
{
    return isCommand(study) && rankFactorOf(study) && !speedResponse(study).empty() &&
           std::ranges::any_of(kRelated, [&](std::string_view name) { return isWanted(study, name); });
}

bool isScalingResult(const study::Study& study, std::string_view result)
{
    return std::ranges::find(kRelated, result) != kRelated.end() && computesScaling(study);
}

std::map<int, study::Settings> findBaselineNeeds(const study::Study& study)
{
    std::map<int, study::Settings> needs;
    if (!wantsBaselines(study))
        return needs;
    for (const study::Run& run : study.runs) {
        if (auto need = isCommand(study) ? commandBaseline(study, run) : trainerBaseline(study, run))
            needs.emplace(run.id, std::move(*need));
    }
    return needs;
}

study::Run withScaling(const study::Study& study, study::Run run, const study::Run* baseline)
{
    const std::string speed = speedResponse(study);
    const std::optional<double> ranks = ranksIn(study, run);
    if (run.kind == study::RunKind::Baseline || !computesScaling(study) || !ranks || !hasSpeed(run, speed))
        return run;
    if (*ranks == baselineRanks(study)) {
        addRelated(study, kScalingEfficiency, 100.0, 0.0, run);
        addRelated(study, kSpeedUp, 1.0, 0.0, run);
        return run;
    }
    if (!baseline || !hasSpeed(*baseline, speed))
        return run;
    const double speedUp = run.results.at(speed) / baseline->results.at(speed);
    const std::optional<double> relative = relativeSpread(run, *baseline, speed);
    addRelated(study, kScalingEfficiency, 100.0 * speedUp * baselineRanks(study) / *ranks, relative, run);
    addRelated(study, kSpeedUp, speedUp, relative, run);
    return run;
}

} // namespace quadric::run
