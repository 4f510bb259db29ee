// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/feasibility/firth_logistic.h"
#include "core/model/feasibility/outcome_model.h"
#include "core/model/process/process.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace quadric::model {

namespace {

constexpr const char* kPeakMemory = "memory_peak_mib";
constexpr double kShareMeasured = 0.8; ///< of the settings that ran
constexpr int kFewestMeasured = 5;
constexpr double kLeastDeviation = 0.01; ///< of the log: peaks are never told better than to 1 %

double normalBelow(double z)
{
    return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}

/// Log of the peak memory (base e) as the runs that worked tell it.
struct Memory {
    Process process;
    Eigen::VectorXd mean, deviation; ///< at the settings of the outcomes, without the run itself

    double deviationOfRun(const Eigen::VectorXd& x) const
    {
        return std::hypot(process.deviationAt(x), process.sigma, kLeastDeviation);
    }
};

std::optional<Memory> learnMemory(const study::Study& study, const RunOutcomes& outcomes)
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
            memory.mean[i] = memory.process.meanAt(x);
            memory.deviation[i] = memory.deviationOfRun(x);
            continue;
        }
        const auto place = static_cast<Eigen::Index>(run - memory.process.runs.begin());
        memory.mean[i] = memory.process.leftOutMean[place];
        memory.deviation[i] = std::hypot(memory.process.leftOutDeviation[place], kLeastDeviation);
        ++measured;
    }
    const bool isEnough =
        measured >= kFewestMeasured && measured >= kShareMeasured * static_cast<double>(outcomes.countRun());
    return isEnough ? std::optional(std::move(memory)) : std::nullopt;
}

/// Logistic regression on a covariate that is itself uncertain: the log odds are drawn towards 0 (MacKay
/// 1992).
RunProbability logisticBy(const FirthLogistic& model, double covariate, double deviation)
{
    const Eigen::VectorXd row = Eigen::Vector2d(1.0, covariate);
    const double logOdds = model.beta[0] + model.beta[1] * covariate;
    const double error = std::hypot(model.errorAt(row), model.beta[1] * deviation);
    const double shrunk =
        logOdds / std::sqrt(1.0 + std::numbers::pi / 8.0 * std::pow(model.beta[1] * deviation, 2));
    return {logisticOf(shrunk), logisticOf(logOdds - kNormalLimit * error),
            logisticOf(logOdds + kNormalLimit * error)};
}

} // namespace

std::optional<OutcomeModel> memoryModel(const study::Study& study, const RunOutcomes& outcomes)
{
    const std::optional<Memory> memory = learnMemory(study, outcomes);
    if (!memory)
        return std::nullopt;
    const Eigen::Index n = outcomes.points.rows();
    Eigen::MatrixXd x = Eigen::MatrixXd::Ones(n, 2);
    x.col(1) = memory->mean;
    Eigen::VectorXd y(n);
    for (Eigen::Index i = 0; i < n; ++i)
        y[i] = outcomes.hasRun[static_cast<std::size_t>(i)] ? 1.0 : 0.0;
    const std::optional<FirthLogistic> model = fitFirth(x, y);
    if (!model || model->beta[1] >= 0.0) // more memory never helps
        return std::nullopt;
    Eigen::VectorXd leftOut(n);
    for (Eigen::Index i = 0; i < n; ++i) {
        std::vector<Eigen::Index> others;
        for (Eigen::Index j = 0; j < n; ++j) {
            if (j != i)
                others.push_back(j);
        }
        const std::optional<FirthLogistic> without = fitFirth(x(others, Eigen::all), y(others));
        leftOut[i] = without ? logisticBy(*without, memory->mean[i], memory->deviation[i]).probability : 0.5;
    }
    const auto at = [memory = *memory, model = *model](const Eigen::VectorXd& point) {
        return logisticBy(model, memory.process.meanAt(point), memory.deviationOfRun(point));
    };
    return OutcomeModel{FeasibilityMethod::Memory, at, leftOut};
}

std::optional<OutcomeModel> memoryLimitModel(const study::Study& study, const RunOutcomes& outcomes)
{
    const double limit = study.benchmark.memoryMib;
    const std::optional<Memory> memory = limit > 0.0 ? learnMemory(study, outcomes) : std::nullopt;
    if (!memory)
        return std::nullopt;
    const double logLimit = std::log(limit);
    Eigen::VectorXd leftOut(outcomes.points.rows());
    for (Eigen::Index i = 0; i < leftOut.size(); ++i)
        leftOut[i] = normalBelow((logLimit - memory->mean[i]) / memory->deviation[i]);
    const auto at = [memory = *memory, logLimit](const Eigen::VectorXd& x) {
        const double away = logLimit - memory.process.meanAt(x);
        const double half = kNormalLimit * memory.process.deviationAt(x);
        const double noise = std::hypot(memory.process.sigma, kLeastDeviation);
        return RunProbability{normalBelow(away / memory.deviationOfRun(x)),
                              normalBelow((away - half) / noise), normalBelow((away + half) / noise)};
    };
    return OutcomeModel{FeasibilityMethod::MemoryLimit, at, leftOut};
}

} // namespace quadric::model
