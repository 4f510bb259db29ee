// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/jobs.h"

#include "core/optimize/merit/optimum.h"
#include "core/text/numbers.h"
#include "core/text/typed_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace quadric::plan {

namespace {

constexpr double kSecondsADay = 86400.0;

/// Seconds in one of these units; no unit stands for seconds. Empty for what is no unit of time.
std::optional<double> secondsPer(std::string_view unit)
{
    struct Unit {
        std::string_view name;
        double seconds;
    };
    constexpr auto kUnits = std::to_array<Unit>({{"", 1.0},
                                                 {"s", 1.0},
                                                 {"sec", 1.0},
                                                 {"seconds", 1.0},
                                                 {"ms", 1e-3},
                                                 {"us", 1e-6},
                                                 {"µs", 1e-6},
                                                 {"min", 60.0},
                                                 {"minutes", 60.0},
                                                 {"h", 3600.0},
                                                 {"hours", 3600.0},
                                                 {"d", kSecondsADay}});
    const auto* const found = std::ranges::find(kUnits, unit, &Unit::name);
    return found == kUnits.end() ? std::nullopt : std::optional(found->seconds);
}

/// Seconds in a unit of a response. Throws std::invalid_argument naming it where it is none of time.
double requireTimeUnit(std::string_view response, std::string_view unit)
{
    const auto seconds = secondsPer(unit);
    if (!seconds)
        throw std::invalid_argument(std::string(response) + " is in " + std::string(unit) +
                                    ", expected a unit of time (s, ms, min, h)");
    return *seconds;
}

constexpr int kStepsAlong = 9;

double requirePositive(const model::Fit& fit, double value)
{
    if (!(value > 0.0))
        throw std::invalid_argument("the model of " + fit.response +
                                    " predicts a time that is not above 0; a model of its logarithm cannot");
    return value;
}

constexpr double kUsualSeconds = 3600.0;

double inOneDigit(double value)
{
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    return std::round(value / power) * power;
}

} // namespace

std::optional<double> readSpan(std::string_view text)
{
    constexpr std::string_view kOfNumbers = "0123456789.+-eE", kBeginsNumber = "0123456789.";
    double seconds = 0.0;
    std::string_view rest = text::withoutBlanks(text);
    if (rest.empty())
        return std::nullopt;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find_first_not_of(kOfNumbers), rest.size());
        const std::size_t next = std::min(rest.find_first_of(kBeginsNumber, end), rest.size());
        const auto number = text::readNumber(rest.substr(0, end), '.');
        const auto unit = secondsPer(text::withoutBlanks(rest.substr(end, next - end)));
        if (!number || !unit || *number < 0.0)
            return std::nullopt;
        seconds += *number * *unit;
        rest.remove_prefix(next);
    }
    return seconds;
}

std::vector<double> observedJobs(const study::Study& study, std::string_view response)
{
    const study::Response* asked = study::findResponse(study, response);
    const double unit = asked ? requireTimeUnit(response, asked->unit) : 1.0;
    std::vector<double> jobs;
    for (const study::Run& run : study.runs) {
        if (run.status != study::RunStatus::Done)
            continue;
        const auto result = run.results.find(response);
        if (asked && result != run.results.end())
            jobs.push_back(unit * result->second);
        else if (!asked && run.provenance.seconds)
            jobs.push_back(*run.provenance.seconds);
    }
    if (jobs.empty())
        throw std::invalid_argument(
            "no run that is done tells how long it took; expected a response that is a time");
    return jobs;
}

std::vector<double> modeledJobs(const model::Fit& fit, const study::Study& study,
                                const study::Settings& instead)
{
    const double unit = requireTimeUnit(fit.response, fit.unit);
    const study::Coding coding(fit.factors);
    std::vector<double> jobs;
    for (const study::Run& run : study.runs) {
        if (run.status != study::RunStatus::Done)
            continue;
        study::Settings settings = run.settings;
        for (const auto& [name, value] : instead)
            settings.insert_or_assign(name, value);
        jobs.push_back(unit * requirePositive(fit, model::predictMean(fit, coding.toCoded(settings))));
    }
    if (jobs.empty())
        throw std::invalid_argument("no run is done");
    return jobs;
}

std::vector<double> modeledJobsAlong(const model::Fit& fit, std::size_t factor,
                                     const study::Settings& instead)
{
    const study::Coding coding(fit.factors);
    study::Settings settings = coding.toSettings(coding.center());
    for (const auto& [name, value] : instead)
        settings.insert_or_assign(name, value);
    const double unit = requireTimeUnit(fit.response, fit.unit);
    std::vector<double> jobs = model::effectCurve(fit, factor, coding.toCoded(settings), kStepsAlong).mean;
    for (double& job : jobs)
        job = unit * requirePositive(fit, job);
    return jobs;
}

double secondsOf(const Work& work, double value)
{
    switch (work.kind) {
    case WorkKind::Whole:
        return work.fixedSeconds + work.unitSeconds * value;
    case WorkKind::PerUnit:
        return work.fixedSeconds + work.unitSeconds * work.amount * value;
    case WorkKind::Speed:
        break;
    }
    return work.fixedSeconds + work.unitSeconds * work.amount / value;
}

bool isRateUnit(std::string_view unit)
{
    return unit.find('/') != unit.npos;
}

std::optional<double> secondsPerUnit(std::string_view unit)
{
    const std::size_t slash = unit.find('/');
    const std::string_view time = slash == unit.npos ? unit : unit.substr(slash + 1);
    return time.empty() ? std::nullopt : secondsPer(time);
}

bool hasTimeUnit(const model::Fit& fit)
{
    return fit.isOk() && fit.dfResidual > 0 && secondsPerUnit(fit.unit).has_value();
}

Work usualWork(const model::Fit& fit)
{
    Work work;
    work.unitSeconds = secondsPerUnit(fit.unit).value_or(1.0);
    if (!isRateUnit(fit.unit))
        return work;
    work.kind = WorkKind::Speed;
    if (fit.largestObserved > 0.0)
        work.amount = inOneDigit(fit.largestObserved * kUsualSeconds / work.unitSeconds);
    return work;
}

FastestSettings findFastest(const study::Study& study, const model::Fit& fit, const study::Settings& given)
{
    const study::Goal fastest = isRateUnit(fit.unit) ? study::Goal::Maximize : study::Goal::Minimize;
    study::Study alone = study;
    for (study::Response& response : alone.responses)
        response.goal = response.name == fit.response ? fastest : study::Goal::None;
    optimize::OptimizeOptions options;
    options.fixed = given;
    options.hasAlternatives = false;
    const optimize::Optimum optimum = optimize::findOptimum(alone, {fit}, options);
    return {optimum.settings, optimum.message};
}

} // namespace quadric::plan
