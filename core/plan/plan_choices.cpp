// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/plan_choices.h"

#include "core/optimize/merit/optimum.h"
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
constexpr int kMostMachines = 1000, kMostGpus = 1'000'000;
constexpr std::array<std::string_view, 5> kCountUnits{"GPUs", "GPU", "ranks", "nodes", "workers"};

using Maybe = std::optional<double>;
constexpr double kLeast = std::numeric_limits<double>::min(); ///< above 0

template <double low, double high, typename Number = double> Number readFrom(const JsonReader& reader)
{
    const double number = reader.number();
    if (number < low || number > high)
        reader.fail("a number from " + text::formatExactly(low) + " to " + text::formatExactly(high));
    return number;
}

constexpr auto membersOf(const PlanChoices*)
{
    using C = PlanChoices;
    return std::tuple{Member{"response", &C::response},
                      Member{"per_unit", &C::isPerUnit},
                      Member{"amount", &C::amount, Need::Optional, &readFrom<kLeast, kMost, Maybe>},
                      Member{"at", &C::at},
                      Member{"within_seconds", &C::within, Need::Optional, &readFrom<kLeast, kMost, Maybe>},
                      Member{"probability", &C::probability, Need::Optional, &readFrom<0.5, 0.9999>},
                      Member{"largest", &C::largest},
                      Member{"machines", &C::machines, Need::Optional, &study::readWhole<1, kMostMachines>},
                      Member{"speed_up", &C::speedUp, Need::Optional, &readFrom<kLeast, kMost, Maybe>},
                      Member{"load", &C::load, Need::Optional, &readFrom<0.01, 0.99>},
                      Member{"variation", &C::variation, Need::Optional, &readFrom<0.0, 10.0, Maybe>},
                      Member{"count", &C::countFactor},
                      Member{"doublings", &C::doublings, Need::Optional, &study::readWhole<1, 10>},
                      Member{"worth", &C::worth, Need::Optional, &readFrom<1.0, 2.0>},
                      Member{"gpu_hour", &C::gpuHour, Need::Optional, &readFrom<0.0, kMost>},
                      Member{"kilowatt_hour", &C::kilowattHour, Need::Optional, &readFrom<0.0, kMost>},
                      Member{"gpus", &C::gpus, Need::Optional, &study::readWhole<0, kMostGpus>},
                      Member{"watts", &C::watts, Need::Optional, &readFrom<0.0, kMost>},
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

constexpr double kUsualSeconds = 3600.0;

double inOneDigit(double value)
{
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    return std::round(value / power) * power;
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
    if (differs(&C::gpuHour, &C::kilowattHour, &C::gpus, &C::watts, &C::energy))
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
    Work work{.unitSeconds = secondsPerUnit(fit.unit).value_or(1.0)};
    if (isRateUnit(fit.unit))
        work.kind = WorkKind::Speed;
    else if (choices.isPerUnit)
        work.kind = WorkKind::PerUnit;
    if (work.kind == WorkKind::Speed && fit.largestObserved > 0.0)
        work.amount = inOneDigit(fit.largestObserved * kUsualSeconds / work.unitSeconds);
    if (work.kind != WorkKind::Whole)
        work.amount = choices.amount.value_or(work.amount);
    return work;
}

FastestSettings findFastest(const study::Study& study, const model::Fit& fit, const PlanChoices& choices)
{
    const study::Goal fastest = isRateUnit(fit.unit) ? study::Goal::Maximize : study::Goal::Minimize;
    study::Study alone = study;
    for (study::Response& response : alone.responses)
        response.goal = response.name == fit.response ? fastest : study::Goal::None;
    optimize::OptimizeOptions options;
    options.hasAlternatives = false;
    if (const study::Factor* largest = study::findFactor(study, choices.largest))
        options.fixed.emplace(largest->name, study::snapToLegal(*largest, largest->high));
    optimize::Optimum optimum = optimize::findOptimum(alone, {fit}, options);
    if (optimum.settings.empty() && !options.fixed.empty()) { // constraints forbid the high end
        options.fixed.clear();
        optimum = optimize::findOptimum(alone, {fit}, options);
    }
    return {optimum.settings, optimum.message};
}

study::Settings chosenSettings(study::Settings fastest, const PlanChoices& choices)
{
    for (const auto& [name, value] : choices.at)
        fastest.insert_or_assign(name, value);
    return fastest;
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
    std::vector<double> jobs = observedJobs(study, fit, chosenWork(fit, choices));
    if (choices.variation)
        jobs = gammaJobs(computeJobMoments(jobs).mean, *choices.variation);
    return fastAgainstSlow(std::move(jobs), choices.machines, choices.speedUp.value_or(choices.machines));
}

} // namespace quadric::plan
