// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/plan_choices.h"

#include "core/text/typed_text.h"
#include "core/workload/link_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <limits>
#include <stdexcept>

namespace quadric::plan {

namespace {

constexpr const char* kPlanPage = "plan";
constexpr const char* kAt = "at";
constexpr const char* kJob = "job";
constexpr std::string_view kPerUnit = "per-unit";
constexpr double kMost = 1e15;
constexpr double kMostMachines = 1000.0;
constexpr std::array<std::string_view, 5> kCountUnits{"GPUs", "GPU", "ranks", "nodes", "workers"};

/// Names and bounds of what a choice may be.
struct Bounds {
    double low = 0.0, high = kMost;
};
constexpr Bounds kAnyPositive{std::numeric_limits<double>::min(), kMost};

void forEachText(auto& choices, auto&& visit)
{
    visit("response", choices.response);
    visit("work", choices.work);
    visit("largest", choices.largest);
    visit("jobs-name", choices.jobsName);
    visit("count", choices.countFactor);
    visit("network", choices.network);
    visit("node-link", choices.nodeLink);
    visit("energy", choices.energy);
    visit("least", choices.least);
}

void forEachNumber(auto& choices, auto&& visit)
{
    visit("amount", choices.amount, kAnyPositive);
    visit("fixed-seconds", choices.fixedSeconds, Bounds{});
    visit("within-seconds", choices.within, kAnyPositive);
    visit("probability", choices.probability, Bounds{0.5, 0.9999});
    visit("machines", choices.machines, Bounds{1, kMostMachines});
    visit("speed-up", choices.speedUp, kAnyPositive);
    visit("load", choices.load, Bounds{0.01, 0.99});
    visit("variation", choices.variation, Bounds{0, 10});
    visit("waiting-price", choices.waitingPrice, Bounds{});
    visit("gang", choices.gang, Bounds{1, kMostMachines});
    visit("gang-speed-up", choices.gangSpeedUp, kAnyPositive);
    visit("doublings", choices.doublings, Bounds{1, 10});
    visit("worth", choices.worth, Bounds{1, 2});
    visit("per-node", choices.perNode, Bounds{1, 1024});
    visit("exchange-bytes", choices.exchangeBytes, kAnyPositive);
    visit("batch", choices.batch, kAnyPositive);
    visit("measured-latency-us", choices.measuredLatencyUs, Bounds{});
    visit("measured-gigabytes-per-sec", choices.measuredGigabytesPerSec, kAnyPositive);
    visit("gpu-hour", choices.gpuHour, Bounds{});
    visit("kilowatt-hour", choices.kilowattHour, Bounds{});
    visit("fixed-cost", choices.fixedCost, Bounds{});
    visit("watts", choices.watts, Bounds{0, 1e6});
    visit("slower", choices.slower, Bounds{0, 1});
}

void take(double& choice, double value)
{
    choice = value;
}
void take(std::optional<double>& choice, double value)
{
    choice = value;
}
void take(int& choice, double value)
{
    choice = static_cast<int>(std::lround(value));
}

std::string textOf(double value)
{
    return study::toText(study::Value(value));
}
std::string textOf(std::optional<double> value)
{
    return value ? textOf(*value) : std::string();
}

/// Values that the factor can be set to.
std::optional<study::Value> settingFrom(const study::Factor& factor, const std::string& text)
{
    if (!factor.isNumeric())
        return std::ranges::count(factor.categories, text) > 0 ? std::optional(study::Value(text))
                                                               : std::nullopt;
    const auto number = text::readNumber(text, '.');
    const bool isLegal =
        number && *number >= factor.low && *number <= factor.high &&
        (factor.type == study::FactorType::Continuous || study::snapToLegal(factor, *number) == *number);
    return isLegal ? std::optional(study::Value(*number)) : std::nullopt;
}

void readJob(const std::vector<std::string>& row, std::vector<Task>& jobs)
{
    const auto seconds = text::readNumber(row[1], '.'), machines = text::readNumber(row[2], '.');
    if (seconds && machines && *seconds > 0.0 && *seconds <= kMost && *machines >= 1.0 &&
        *machines <= kMostMachines)
        jobs.push_back({*seconds, static_cast<int>(std::lround(*machines))});
}

void readRow(const std::vector<std::string>& row, const study::Study& study, PlanChoices& choices)
{
    if (row.size() == 3 && row[0] == kAt) {
        const study::Factor* factor = study::findFactor(study, row[1]);
        const auto value = factor ? settingFrom(*factor, row[2]) : std::nullopt;
        if (value)
            choices.at.insert_or_assign(factor->name, *value);
    }
    if (row.size() == 3 && row[0] == kJob)
        return readJob(row, choices.jobs);
    if (row.size() != 2)
        return;
    forEachText(choices, [&row](const char* name, std::string& choice) {
        if (row[0] == name)
            choice = row[1];
    });
    const auto number = text::readNumber(row[1], '.');
    forEachNumber(choices, [&row, &number](const char* name, auto& choice, Bounds bounds) {
        if (row[0] == name && number && *number >= bounds.low && *number <= bounds.high)
            take(choice, *number);
    });
}

bool isKnownLink(const std::string& name, const PlanChoices& choices)
{
    return name == kMeasuredLink ? choices.measuredLatencyUs && choices.measuredGigabytesPerSec
                                 : workload::findLink(name) != nullptr;
}

/// Names of what the study does not have, and of links that are not known, are dropped.
void keepKnown(const study::Study& study, PlanChoices& choices)
{
    for (std::string* name : {&choices.response, &choices.energy, &choices.least})
        if (study::findResponse(study, *name) == nullptr)
            name->clear();
    for (std::string* name : {&choices.largest, &choices.countFactor}) {
        const study::Factor* factor = study::findFactor(study, *name);
        if (factor == nullptr || !factor->isNumeric())
            name->clear();
    }
    if (choices.work != kPerUnit)
        choices.work.clear();
    if (!isKnownLink(choices.network, choices))
        choices.network.clear();
    if (!isKnownLink(choices.nodeLink, choices))
        choices.nodeLink = PlanChoices().nodeLink;
}

/// Upwards.
double inTwoDigits(double value)
{
    const double step = std::pow(10.0, std::floor(std::log10(value)) - 1.0);
    return std::ceil(value / step) * step;
}

double usualDeadline(const RunTime& time, double probability)
{
    for (const double seconds : {time.quantile(probability), 2.0 * time.quantile(0.5)})
        if (std::isfinite(seconds) && seconds > 0.0)
            return inTwoDigits(seconds);
    return 1.0;
}

std::vector<Task> jobsOfRuns(const study::Study& study, const model::Fit& fit, const Work& work)
{
    std::vector<Task> jobs;
    for (const study::Run& run : study.runs) {
        const auto result = run.results.find(fit.response);
        if (run.status == study::RunStatus::Done && result != run.results.end() && result->second > 0.0)
            jobs.push_back({secondsOf(work, result->second)});
    }
    if (jobs.empty())
        throw std::invalid_argument("no run is done that tells how long the work takes");
    return jobs;
}

std::vector<Task> spreadJobs(const std::vector<Task>& jobs, double variation)
{
    std::vector<double> seconds;
    for (const Task& job : jobs)
        seconds.push_back(job.seconds);
    std::vector<Task> spread;
    for (const double each : gammaJobs(computeJobMoments(seconds).mean, variation))
        spread.push_back({each});
    return spread;
}

void requireMachines(int needed, int machines)
{
    if (needed > machines)
        throw std::invalid_argument("A job needs " + std::to_string(needed) +
                                    " machines at once, there are " + std::to_string(machines) +
                                    " slow ones.");
}

} // namespace

PlanChoices readPlanChoices(const study::Study& study)
{
    PlanChoices choices;
    if (const auto page = study.view.find(kPlanPage); page != study.view.end())
        for (const std::vector<std::string>& row : page->second.views)
            readRow(row, study, choices);
    keepKnown(study, choices);
    return choices;
}

study::Study withPlanChoices(study::Study study, const PlanChoices& choices)
{
    study::PageView page = study.view[kPlanPage]; // with what else is kept there
    page.views.clear();
    PlanChoices usual;
    std::vector<std::pair<std::string, std::string>> usualRows;
    const auto add = [](auto& rows) {
        return [&rows](const char* name, const auto& choice, auto...) {
            if constexpr (std::same_as<std::decay_t<decltype(choice)>, std::string>)
                rows.emplace_back(name, choice);
            else
                rows.emplace_back(name, textOf(choice));
        };
    };
    std::vector<std::pair<std::string, std::string>> rows;
    forEachText(choices, add(rows));
    forEachNumber(choices, add(rows));
    forEachText(usual, add(usualRows));
    forEachNumber(usual, add(usualRows));
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i] != usualRows[i])
            page.views.push_back({rows[i].first, rows[i].second});
    for (const auto& [name, value] : choices.at)
        page.views.push_back({kAt, name, study::toText(value)});
    for (const Task& job : choices.jobs)
        page.views.push_back({kJob, textOf(job.seconds), textOf(job.machines)});
    if (page == study::PageView{})
        study.view.erase(kPlanPage);
    else
        study.view[kPlanPage] = std::move(page);
    return study;
}

std::vector<std::string> askedQuestions(const PlanChoices& choices)
{
    const auto differs = [&choices](auto... members) {
        return (... || (choices.*members != PlanChoices().*members));
    };
    using C = PlanChoices;
    std::vector<std::string> asked;
    if (differs(&C::within, &C::probability, &C::largest))
        asked.emplace_back("deadline");
    if (differs(&C::machines, &C::speedUp, &C::load, &C::variation, &C::waitingPrice, &C::jobs, &C::gang))
        asked.emplace_back("queue");
    if (differs(&C::countFactor, &C::doublings, &C::worth, &C::perNode, &C::network))
        asked.emplace_back("scaling");
    if (differs(&C::gpuHour, &C::kilowattHour, &C::fixedCost, &C::watts, &C::energy, &C::least, &C::slower))
        asked.emplace_back("cost");
    if (asked.empty() && choices != PlanChoices())
        asked.emplace_back("deadline");
    return asked;
}

const model::Fit* plannedFit(const std::vector<model::Fit>& fits, const PlanChoices& choices)
{
    const auto chosen = std::ranges::find_if(fits, [&choices](const model::Fit& fit) {
        return fit.response == choices.response && hasTimeUnit(fit);
    });
    const auto fit = chosen != fits.end() ? chosen : std::ranges::find_if(fits, hasTimeUnit);
    return fit == fits.end() ? nullptr : &*fit;
}

Work chosenWork(const model::Fit& fit, const PlanChoices& choices)
{
    Work work = usualWork(fit);
    if (work.kind != WorkKind::Speed && choices.work == kPerUnit)
        work.kind = WorkKind::PerUnit;
    if (work.kind != WorkKind::Whole)
        work.amount = choices.amount.value_or(work.amount);
    work.fixedSeconds = choices.fixedSeconds;
    return work;
}

std::optional<std::size_t> countFactorOf(const study::Study& study, const PlanChoices& choices)
{
    const auto find = [&study](auto&& isCount) -> std::optional<std::size_t> {
        for (std::size_t i = 0; i < study.factors.size(); ++i)
            if (study.factors[i].isNumeric() && isCount(study.factors[i]))
                return i;
        return std::nullopt;
    };
    if (!choices.countFactor.empty())
        return find([&](const study::Factor& factor) { return factor.name == choices.countFactor; });
    const study::Factor* ranks = study::rankFactorOf(study);
    const auto known = find([ranks](const study::Factor& factor) { return &factor == ranks; });
    return known ? known : find([](const study::Factor& factor) {
        return std::ranges::count(kCountUnits, factor.unit) > 0;
    });
}

DeadlineQuestion deadlineQuestion(const model::Fit& fit, const PlanChoices& choices,
                                  const study::Settings& settings)
{
    DeadlineQuestion question{.work = chosenWork(fit, choices),
                              .settings = settings,
                              .probability = choices.probability,
                              .largest = choices.largest};
    const RunTime time(fit, question.work, study::Coding(fit.factors).toCoded(settings));
    question.seconds = choices.within.value_or(usualDeadline(time, choices.probability));
    return question;
}

int largestGang(const std::vector<Task>& jobs)
{
    return jobs.empty() ? 1 : std::ranges::max_element(jobs, {}, &Task::machines)->machines;
}

QueueSystems queueQuestion(const study::Study& study, const model::Fit& fit, const PlanChoices& choices)
{
    std::vector<Task> tasks =
        choices.jobs.empty() ? jobsOfRuns(study, fit, chosenWork(fit, choices)) : choices.jobs;
    if (choices.variation)
        tasks = spreadJobs(tasks, *choices.variation);
    requireMachines(std::max(choices.gang, largestGang(tasks)), choices.machines);
    QueueSystems systems =
        fastAgainstSlow(std::move(tasks), choices.machines, choices.speedUp.value_or(choices.machines));
    if (choices.gang > 1)
        systems.gangs = withGangs(systems.slow, choices.gang, choices.gangSpeedUp.value_or(choices.gang));
    return systems;
}

} // namespace quadric::plan
