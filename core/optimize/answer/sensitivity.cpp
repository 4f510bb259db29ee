// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/answer/sensitivity.h"

#include "core/optimize/merit/desirability.h"
#include "core/optimize/search/search_space.h"
#include "core/study/run_records.h"
#include "core/study/space/constraint.h"

#include <algorithm>
#include <cmath>

namespace quadric::optimize {

namespace {

constexpr int kMostDigits = 6;

/// The values of so many digits around a value that the factor can have, the nearest first.
std::vector<double> roundings(const study::Factor& factor, double value, int digits)
{
    if (value == 0.0)
        return {};
    const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) + 1 - digits);
    std::vector<double> values;
    for (const double rounded :
         {std::round(value / unit), std::floor(value / unit), std::ceil(value / unit)}) {
        const double legal = study::snapToLegal(factor, rounded * unit);
        const bool isRounded = std::abs(legal - rounded * unit) <= 1e-9 * unit;
        if (isRounded && legal >= factor.low && legal <= factor.high &&
            std::ranges::find(values, legal) == values.end())
            values.push_back(legal);
    }
    return values;
}

/// Digits that the value is written with, at most one more than are tried.
int countDigits(double value)
{
    for (int digits = 1; digits <= kMostDigits; ++digits) {
        const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) + 1 - digits);
        if (std::abs(value / unit - std::round(value / unit)) < 1e-9)
            return digits;
    }
    return kMostDigits + 1;
}

class Rounder {
public:
    Rounder(const study::Study& study, const std::vector<model::Fit>& fits, study::Settings settings)
        : m_study(study)
        , m_fits(fits)
        , m_settings(std::move(settings))
    {
    }

    /// Fewer digits of one factor, where the overall desirability stays at `least` or more.
    bool round(const study::Factor& factor, double least)
    {
        const double value = study::numberOf(m_settings.at(factor.name));
        for (int digits = 1; value != 0.0 && digits < countDigits(value); ++digits)
            for (const double rounded : roundings(factor, value, digits)) {
                study::Settings trial = m_settings;
                trial[factor.name] = rounded;
                if (study::isLegal(m_study, trial) && assess(m_study, m_fits, trial).overall >= least) {
                    m_settings = std::move(trial);
                    return true;
                }
            }
        return false;
    }

    const study::Settings& settings() const { return m_settings; }

private:
    const study::Study& m_study;
    const std::vector<model::Fit>& m_fits;
    study::Settings m_settings;
};

double lossOf(const ResponseAtOptimum& held, const ResponseAtOptimum& free)
{
    switch (free.goal) {
    case study::Goal::Maximize:
        return free.predicted.mean - held.predicted.mean;
    case study::Goal::Minimize:
        return held.predicted.mean - free.predicted.mean;
    case study::Goal::Target:
        return std::abs(held.predicted.mean - held.target) - std::abs(free.predicted.mean - free.target);
    case study::Goal::None:
        break;
    }
    return 0.0;
}

std::vector<study::Value> valuesOf(const study::Study& study, const study::Factor& factor, const Axis& axis,
                                   std::size_t points)
{
    std::vector<study::Value> values;
    if (axis.kind == Axis::Kind::Category) {
        values.assign(factor.categories.begin(), factor.categories.end());
        return values;
    }
    const study::Coding coding(study.factors);
    const auto index = static_cast<std::size_t>(coding.indexOf(factor.name));
    const bool isListed = axis.kind == Axis::Kind::Levels;
    const std::size_t count = isListed ? std::min(points, axis.count()) : points;
    for (std::size_t i = 0; i < count; ++i) {
        const double share = count > 1 ? static_cast<double>(i) / static_cast<double>(count - 1) : 0.5;
        if (isListed)
            values.emplace_back(axis.actual[static_cast<std::size_t>(
                std::lround(share * static_cast<double>(axis.count() - 1)))]);
        else
            values.emplace_back(study::snapToLegal(
                factor, coding.toActual(index, axis.low + share * (axis.high - axis.low))));
    }
    return values;
}

constexpr double kWeightStep = 0.1; ///< share of the weight
constexpr double kLimitStep = 0.05; ///< share of the distance between the limits
constexpr double kSlopeStep = 1e-5; ///< of the difference quotient at the optimum, share of the step

constexpr double kOtherCategory = 2.0;

std::vector<GoalParameter> parametersOf(study::Goal goal)
{
    if (goal == study::Goal::Target)
        return {GoalParameter::Weight, GoalParameter::Low, GoalParameter::Target, GoalParameter::High};
    return {GoalParameter::Weight, GoalParameter::Low, GoalParameter::High};
}

double valueOf(const Desirability& d, GoalParameter parameter)
{
    switch (parameter) {
    case GoalParameter::Weight:
        return d.weight;
    case GoalParameter::Low:
        return d.low;
    case GoalParameter::Target:
        return d.target;
    case GoalParameter::High:
        break;
    }
    return d.high;
}

/// The study with both limits of the response written out, so that moving one leaves the other, and one
/// parameter changed.
study::Study withParameter(study::Study study, const Desirability& d, GoalParameter parameter, double value)
{
    const auto found = std::find_if(study.responses.begin(), study.responses.end(),
                                    [&](const study::Response& r) { return r.name == d.response; });
    study::Response& response = *found;
    response.low = parameter == GoalParameter::Low ? value : d.low;
    response.high = parameter == GoalParameter::High ? value : d.high;
    if (parameter == GoalParameter::Target)
        response.target = value;
    if (parameter == GoalParameter::Weight)
        response.weight = value;
    return study;
}

double stepOf(const Desirability& d, GoalParameter parameter)
{
    if (parameter == GoalParameter::Weight)
        return kWeightStep * d.weight;
    double room = d.high - d.low;
    if (d.goal == study::Goal::Target)
        room = std::min(d.target - d.low, d.high - d.target);
    return kLimitStep * room;
}

double movedBetween(const study::Coding& coding, const study::Settings& from, const study::Settings& to)
{
    const study::CodedPoint a = coding.toCoded(from);
    const study::CodedPoint b = coding.toCoded(to);
    double sum = 0.0;
    for (Eigen::Index i = 0; i < a.size(); ++i) {
        const bool isNumeric = coding.factors()[static_cast<std::size_t>(i)].isNumeric();
        const double step = isNumeric ? a[i] - b[i] : a[i] == b[i] ? 0.0 : kOtherCategory;
        sum += step * step;
    }
    return std::sqrt(sum);
}

class Sensitivity {
public:
    Sensitivity(const study::Study& study, const std::vector<model::Fit>& fits, const Optimum& optimum,
                const OptimizeOptions& options)
        : m_study(study::withoutRuns(study))
        , m_fits(fits)
        , m_optimum(optimum)
        , m_options(options)
        , m_coding(study.factors)
    {
    }

    GoalSensitivity of(const Desirability& d, GoalParameter parameter) const
    {
        GoalSensitivity row;
        row.response = d.response;
        row.parameter = parameter;
        row.value = valueOf(d, parameter);
        row.step = stepOf(d, parameter);
        const double tiny = kSlopeStep * row.step;
        row.slope =
            (held(d, parameter, row.value + tiny) - held(d, parameter, row.value - tiny)) / (2.0 * tiny);
        const Optimum below = again(d, parameter, row.value - row.step);
        const Optimum above = again(d, parameter, row.value + row.step);
        row.overallBelow = below.overall;
        row.overallAbove = above.overall;
        row.settingsBelow = below.settings;
        row.settingsAbove = above.settings;
        for (const Optimum* other : {&below, &above}) {
            if (!other->settings.empty())
                row.moved = std::max(row.moved, movedBetween(m_coding, m_optimum.settings, other->settings));
        }
        return row;
    }

private:
    /// Overall desirability at the optimum's settings.
    double held(const Desirability& d, GoalParameter parameter, double value) const
    {
        return assess(withParameter(m_study, d, parameter, value), m_fits, m_optimum.settings).overall;
    }

    Optimum again(const Desirability& d, GoalParameter parameter, double value) const
    {
        return refineOptimum(withParameter(m_study, d, parameter, value), m_fits, m_optimum, m_options);
    }

    const study::Study m_study; ///< it is copied for each question
    const std::vector<model::Fit>& m_fits;
    const Optimum& m_optimum;
    const OptimizeOptions& m_options;
    study::Coding m_coding;
};

} // namespace

std::optional<Solution> findRounded(const study::Study& study, const std::vector<model::Fit>& fits,
                                    const Optimum& optimum, const study::Settings& held)
{
    std::vector<const study::Factor*> free;
    for (const study::Factor& factor : study.factors)
        if (factor.isNumeric() && !held.contains(factor.name))
            free.push_back(&factor);
    Rounder rounder(study, fits, optimum.settings);
    bool isRounded = false;
    for (std::size_t i = 0; i < free.size(); ++i) {
        const double share = static_cast<double>(i + 1) / static_cast<double>(free.size());
        isRounded |= rounder.round(*free[i], optimum.overall * (1.0 - kRoundingCost * share));
    }
    if (!isRounded)
        return std::nullopt;
    const Optimum there = assess(study, fits, rounder.settings());
    Solution rounded{.overall = there.overall, .settings = rounder.settings(), .isOptimum = false};
    rounded.isRounded = true;
    for (const ResponseAtOptimum& at : there.responses)
        rounded.predicted.emplace_back(at.response, at.predicted);
    return rounded;
}

study::Settings withFewDigits(const study::Study& study, study::Settings settings, int digits,
                              const study::Settings& held)
{
    for (const study::Factor& factor : study.factors) {
        if (factor.type != study::FactorType::Continuous || held.contains(factor.name))
            continue;
        const double value = study::numberOf(settings.at(factor.name));
        for (const double rounded : roundings(factor, value, digits)) {
            study::Settings trial = settings;
            trial[factor.name] = rounded;
            if (study::isLegal(study, trial)) {
                settings = std::move(trial);
                break;
            }
        }
    }
    return settings;
}

std::vector<Solution> withRounded(const Optimum& optimum)
{
    std::vector<Solution> solutions = optimum.solutions;
    if (optimum.rounded && !solutions.empty())
        solutions.insert(solutions.begin() + 1, *optimum.rounded);
    return solutions;
}

FixedCost costOfFixing(const study::Study& study, const std::vector<model::Fit>& fits,
                       const std::string& factor, const study::Value& value, const OptimizeOptions& options,
                       const std::optional<Optimum>& free)
{
    FixedCost cost;
    cost.value = value;
    cost.free = free ? *free : findOptimum(study, fits, options);
    OptimizeOptions held = options;
    held.hasAlternatives = false;
    held.fixed[factor] = value;
    for (const Solution& solution : cost.free.solutions) {
        held.hints.push_back(solution.settings);
        held.hints.back()[factor] = value;
    }
    cost.held = findOptimum(study, fits, held);
    if (!cost.isOk())
        return cost;
    if (cost.held.overall > cost.free.overall) { // the search with the factor free was not proven
        cost.free.overall = cost.held.overall;
        cost.free.settings = cost.held.settings;
        cost.free.responses = cost.held.responses;
    }
    cost.overall = cost.free.overall - cost.held.overall;
    for (std::size_t i = 0; i < cost.held.responses.size() && i < cost.free.responses.size(); ++i)
        cost.responses.emplace_back(cost.held.responses[i].response,
                                    lossOf(cost.held.responses[i], cost.free.responses[i]));
    return cost;
}

std::vector<FixedCost> costCurve(const study::Study& study, const std::vector<model::Fit>& fits,
                                 const std::string& factor, const OptimizeOptions& options, int points)
{
    std::vector<FixedCost> curve;
    const Optimum free = findOptimum(study, fits, options);
    const study::Factor* found = study::findFactor(study, factor);
    if (!free.isOk() || found == nullptr || points < 1)
        return curve;
    const SearchSpace space(study, fits, options);
    const Axis& axis = space.axis(study::Coding(study.factors).indexOf(factor));
    for (const study::Value& value : valuesOf(study, *found, axis, static_cast<std::size_t>(points))) {
        if (options.stop.stop_requested())
            break;
        FixedCost cost = costOfFixing(study, fits, factor, value, options, free);
        if (cost.isOk())
            curve.push_back(std::move(cost));
    }
    return curve;
}

std::string_view nameOf(GoalParameter parameter)
{
    switch (parameter) {
    case GoalParameter::Weight:
        return "weight";
    case GoalParameter::Low:
        return "low";
    case GoalParameter::Target:
        return "target";
    case GoalParameter::High:
        break;
    }
    return "high";
}

std::vector<GoalSensitivity> computeSensitivity(const study::Study& study,
                                                const std::vector<model::Fit>& fits, const Optimum& optimum,
                                                const OptimizeOptions& options)
{
    std::vector<GoalSensitivity> rows;
    if (!optimum.isOk())
        return rows;
    const Goals goals = goalsOf(study, fits);
    const Sensitivity sensitivity(study, fits, optimum, options);
    for (const Desirability& d : goals.desirabilities) {
        if (!takesPart(d))
            continue;
        for (const GoalParameter parameter : parametersOf(d.goal)) {
            if (options.stop.stop_requested())
                return rows;
            if (stepOf(d, parameter) > 0.0)
                rows.push_back(sensitivity.of(d, parameter));
        }
    }
    return rows;
}

} // namespace quadric::optimize
