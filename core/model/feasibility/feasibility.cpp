// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/feasibility/feasibility.h"

#include "core/model/feasibility/outcome_model.h"
#include "core/study/outcome.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <mutex>
#include <stdexcept>

namespace quadric::model {

namespace {

constexpr double kSamePoint = 1e-9;      ///< coded
constexpr double kSmallestChance = 1e-3; ///< one surprise does not decide between methods

constexpr std::array<std::string_view, 8> kMethodNames{"none",
                                                       "logistic",
                                                       "process",
                                                       "memory",
                                                       "memory-per-rank",
                                                       "memory-limit",
                                                       "memory-estimate",
                                                       "memory-estimate-per-rank"};

FeasibilityScore scoreOf(const OutcomeModel& model, const RunOutcomes& outcomes)
{
    FeasibilityScore score{model.method};
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        const double p = model.leftOut[static_cast<Eigen::Index>(i)];
        const double chance = outcomes.hasRun[i] ? p : 1.0 - p;
        score.logScore += std::log(std::max(chance, kSmallestChance));
        score.brier += (1.0 - chance) * (1.0 - chance);
    }
    score.logScore /= static_cast<double>(outcomes.size());
    score.brier /= static_cast<double>(outcomes.size());
    return score;
}

/// Everything that a Feasibility is computed from.
struct FeasibilityKey {
    std::vector<study::Factor> factors;
    double memoryMib = 0.0;
    std::vector<std::pair<bool, study::Settings>> runs;
    std::vector<double> memory;
    std::vector<std::optional<double>> estimates;

    explicit FeasibilityKey(const study::Study& study)
        : factors(study.factors)
        , memoryMib(study.benchmark.memoryMib)
    {
        for (const study::Run& run : study.runs) {
            const bool hasFailed = study::isFailureOfSettings(run);
            if (run.status != study::RunStatus::Done && !hasFailed)
                continue;
            runs.emplace_back(hasFailed, run.settings);
            const auto peak = run.results.find("memory_peak_mib");
            memory.push_back(peak == run.results.end() ? -1.0 : peak->second);
            estimates.push_back(run.provenance.memoryEstimateMib);
        }
    }
    bool operator==(const FeasibilityKey&) const = default;
};

} // namespace

std::string_view nameOf(FeasibilityMethod method)
{
    return kMethodNames[static_cast<std::size_t>(method)];
}

bool isOfMemory(FeasibilityMethod method)
{
    return method != FeasibilityMethod::None && method != FeasibilityMethod::Logistic &&
           method != FeasibilityMethod::Process;
}

Feasibility::Feasibility(const study::Study& study)
    : m_outcomes(outcomesOf(study))
{
    if (!hasFailures())
        return;
    double best = -std::numeric_limits<double>::infinity();
    for (const auto make : {&logisticModel, &processModel, &memoryModel, &memoryPerRankModel,
                            &memoryLimitModel, &memoryEstimateModel, &memoryEstimatePerRankModel}) {
        std::optional<OutcomeModel> model = make(study, m_outcomes);
        if (!model)
            continue;
        const FeasibilityScore score = scoreOf(*model, m_outcomes);
        m_scores.push_back(score);
        if (score.logScore <= best)
            continue;
        best = score.logScore;
        m_model = std::move(model->at);
        m_probability = std::move(model->probabilityAt);
    }
    std::ranges::stable_sort(m_scores, std::ranges::greater{}, &FeasibilityScore::logScore);
}

RunProbability Feasibility::at(const Eigen::VectorXd& x) const
{
    if (isKnownToFail(x))
        return {0.0, 0.0, 0.0};
    return m_model ? m_model(x) : RunProbability{};
}

double Feasibility::probabilityAt(const Eigen::VectorXd& x) const
{
    if (isKnownToFail(x))
        return 0.0;
    return m_probability ? m_probability(x) : at(x).probability;
}

bool Feasibility::isSeen(const Eigen::VectorXd& x, bool hasRun) const
{
    for (std::size_t i = 0; i < m_outcomes.size(); ++i) {
        if (m_outcomes.hasRun[i] == hasRun &&
            (m_outcomes.points.row(static_cast<Eigen::Index>(i)).transpose() - x).cwiseAbs().maxCoeff() <=
                kSamePoint)
            return true;
    }
    return false;
}

bool Feasibility::isKnownToRun(const Eigen::VectorXd& x) const
{
    return isSeen(x, true);
}

bool Feasibility::isKnownToFail(const Eigen::VectorXd& x) const
{
    return isSeen(x, false) && !isSeen(x, true);
}

std::vector<int> Feasibility::failedRunsAt(const Eigen::VectorXd& x) const
{
    for (std::size_t i = 0; i < m_outcomes.size(); ++i) {
        if (!m_outcomes.hasRun[i] &&
            (m_outcomes.points.row(static_cast<Eigen::Index>(i)).transpose() - x).cwiseAbs().maxCoeff() <=
                kSamePoint)
            return m_outcomes.runs[i];
    }
    return {};
}

std::shared_ptr<const Feasibility> feasibilityOf(const study::Study& study)
{
    static std::mutex mutex;
    static std::optional<FeasibilityKey> known;
    static std::shared_ptr<const Feasibility> result;
    if (std::ranges::none_of(study.runs, study::isFailureOfSettings))
        return nullptr;
    FeasibilityKey key(study);
    const std::scoped_lock lock(mutex);
    if (known == key)
        return result;
    try {
        result = std::make_shared<const Feasibility>(study);
    } catch (const std::invalid_argument&) {
        result = nullptr;
    }
    if (result && !result->hasFailures())
        result = nullptr;
    known = std::move(key);
    return result;
}

Eigen::MatrixXd probabilityGrid(const Feasibility& feasibility, const study::Coding& coding,
                                std::size_t xFactor, const std::vector<double>& x, std::size_t yFactor,
                                const std::vector<double>& y, const study::CodedPoint& at)
{
    Eigen::MatrixXd grid(std::ssize(x), std::ssize(y));
    Eigen::VectorXd point = at.x;
    for (std::size_t i = 0; i < x.size(); ++i) {
        point[static_cast<Eigen::Index>(xFactor)] = coding.toCoded(xFactor, x[i]);
        for (std::size_t j = 0; j < y.size(); ++j) {
            point[static_cast<Eigen::Index>(yFactor)] = coding.toCoded(yFactor, y[j]);
            grid(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
                feasibility.probabilityAt(point);
        }
    }
    return grid;
}

} // namespace quadric::model
