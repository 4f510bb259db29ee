// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/feasibility/feasibility.h"

#include "core/model/feasibility/outcome_model.h"
#include "core/study/run_records.h"

#include <algorithm>
#include <cmath>
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

/// Probabilities along one factor from a point.
std::vector<double> probabilitiesAlong(const Feasibility& feasibility, const study::Coding& coding,
                                       const study::MapAxis& along, Eigen::VectorXd point)
{
    const bool isNumeric = coding.factors()[along.factor].isNumeric();
    std::vector<double> probabilities;
    for (const double value : along.values) {
        point[static_cast<Eigen::Index>(along.factor)] =
            isNumeric ? coding.toCoded(along.factor, value) : value;
        probabilities.push_back(feasibility.probabilityAt(point));
    }
    return probabilities;
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

bool RunOutcomes::isAt(std::size_t outcome, const Eigen::VectorXd& x) const
{
    Eigen::Index i = 0; // most settings differ in the first factor
    while (i < x.size() && std::abs(points(static_cast<Eigen::Index>(outcome), i) - x[i]) <= kSamePlace)
        ++i;
    return i == x.size();
}

std::string_view nameOf(FeasibilityMethod method)
{
    return method == FeasibilityMethod::Memory ? "memory" : "logistic";
}

Feasibility::Feasibility(const study::Study& study)
    : m_outcomes(outcomesOf(study))
{
    if (!hasFailures())
        return;
    const std::optional<OutcomeModel> memory = memoryModel(study, m_outcomes);
    m_method = memory ? FeasibilityMethod::Memory : FeasibilityMethod::Logistic;
    m_model = memory ? *memory : logisticModel(study, m_outcomes);
}

RunProbability Feasibility::at(const Eigen::VectorXd& x) const
{
    if (isKnownToFail(x))
        return {0.0, 0.0, 0.0};
    return m_model ? m_model(x) : RunProbability{};
}

std::optional<std::size_t> Feasibility::findOutcome(const Eigen::VectorXd& x, bool hasRun) const
{
    for (std::size_t i = 0; i < m_outcomes.size(); ++i) {
        if (m_outcomes.hasRun[i] == hasRun && m_outcomes.isAt(i, x))
            return i;
    }
    return std::nullopt;
}

std::vector<int> Feasibility::failedRunsAt(const Eigen::VectorXd& x) const
{
    const std::optional<std::size_t> outcome = findOutcome(x, false);
    return outcome ? m_outcomes.runs[*outcome] : std::vector<int>();
}

std::shared_ptr<const Feasibility> feasibilityOf(const study::Study& study)
{
    static std::mutex mutex;
    static std::vector<study::Factor> factors; // of the study that the result is of, as what follows
    static std::vector<study::Run> runs;
    static double memoryMib = 0.0;
    static std::shared_ptr<const Feasibility> result;
    if (std::ranges::none_of(study.runs, study::isFailureOfSettings))
        return nullptr;
    const std::scoped_lock lock(mutex);
    if (memoryMib == study.benchmark.memoryMib && runs == study.runs && factors == study.factors)
        return result;
    try {
        result = std::make_shared<const Feasibility>(study);
    } catch (const std::invalid_argument&) {
        result = nullptr;
    }
    if (result && !result->hasFailures())
        result = nullptr;
    factors = study.factors;
    runs = study.runs;
    memoryMib = study.benchmark.memoryMib;
    return result;
}

study::FeasibleGrid runningGrid(const study::Study& study, const study::MapAxis& x, const study::MapAxis& y,
                                const study::CodedPoint& at)
{
    study::FeasibleGrid grid;
    const std::shared_ptr<const Feasibility> feasibility = feasibilityOf(study);
    if (!feasibility)
        return grid;
    grid.level = kEvenChance;
    const study::Coding coding(study.factors);
    grid.value.resize(std::ssize(x.values), std::ssize(y.values));
    for (std::size_t i = 0; i < x.values.size(); ++i) {
        Eigen::VectorXd point = at.x;
        point[static_cast<Eigen::Index>(x.factor)] = coding.toCoded(x.factor, x.values[i]);
        const std::vector<double> row = probabilitiesAlong(*feasibility, coding, y, point);
        std::ranges::copy(row, grid.value.row(static_cast<Eigen::Index>(i)).begin());
    }
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
    line.value = probabilitiesAlong(*feasibility, study::Coding(study.factors), along, at.x);
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
