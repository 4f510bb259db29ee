// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/jobs.h"

#include "core/optimize/merit/optimum.h"
#include "core/text/numbers.h"
#include "core/text/typed_text.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <stdexcept>

namespace quadric::plan {

namespace {

constexpr double kSecondsADay = 86400.0;

std::string lowered(std::string_view text)
{
    std::string lower(text);
    for (char& letter : lower)
        letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    return lower;
}

/// "cpu=8,gres/gpu=4,…"; jobs without a GPU take one machine.
int gpusIn(std::string_view resources)
{
    constexpr std::string_view kName = "gres/gpu=";
    const std::size_t place = resources.find(kName);
    if (place == std::string_view::npos)
        return 1;
    const std::string_view rest = resources.substr(place + kName.size());
    return std::max(1, static_cast<int>(text::readNumber(rest.substr(0, rest.find(',')), '.').value_or(1.0)));
}

int machinesIn(const std::string& cell, const std::string& column, std::size_t row)
{
    if (cell.find('=') != std::string::npos)
        return gpusIn(cell);
    if (text::withoutBlanks(cell).empty())
        return 1;
    const std::optional<double> count = text::readNumber(cell, '.');
    if (!count || *count < 0.0 || *count != std::floor(*count) || *count > 1e6)
        refuseCell(column, row, cell, "a whole number up to 1000000");
    return std::max(1, static_cast<int>(*count));
}

/// Empty for a job that did not run: an empty cell, or 0.
std::optional<double> timeIn(const std::string& cell, const std::string& column, std::size_t row)
{
    if (text::withoutBlanks(cell).empty())
        return std::nullopt;
    const std::optional<double> seconds = readElapsed(cell);
    if (!seconds || *seconds < 0.0)
        refuseCell(column, row, cell, "seconds, or days-hours:minutes:seconds, 0 or more");
    return *seconds > 0.0 ? seconds : std::nullopt;
}

std::optional<double> rateOf(const std::vector<double>& moments)
{
    if (moments.size() < 2)
        return std::nullopt;
    const auto [first, last] = std::ranges::minmax(moments);
    return last > first ? std::optional(static_cast<double>(moments.size() - 1) / (last - first))
                        : std::nullopt;
}

std::vector<std::optional<double>> numbersIn(std::string_view text, std::string_view marks)
{
    std::vector<std::optional<double>> numbers;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find_first_of(marks, start), text.size());
        numbers.push_back(text::readNumber(text.substr(start, end - start), '.'));
        start = end + 1;
    }
    return numbers;
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

void refuseCell(const std::string& column, std::size_t row, const std::string& cell,
                const std::string& expected)
{
    throw std::invalid_argument(column + " of row " + std::to_string(row + 1) + ": \"" + cell +
                                "\", expected " + expected);
}

std::optional<std::size_t> findColumn(const std::vector<std::string>& headers,
                                      std::initializer_list<std::string_view> names)
{
    for (const std::string_view name : names)
        for (std::size_t i = 0; i < headers.size(); ++i)
            if (lowered(text::withoutBlanks(headers[i])) == name)
                return i;
    return std::nullopt;
}

std::optional<double> readElapsed(std::string_view text)
{
    double days = 0.0;
    if (const std::size_t dash = text.find('-'); dash != std::string_view::npos && dash > 0) {
        const auto count = text::readNumber(text.substr(0, dash), '.');
        if (!count)
            return std::nullopt;
        days = *count;
        text.remove_prefix(dash + 1);
    }
    double seconds = 0.0;
    for (const std::optional<double>& part : numbersIn(text, ":")) {
        if (!part || *part < 0.0)
            return std::nullopt;
        seconds = 60.0 * seconds + *part;
    }
    return days * kSecondsADay + seconds;
}

std::optional<double> readMoment(std::string_view text)
{
    if (const auto number = text::readNumber(text, '.'))
        return number;
    const auto parts = numbersIn(text, "-T :");
    if (parts.size() != 6 || !std::ranges::all_of(parts, [](const auto& part) { return part.has_value(); }))
        return std::nullopt;
    const std::chrono::year_month_day day{std::chrono::year(static_cast<int>(*parts[0])),
                                          std::chrono::month(static_cast<unsigned>(*parts[1])),
                                          std::chrono::day(static_cast<unsigned>(*parts[2]))};
    if (!day.ok())
        return std::nullopt;
    const auto days = std::chrono::sys_days(day).time_since_epoch().count();
    return kSecondsADay * static_cast<double>(days) + 3600.0 * *parts[3] + 60.0 * *parts[4] + *parts[5];
}

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

JobRecords readJobRecords(const std::vector<std::string>& headers,
                          const std::vector<std::vector<std::string>>& rows)
{
    const auto time = findColumn(headers, {"elapsedraw", "seconds", "duration", "elapsed"});
    if (!time)
        throw std::invalid_argument("the columns are " + text::joinWords(headers) +
                                    "; expected one of times: ElapsedRaw or Elapsed, such as sacct "
                                    "--parsable2 prints, or seconds or duration");
    const auto machines = findColumn(headers, {"gpus", "alloctres"});
    const auto submitted = findColumn(headers, {"submit"});
    JobRecords records;
    std::vector<double> moments;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::vector<std::string>& row = rows[i];
        const auto seconds = timeIn(row[*time], headers[*time], i);
        if (!seconds) {
            ++records.skipped;
            continue;
        }
        records.tasks.push_back({*seconds, machines ? machinesIn(row[*machines], headers[*machines], i) : 1});
        if (const auto moment = submitted ? readMoment(row[*submitted]) : std::nullopt)
            moments.push_back(*moment);
    }
    if (records.tasks.empty())
        throw std::invalid_argument(
            headers[*time] + " is empty or 0 in " +
            (rows.size() == 1 ? "the only row" : "all " + std::to_string(rows.size()) + " rows") +
            ", expected a time above 0 in one row or more");
    records.rate = rateOf(moments);
    return records;
}

std::vector<Task> condenseJobs(std::vector<Task> jobs, std::size_t most)
{
    if (jobs.size() <= most)
        return jobs;
    std::ranges::sort(jobs, {}, [](const Task& job) { return std::pair(job.machines, job.seconds); });
    std::vector<Task> condensed;
    for (std::size_t part = 0; part < most; ++part) {
        const std::size_t begin = part * jobs.size() / most, end = (part + 1) * jobs.size() / most;
        double seconds = 0.0;
        for (std::size_t i = begin; i < end; ++i)
            seconds += jobs[i].seconds;
        condensed.push_back({seconds / static_cast<double>(end - begin), jobs[(begin + end) / 2].machines});
    }
    return condensed;
}

double requireTimeUnit(std::string_view response, std::string_view unit)
{
    const auto seconds = secondsPer(unit);
    if (!seconds)
        throw std::invalid_argument(std::string(response) + " is in " + std::string(unit) +
                                    ", expected a unit of time (s, ms, min, h)");
    return *seconds;
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

std::optional<FactorExtremes> findExtremes(const model::Fit& fit, const study::Settings& set)
{
    std::vector<std::pair<double, std::size_t>> totals;
    for (std::size_t i = 0; i < fit.factors.size(); ++i) {
        const std::string& name = fit.factors[i].name;
        const auto found = std::ranges::find(fit.importance, name, &model::Importance::factor);
        if (!set.contains(name) && found != fit.importance.end())
            totals.emplace_back(found->total, i);
    }
    if (totals.size() < 2)
        return std::nullopt;
    const auto [least, most] = std::ranges::minmax(totals);
    return FactorExtremes{least.second, most.second};
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

FastestSettings findFastest(const study::Study& study, const model::Fit& fit, const study::Settings& given,
                            bool isSpeed)
{
    study::Study alone = study;
    for (study::Response& response : alone.responses)
        response.goal = response.name != fit.response ? study::Goal::None
                        : isSpeed                     ? study::Goal::Maximize
                                                      : study::Goal::Minimize;
    optimize::OptimizeOptions options;
    options.fixed = given;
    options.hasAlternatives = false;
    const optimize::Optimum optimum = optimize::findOptimum(alone, {fit}, options);
    return {optimum.settings, optimum.message};
}

} // namespace quadric::plan
