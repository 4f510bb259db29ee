// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/feasibility/feasibility.h"

#include "core/model/feasibility/outcome_model.h"
#include "core/study/run_records.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <mutex>
#include <stdexcept>

namespace quadric::model {

namespace {

/// Coded settings nearer to each other than this are the same setting.
constexpr double kSamePlace = 1e-9;

/// Runs that are done, and those that failed for a reason that repeats (study::isFailureOfSettings()), of
/// every kind; runs whose settings have no coded value are left out. Throws std::invalid_argument for factors
/// that are not sound.
RunOutcomes outcomesOf(const study::Study& study)
{
    const study::Coding coding(study.factors);
    RunOutcomes outcomes;
    std::vector<Eigen::VectorXd> places;
    for (const study::Run& run : study.runs) {
        const bool hasFailed = study::isFailureOfSettings(run);
        if (run.status != study::RunStatus::Done && !hasFailed)
            continue;
        const std::optional<Eigen::VectorXd> place = findPlace(coding, run.settings);
        if (!place)
            continue;
        if (hasFailed)
            ++outcomes.causes[run.failure ? run.failure->kind : ""];
        std::size_t i = 0;
        while (i < places.size() &&
               (outcomes.hasRun[i] == hasFailed || (places[i] - *place).cwiseAbs().maxCoeff() > kSamePlace))
            ++i;
        if (i == places.size()) {
            places.push_back(*place);
            outcomes.hasRun.push_back(!hasFailed);
            outcomes.runs.emplace_back();
        }
        outcomes.runs[i].push_back(run.id);
    }
    outcomes.points.resize(std::ssize(places), coding.size());
    for (std::size_t i = 0; i < places.size(); ++i)
        outcomes.points.row(static_cast<Eigen::Index>(i)) = places[i].transpose();
    return outcomes;
}

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

FeasibilityScore scoreOutcomeModel(const OutcomeModel& model, const RunOutcomes& outcomes)
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

/// Coded settings nearer to the map than this are on it: a slider reaches them.
constexpr double kOnMap = 0.01;

bool isOnMap(const Eigen::VectorXd& x, std::size_t xFactor, std::size_t yFactor, const study::CodedPoint& at)
{
    for (Eigen::Index i = 0; i < x.size(); ++i) {
        const auto factor = static_cast<std::size_t>(i);
        if (factor != xFactor && factor != yFactor && std::abs(x[i] - at[i]) > kOnMap)
            return false;
    }
    return true;
}

double actualOf(const study::Coding& coding, std::size_t factor, const Eigen::VectorXd& x)
{
    const double coded = x[static_cast<Eigen::Index>(factor)];
    return coding.factors()[factor].isNumeric() ? coding.toActual(factor, coded) : coded;
}

} // namespace

std::optional<Eigen::VectorXd> findPlace(const study::Coding& coding, const study::Settings& settings)
{
    try {
        const study::CodedPoint point = coding.toCoded(settings);
        return point.x.allFinite() ? std::optional(point.x) : std::nullopt;
    } catch (const std::invalid_argument&) {
        return std::nullopt;
    }
}

int RunOutcomes::countRun() const
{
    return static_cast<int>(std::ranges::count(hasRun, true));
}

int RunOutcomes::countFailed() const
{
    return static_cast<int>(size()) - countRun();
}

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
        const FeasibilityScore score = scoreOutcomeModel(*model, m_outcomes);
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

study::FeasibleGrid runningGrid(const study::Study& study, const study::MapAxis& x, const study::MapAxis& y,
                                const study::CodedPoint& at)
{
    study::FeasibleGrid grid;
    const std::shared_ptr<const Feasibility> feasibility = feasibilityOf(study);
    if (!feasibility)
        return grid;
    grid.level = kEvenChance;
    grid.value = probabilityGrid(*feasibility, study::Coding(study.factors), x.factor, x.values, y.factor,
                                 y.values, at);
    return grid;
}

study::FeasibleLine runningLine(const study::Study& study, const study::MapAxis& along,
                                const study::CodedPoint& at)
{
    study::FeasibleLine line;
    const std::shared_ptr<const Feasibility> feasibility = feasibilityOf(study);
    if (!feasibility)
        return line;
    line.level = kEvenChance;
    const study::Coding coding(study.factors);
    const bool isNumeric = study.factors[along.factor].isNumeric();
    Eigen::VectorXd point = at.x;
    for (const double value : along.values) {
        point[static_cast<Eigen::Index>(along.factor)] =
            isNumeric ? coding.toCoded(along.factor, value) : value;
        line.value.push_back(feasibility->probabilityAt(point));
    }
    return line;
}

std::vector<FailedPoint> failedPoints(const study::Study& study, std::size_t xFactor, std::size_t yFactor,
                                      const study::CodedPoint& at)
{
    std::vector<FailedPoint> points;
    const study::Coding coding(study.factors);
    for (const study::Run& run : study.runs) {
        if (!study::isFailureOfSettings(run))
            continue;
        const std::optional<Eigen::VectorXd> x = findPlace(coding, run.settings);
        if (x && isOnMap(*x, xFactor, yFactor, at))
            points.push_back({run.id, actualOf(coding, xFactor, *x), actualOf(coding, yFactor, *x),
                              run.failure ? run.failure->kind : std::string()});
    }
    return points;
}

MarkedSurface marked(SurfaceGrid surface, const study::Study& study, std::size_t xFactor, std::size_t yFactor,
                     const study::CodedPoint& at)
{
    MarkedSurface result(std::move(surface));
    if (result.x.empty())
        return result;
    result.running = runningGrid(study, {xFactor, result.x}, {yFactor, result.y}, at);
    result.failed = failedPoints(study, xFactor, yFactor, at);
    return result;
}

} // namespace quadric::model
