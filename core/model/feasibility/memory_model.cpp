// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/base/distributions.h"
#include "core/model/feasibility/outcome_model.h"
#include "core/model/predict/predict.h"
#include "core/study/run_records.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>

namespace quadric::model {

namespace {

constexpr const char* kPeakMemory = "memory_peak_mib";
constexpr const char* kOutOfMemory = "out-of-memory";
constexpr double kShareTold = 0.8; ///< of the runs that can tell it
constexpr int kFewestTold = 5;
constexpr double kLeastDeviation = 0.01; ///< of the log: memory is never told better than to 1 %

double peakOf(const study::Run& run)
{
    const auto peak = run.results.find(kPeakMemory);
    return run.status == study::RunStatus::Done && peak != run.results.end() ? peak->second : 0.0;
}

double estimateOf(const study::Run& run)
{
    return run.provenance.memoryEstimateMib.value_or(0.0);
}

/// Number of ranks that share the memory of a run; each has a limit of its own.
double ranksOf(const study::Run& run, const study::Factor* ranks)
{
    const auto setting = ranks != nullptr ? run.settings.find(ranks->name) : run.settings.end();
    return setting != run.settings.end() ? std::max(1.0, study::numberOf(setting->second)) : 1.0;
}

/// Log of the memory (base e) that a rank needs.
class Memory {
public:
    /// Memory of a run, 0 where it is not told; `failedTell`: also by runs that failed. Empty where too few
    /// runs tell it.
    static std::optional<Memory> learn(study::Study study, double (*memoryOf)(const study::Run&),
                                       bool failedTell)
    {
        const study::Factor* ranks = study::rankFactorOf(study);
        int told = 0;
        int all = 0;
        for (study::Run& run : study.runs) {
            const double memory = memoryOf(run);
            run.results.clear();
            if (run.status != study::RunStatus::Done && !(failedTell && study::isFailureOfSettings(run)))
                continue;
            ++all;
            if (!(memory > 0.0))
                continue;
            ++told;
            run.status = study::RunStatus::Done;
            run.kind = study::RunKind::Design; // a confirmation tells memory as well as others
            run.block = 1;
            run.results[kPeakMemory] = memory / ranksOf(run, ranks);
        }
        if (told < kFewestTold || told < kShareTold * all)
            return std::nullopt;
        Memory learned;
        study.responses = {{.name = kPeakMemory, .transform = {study::TransformKind::Log}}};
        learned.m_fit = fitResponse(study, kPeakMemory, {.model = "auto"});
        if (!learned.m_fit.isOk() || learned.m_fit.dfResidual < kFewestLeft)
            return std::nullopt;
        const Fit& fit = learned.m_fit;
        if (fit.press && fit.sigma > 0.0)
            learned.m_wider = std::max(1.0, std::sqrt(*fit.press / fit.n) / fit.sigma);
        return learned;
    }

    /// Mean and standard deviation of a new run's.
    std::pair<double, double> at(const Eigen::VectorXd& x) const
    {
        const NewRun run = predictNewRun(m_fit, study::CodedPoint(x));
        const double df = m_fit.dfResidual;
        return {run.location, std::hypot(m_wider * run.scale * std::sqrt(df / (df - 2.0)), kLeastDeviation)};
    }

private:
    static constexpr int kFewestLeft = 3; ///< degrees of freedom: with fewer, t has no variance

    Fit m_fit;
    double m_wider = 1.0; ///< errors at runs left out over those that the chosen model admits
};

/// What becomes of a run that needs this much memory: it fails beyond an unknown limit, which scatters by an
/// unknown amount. Both are averaged over their distribution given the outcomes; before any, each logarithm
/// of the limit up to 2 beyond those of the settings, and each scatter of the grid, is equally likely. A
/// limit that the study sets is likelier than all others together, but it need not be that of what the runs
/// fill.
class MemoryLimit {
public:
    MemoryLimit(const Memory& memory, const RunOutcomes& outcomes, double limitOfStudy)
    {
        std::vector<std::pair<double, double>> needs;
        for (Eigen::Index i = 0; i < outcomes.points.rows(); ++i)
            needs.push_back(memory.at(outcomes.points.row(i).transpose()));
        const auto [smallest, largest] = std::ranges::minmax(needs);
        const double low = smallest.first - kBeyond, high = largest.first + kBeyond;
        for (const double scatter : kScatters) {
            for (int i = 0; i < kLimits; ++i) {
                Node node{low + (high - low) * i / (kLimits - 1), scatter};
                if (limitOfStudy > 0.0)
                    node.weight = std::log1p(kOddsOfLimit * (high - low) *
                                             densityAt(node.limit - std::log(limitOfStudy)));
                for (std::size_t j = 0; j < needs.size(); ++j) {
                    const double sign = outcomes.hasRun[j] ? 1.0 : -1.0;
                    const double chance = normalBelow(sign * node.distance(needs[j].first, needs[j].second));
                    node.weight += std::log(std::max(kLeastChance, chance));
                }
                m_nodes.push_back(node);
            }
        }
        keepLikely();
    }

    /// Its interval is that of a new run's memory.
    RunProbability at(double mean, double deviation) const
    {
        const double half = kNormalLimit * deviation;
        RunProbability sum{0.0, 0.0, 0.0};
        for (const Node& node : m_nodes) {
            sum.probability += node.weight * normalBelow(node.distance(mean, deviation));
            sum.low += node.weight * normalBelow(node.distance(mean + half, 0.0));
            sum.high += node.weight * normalBelow(node.distance(mean - half, 0.0));
        }
        return sum;
    }

private:
    struct Node {
        double limit = 0.0, scatter = 0.0; ///< of the logarithm
        double weight = 0.0;               ///< its logarithm until all are known

        double distance(double mean, double deviation) const
        {
            return (limit - mean) / std::sqrt(scatter * scatter + deviation * deviation);
        }
    };

    /// Of the log of the limit that the study sets, about itself.
    static double densityAt(double away)
    {
        const double z = away / kErrorOfLimit;
        return std::exp(-0.5 * z * z) / (kErrorOfLimit * std::sqrt(2.0 * std::numbers::pi));
    }

    static constexpr int kLimits = 240;
    static constexpr auto kScatters = std::to_array({0.01, 0.04, 0.16, 0.64});
    static constexpr double kBeyond = 2.0;
    static constexpr double kErrorOfLimit = 0.05; ///< of its logarithm
    static constexpr double kOddsOfLimit = 9.0;   ///< against all others
    static constexpr double kLeastChance = 1e-12;
    static constexpr double kSmallWeight = 1e-4; ///< of the largest; nodes that weigh less are dropped

    void keepLikely()
    {
        const double largest = std::ranges::max(m_nodes, {}, &Node::weight).weight;
        for (Node& node : m_nodes)
            node.weight = std::exp(node.weight - largest);
        std::erase_if(m_nodes, [](const Node& node) { return node.weight < kSmallWeight; });
        double sum = 0.0;
        for (const Node& node : m_nodes)
            sum += node.weight;
        for (Node& node : m_nodes)
            node.weight /= sum;
    }

    std::vector<Node> m_nodes;
};

} // namespace

std::optional<OutcomeModel> memoryModel(const study::Study& study, const RunOutcomes& outcomes)
{
    const bool isOfMemory =
        std::ranges::all_of(outcomes.causes, [](const auto& cause) { return cause.first == kOutOfMemory; });
    std::optional<Memory> memory = isOfMemory ? Memory::learn(study, peakOf, false) : std::nullopt;
    if (isOfMemory && !memory)
        memory = Memory::learn(study, estimateOf, true);
    if (!memory)
        return std::nullopt;
    const MemoryLimit limit(*memory, outcomes, study.benchmark.memoryMib);
    const auto kept = std::make_shared<const std::pair<Memory, MemoryLimit>>(*std::move(memory), limit);
    return [kept](const Eigen::VectorXd& point) {
        const auto [mean, deviation] = kept->first.at(point);
        return kept->second.at(mean, deviation);
    };
}

} // namespace quadric::model
