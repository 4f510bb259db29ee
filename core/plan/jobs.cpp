// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/jobs.h"

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

constexpr int kStepsAlong = 9;

double requirePositive(const model::Fit& fit, double value)
{
    if (!(value > 0.0))
        throw std::invalid_argument("the model of " + fit.response +
                                    " predicts a time that is not above 0; a model of its logarithm cannot");
    return value;
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

double secondsOf(const Work& work, double value)
{
    switch (work.kind) {
    case WorkKind::Whole:
        return work.unitSeconds * value;
    case WorkKind::PerUnit:
        return work.unitSeconds * work.amount * value;
    case WorkKind::Speed:
        break;
    }
    return work.unitSeconds * work.amount / value;
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

std::vector<double> observedJobs(const study::Study& study, const model::Fit& fit, const Work& work)
{
    std::vector<double> jobs;
    for (const study::Run& run : study.runs) {
        const auto result = run.results.find(fit.response);
        if (run.status == study::RunStatus::Done && result != run.results.end() && result->second > 0.0)
            jobs.push_back(secondsOf(work, result->second));
    }
    if (jobs.empty())
        throw std::invalid_argument("no run is done that tells how long the work takes");
    return jobs;
}

std::vector<double> modeledJobs(const study::Study& study, const model::Fit& fit, const Work& work,
                                const study::Settings& instead, std::optional<std::size_t> along)
{
    const study::Coding coding(fit.factors);
    const auto replaced = [&](study::Settings settings) {
        for (const auto& [name, value] : instead)
            settings.insert_or_assign(name, value);
        return coding.toCoded(settings);
    };
    std::vector<double> values;
    if (along)
        values =
            model::effectCurve(fit, *along, replaced(coding.toSettings(coding.center())), kStepsAlong).mean;
    else
        for (const study::Run& run : study.runs)
            if (run.status == study::RunStatus::Done)
                values.push_back(model::predictMean(fit, replaced(run.settings)));
    for (double& value : values)
        value = secondsOf(work, requirePositive(fit, value));
    return values;
}

} // namespace quadric::plan
