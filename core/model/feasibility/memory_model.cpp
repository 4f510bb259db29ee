// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/feasibility/outcome_model.h"
#include "core/model/process/process.h"
#include "core/study/run_records.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>

namespace quadric::model {

namespace {

constexpr const char* kPeakMemory = "memory_peak_mib";
constexpr double kShareMeasured = 0.8; ///< of the settings that can tell it
constexpr int kFewestMeasured = 5;
constexpr double kLeastDeviation = 0.01; ///< of the log: peaks are never told better than to 1 %

double normalBelow(double z)
{
    return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}

/// Log of the memory (base e) as the runs tell it.
struct Memory {
    Process process;
    Eigen::VectorXd mean, deviation; ///< at the settings of the outcomes, without the run itself

    /// Of a run at a coded point.
    SurfaceValue valueAt(const Eigen::VectorXd& x) const
    {
        const SurfaceValue surface = process.surfaceAt(x);
        return {surface.mean, std::hypot(surface.deviation, process.sigma, kLeastDeviation)};
    }
};

/// `settings`: how many can tell it.
std::optional<Memory> learnMemory(const study::Study& study, const RunOutcomes& outcomes, double settings)
{
    Memory memory{
        fitProcess(study, kPeakMemory, {.transform = study::Transform{study::TransformKind::Log}}), {}, {}};
    if (!memory.process.isOk())
        return std::nullopt;
    int measured = 0;
    memory.mean.resize(outcomes.points.rows());
    memory.deviation.resize(outcomes.points.rows());
    for (Eigen::Index i = 0; i < outcomes.points.rows(); ++i) {
        const Eigen::VectorXd x = outcomes.points.row(i).transpose();
        const auto setting = static_cast<std::size_t>(i);
        const auto run = std::ranges::find_first_of(memory.process.runs, outcomes.runs[setting]);
        if (run == memory.process.runs.end()) {
            const SurfaceValue there = memory.valueAt(x);
            memory.mean[i] = there.mean;
            memory.deviation[i] = there.deviation;
            continue;
        }
        const auto place = static_cast<Eigen::Index>(run - memory.process.runs.begin());
        memory.mean[i] = memory.process.leftOutMean[place];
        memory.deviation[i] = std::hypot(memory.process.leftOutDeviation[place], kLeastDeviation);
        ++measured;
    }
    const bool isEnough = measured >= kFewestMeasured && measured >= kShareMeasured * settings;
    return isEnough ? std::optional(std::move(memory)) : std::nullopt;
}

std::optional<Memory> learnPeaks(const study::Study& study, const RunOutcomes& outcomes)
{
    return learnMemory(study, outcomes, outcomes.countRun());
}

/// Failed runs tell it, too.
std::optional<Memory> learnEstimates(const study::Study& study, const RunOutcomes& outcomes)
{
    return learnMemory(study, outcomes, static_cast<double>(outcomes.size()));
}

/// The study as if what the worker expected were what each run has measured.
study::Study withEstimatesAsPeaks(study::Study study)
{
    for (study::Run& run : study.runs) {
        run.results.erase(kPeakMemory);
        const std::optional<double> estimate = run.provenance.memoryEstimateMib;
        if (!estimate || *estimate <= 0.0)
            continue;
        run.results[kPeakMemory] = *estimate;
        if (study::isFailureOfSettings(run))
            run.status = study::RunStatus::Done;
    }
    return study;
}

/// The study with the memory of a rank in place of that of all ranks; empty where their number is no factor.
std::optional<study::Study> withPeaksPerRank(study::Study study)
{
    const study::Factor* ranks = study::rankFactorOf(study);
    if (ranks == nullptr)
        return std::nullopt;
    for (study::Run& run : study.runs) {
        const auto setting = run.settings.find(ranks->name);
        const double* count = setting == run.settings.end() ? nullptr : std::get_if<double>(&setting->second);
        if (count == nullptr || *count <= 0.0)
            run.results.erase(kPeakMemory);
        else if (const auto peak = run.results.find(kPeakMemory); peak != run.results.end())
            peak->second /= *count;
    }
    return study;
}

/// What becomes of a run that needs this much memory: it fails beyond an unknown limit, which scatters by an
/// unknown amount. Both are averaged over their distribution given the outcomes; before any, each logarithm
/// of the limit up to 2 beyond those of the settings, and each scatter of the grid, is equally likely.
class MemoryLimit {
public:
    MemoryLimit(const Memory& memory, const RunOutcomes& outcomes)
    {
        const Eigen::Index n = outcomes.points.rows();
        const double low = memory.mean.minCoeff() - kBeyond, high = memory.mean.maxCoeff() + kBeyond;
        for (const double scatter : kScatters) {
            for (int i = 0; i < kLimits; ++i)
                m_nodes.push_back({low + (high - low) * i / (kLimits - 1), scatter});
        }
        Eigen::MatrixXd chances(n, std::ssize(m_nodes)); // of what happened
        for (Eigen::Index i = 0; i < n; ++i) {
            const double sign = outcomes.hasRun[static_cast<std::size_t>(i)] ? 1.0 : -1.0;
            for (std::size_t j = 0; j < m_nodes.size(); ++j)
                chances(i, static_cast<Eigen::Index>(j)) =
                    std::max(kLeastChance,
                             normalBelow(sign * m_nodes[j].distance(memory.mean[i], memory.deviation[i])));
        }
        const Eigen::RowVectorXd logarithms = chances.array().log().colwise().sum();
        const Eigen::ArrayXd weights = (logarithms.array() - logarithms.maxCoeff()).exp().transpose();
        m_leftOut.resize(n);
        for (Eigen::Index i = 0; i < n; ++i) { // without a run its chance is missing in the product
            const Eigen::ArrayXd others = weights / chances.row(i).transpose().array();
            const double happened = weights.sum() / others.sum();
            m_leftOut[i] = outcomes.hasRun[static_cast<std::size_t>(i)] ? happened : 1.0 - happened;
        }
        keepLikely(weights / weights.sum());
    }

    /// Of each outcome by all others.
    const Eigen::VectorXd& leftOut() const { return m_leftOut; }

    double probabilityAt(double mean, double deviation) const
    {
        double probability = 0.0;
        for (const Node& node : m_nodes)
            probability += node.weight * normalBelow(node.distance(mean, deviation));
        return probability;
    }

    /// With its interval, for which all nodes are sorted.
    RunProbability at(double mean, double deviation) const
    {
        std::vector<std::pair<double, double>> chances; // and weights
        RunProbability there{0.0, 0.0, 0.0};
        for (const Node& node : m_nodes) {
            chances.emplace_back(normalBelow(node.distance(mean, deviation)), node.weight);
            there.probability += node.weight * chances.back().first;
        }
        std::ranges::sort(chances);
        double below = 0.0;
        for (const auto& [chance, weight] : chances) {
            there.low = below < kTail ? chance : there.low;
            there.high = below <= 1.0 - kTail ? chance : there.high;
            below += weight;
        }
        return there;
    }

private:
    struct Node {
        double limit = 0.0, scatter = 0.0; ///< of the logarithm
        double weight = 0.0;

        double distance(double mean, double deviation) const
        {
            return (limit - mean) / std::sqrt(scatter * scatter + deviation * deviation);
        }
    };

    static constexpr int kLimits = 240;
    static constexpr auto kScatters = std::to_array({0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64});
    static constexpr double kBeyond = 2.0;
    static constexpr double kLeastChance = 1e-12;
    static constexpr double kTail = 0.025;
    static constexpr double kSmallWeight = 1e-5; ///< nodes that weigh less are dropped

    void keepLikely(const Eigen::ArrayXd& weights)
    {
        std::vector<Node> likely;
        double sum = 0.0;
        for (std::size_t j = 0; j < m_nodes.size(); ++j) {
            const double weight = weights[static_cast<Eigen::Index>(j)];
            if (weight < kSmallWeight)
                continue;
            likely.push_back({m_nodes[j].limit, m_nodes[j].scatter, weight});
            sum += weight;
        }
        for (Node& node : likely)
            node.weight /= sum;
        m_nodes = std::move(likely);
    }

    std::vector<Node> m_nodes;
    Eigen::VectorXd m_leftOut;
};

std::optional<OutcomeModel> limitOnMemory(FeasibilityMethod method, std::optional<Memory> memory,
                                          const RunOutcomes& outcomes)
{
    if (!memory)
        return std::nullopt;
    const MemoryLimit limit(*memory, outcomes);
    const auto kept = std::make_shared<const Memory>(*std::move(memory));
    const auto at = [kept, limit](const Eigen::VectorXd& point) {
        const SurfaceValue there = kept->valueAt(point);
        return limit.at(there.mean, there.deviation);
    };
    const auto probabilityAt = [kept, limit](const Eigen::VectorXd& point) {
        const SurfaceValue there = kept->valueAt(point);
        return limit.probabilityAt(there.mean, there.deviation);
    };
    return OutcomeModel{method, at, probabilityAt, limit.leftOut()};
}

} // namespace

std::optional<OutcomeModel> memoryModel(const study::Study& study, const RunOutcomes& outcomes)
{
    return limitOnMemory(FeasibilityMethod::Memory, learnPeaks(study, outcomes), outcomes);
}

std::optional<OutcomeModel> memoryPerRankModel(const study::Study& study, const RunOutcomes& outcomes)
{
    const std::optional<study::Study> ofRanks = withPeaksPerRank(study);
    return ofRanks ? limitOnMemory(FeasibilityMethod::MemoryPerRank, learnPeaks(*ofRanks, outcomes), outcomes)
                   : std::nullopt;
}

std::optional<OutcomeModel> memoryEstimateModel(const study::Study& study, const RunOutcomes& outcomes)
{
    return limitOnMemory(FeasibilityMethod::MemoryEstimate,
                         learnEstimates(withEstimatesAsPeaks(study), outcomes), outcomes);
}

std::optional<OutcomeModel> memoryEstimatePerRankModel(const study::Study& study, const RunOutcomes& outcomes)
{
    const std::optional<study::Study> ofRanks = withPeaksPerRank(withEstimatesAsPeaks(study));
    return ofRanks ? limitOnMemory(FeasibilityMethod::MemoryEstimatePerRank,
                                   learnEstimates(*ofRanks, outcomes), outcomes)
                   : std::nullopt;
}

std::optional<OutcomeModel> memoryLimitModel(const study::Study& study, const RunOutcomes& outcomes)
{
    const double limit = study.benchmark.memoryMib;
    const std::optional<Memory> memory = limit > 0.0 ? learnPeaks(study, outcomes) : std::nullopt;
    if (!memory)
        return std::nullopt;
    const double logLimit = std::log(limit);
    Eigen::VectorXd leftOut(outcomes.points.rows());
    for (Eigen::Index i = 0; i < leftOut.size(); ++i)
        leftOut[i] = normalBelow((logLimit - memory->mean[i]) / memory->deviation[i]);
    const auto at = [memory = *memory, logLimit](const Eigen::VectorXd& x) {
        const SurfaceValue surface = memory.process.surfaceAt(x);
        const double away = logLimit - surface.mean;
        const double half = kNormalLimit * surface.deviation;
        const double noise = std::hypot(memory.process.sigma, kLeastDeviation);
        return RunProbability{normalBelow(away / std::hypot(surface.deviation, noise)),
                              normalBelow((away - half) / noise), normalBelow((away + half) / noise)};
    };
    return OutcomeModel{.method = FeasibilityMethod::MemoryLimit, .at = at, .leftOut = leftOut};
}

} // namespace quadric::model
