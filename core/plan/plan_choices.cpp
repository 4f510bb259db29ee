// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/plan_choices.h"

#include "core/study/document/member_json.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace quadric::plan {

using study::JsonReader;
using study::Member;
using study::Need;

namespace {

constexpr const char* kPlanPage = "plan";
constexpr double kMost = 1e15;
constexpr int kMostMachines = 1000;
constexpr std::array<std::string_view, 5> kCountUnits{"GPUs", "GPU", "ranks", "nodes", "workers"};

double readBetween(const JsonReader& reader, double low, double high)
{
    const double number = reader.number();
    if (number < low || number > high)
        reader.fail("a number from " + text::formatExactly(low) + " to " + text::formatExactly(high));
    return number;
}

double readNotNegative(const JsonReader& reader)
{
    return readBetween(reader, 0.0, kMost);
}

std::optional<double> readPositive(const JsonReader& reader)
{
    return readBetween(reader, std::numeric_limits<double>::min(), kMost);
}

/// Coefficient of variation.
std::optional<double> readVariation(const JsonReader& reader)
{
    return readBetween(reader, 0.0, 10.0);
}

/// Between two shares in hundredths of a percent.
template <int low, int high> double readShare(const JsonReader& reader)
{
    return readBetween(reader, low / 1e4, high / 1e4);
}

constexpr auto membersOf(const PlanChoices*)
{
    using C = PlanChoices;
    return std::tuple{Member{"response", &C::response},
                      Member{"per_unit", &C::isPerUnit},
                      Member{"amount", &C::amount, Need::Optional, &readPositive},
                      Member{"fixed_seconds", &C::fixedSeconds, Need::Optional, &readNotNegative},
                      Member{"at", &C::at},
                      Member{"within_seconds", &C::within, Need::Optional, &readPositive},
                      Member{"probability", &C::probability, Need::Optional, &readShare<5000, 9999>},
                      Member{"largest", &C::largest},
                      Member{"machines", &C::machines, Need::Optional, &study::readWhole<1, kMostMachines>},
                      Member{"speed_up", &C::speedUp, Need::Optional, &readPositive},
                      Member{"load", &C::load, Need::Optional, &readShare<100, 9900>},
                      Member{"variation", &C::variation, Need::Optional, &readVariation},
                      Member{"count", &C::countFactor},
                      Member{"doublings", &C::doublings, Need::Optional, &study::readWhole<1, 10>},
                      Member{"worth", &C::worth, Need::Optional, &readShare<10000, 20000>},
                      Member{"gpu_hour", &C::gpuHour, Need::Optional, &readNotNegative},
                      Member{"kilowatt_hour", &C::kilowattHour, Need::Optional, &readNotNegative},
                      Member{"fixed_cost", &C::fixedCost, Need::Optional, &readNotNegative},
                      Member{"watts", &C::watts, Need::Optional, &readNotNegative},
                      Member{"energy", &C::energy}};
}

/// Whether the factor can be set to the value.
bool canBeSet(const study::Factor& factor, const study::Value& value)
{
    if (!factor.isNumeric())
        return std::ranges::count(factor.categories, study::toText(value)) > 0;
    const auto* number = std::get_if<double>(&value);
    return number != nullptr && *number >= factor.low && *number <= factor.high &&
           (factor.type == study::FactorType::Continuous || study::snapToLegal(factor, *number) == *number);
}

/// Names and settings that the study does not have are dropped.
void keepKnown(const study::Study& study, PlanChoices& choices)
{
    for (std::string* name : {&choices.response, &choices.energy})
        if (study::findResponse(study, *name) == nullptr)
            name->clear();
    for (std::string* name : {&choices.largest, &choices.countFactor}) {
        const study::Factor* factor = study::findFactor(study, *name);
        if (factor == nullptr || !factor->isNumeric())
            name->clear();
    }
    std::erase_if(choices.at, [&study](const auto& setting) {
        const study::Factor* factor = study::findFactor(study, setting.first);
        return factor == nullptr || !canBeSet(*factor, setting.second);
    });
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

std::vector<double> jobsOfRuns(const study::Study& study, const model::Fit& fit, const Work& work)
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

} // namespace

PlanChoices readPlanChoices(const study::Study& study)
{
    PlanChoices choices;
    const auto page = study.view.find(kPlanPage);
    if (page == study.view.end())
        return choices;
    study::readPage(page->second, membersOf(&choices), choices);
    keepKnown(study, choices);
    return choices;
}

study::Study withPlanChoices(study::Study study, const PlanChoices& choices)
{
    study::PageView page = study.view[kPlanPage]; // with what else is kept there
    page.views.clear();                           // which held the choices once
    study::writePage(membersOf(&choices), choices, page);
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
    if (differs(&C::machines, &C::speedUp, &C::load, &C::variation))
        asked.emplace_back("queue");
    if (differs(&C::countFactor, &C::doublings, &C::worth))
        asked.emplace_back("scaling");
    if (differs(&C::gpuHour, &C::kilowattHour, &C::fixedCost, &C::watts, &C::energy))
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
    if (work.kind != WorkKind::Speed && choices.isPerUnit)
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

QueueSystems queueQuestion(const study::Study& study, const model::Fit& fit, const PlanChoices& choices)
{
    std::vector<double> jobs = jobsOfRuns(study, fit, chosenWork(fit, choices));
    if (choices.variation)
        jobs = gammaJobs(computeJobMoments(jobs).mean, *choices.variation);
    return fastAgainstSlow(std::move(jobs), choices.machines, choices.speedUp.value_or(choices.machines));
}

} // namespace quadric::plan
