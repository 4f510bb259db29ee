// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/answer/sensitivity.h"

#include "core/optimize/merit/goals.h"
#include "core/study/run_records.h"

#include <algorithm>
#include <cmath>

namespace quadric::optimize {

namespace {

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

std::vector<GoalSensitivity> sensitivityOf(const study::Study& study, const std::vector<model::Fit>& fits,
                                           const Optimum& optimum, const OptimizeOptions& options)
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
