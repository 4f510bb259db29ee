// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/cost.h"

#include "core/model/base/distributions.h"
#include "core/model/predict/curves.h"
#include "core/optimize/answer/limit_probability.h"
#include "core/study/space/constraint.h"

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>

namespace quadric::plan {

namespace {

/// Fibonacci numbers that follow one another: the points of the lattice (i/n, i g/n mod 1) are spread so
/// evenly that 4181 of them err less than 10,000 random ones (Niederreiter 1992, ch. 5).
constexpr std::size_t kPairs = 4181, kGenerator = 2584;

/// Without promotion to long double, whose digits are not needed.
using Fast = boost::math::policies::policy<boost::math::policies::promote_double<false>>;

constexpr double kSecondsAnHour = 3600.0;
constexpr double kJoulesAKilowattHour = 3.6e6;

double moneyOf(double seconds, double kilowattHours, int gpus, const Prices& prices)
{
    return seconds / kSecondsAnHour * gpus * prices.gpuHour + kilowattHours * prices.kilowattHour;
}

Estimate scaled(const Estimate& estimate, double factor)
{
    return {estimate.value * factor, estimate.low * factor, estimate.high * factor};
}

Estimate jointMoney(const RunTime& time, const Resources& resources, const Prices& prices)
{
    constexpr double kTail = 0.025;
    std::vector<double> money;
    for (const auto& [slow, hungry] : *resources.errors)
        money.push_back(moneyOf(time.secondsAt(slow),
                                resources.joules->secondsAt(hungry) / kJoulesAKilowattHour, resources.gpus,
                                prices));
    std::ranges::sort(money);
    return {model::computeQuantile(money, 0.5), model::computeQuantile(money, kTail),
            model::computeQuantile(money, 1.0 - kTail)};
}

constexpr std::size_t kMostAlong = 25; ///< points of the curve

const model::Fit* okFit(const std::vector<model::Fit>& fits, const std::string& response)
{
    const auto fit = std::ranges::find(fits, response, &model::Fit::response);
    return fit == fits.end() || !fit->isOk() || fit->dfResidual == 0 ? nullptr : &*fit;
}

bool hasNoPrice(const PlanChoices& choices)
{
    return choices.gpuHour <= 0.0 && choices.kilowattHour <= 0.0;
}

/// Without a price costs are GPU hours.
Prices pricesOf(const PlanChoices& choices)
{
    return hasNoPrice(choices) ? Prices{.gpuHour = 1.0} : Prices{choices.gpuHour, choices.kilowattHour};
}

/// Evenly over the range, on the scale of the factor, legal ones only.
std::vector<double> valuesAlong(const model::Fit& fit, std::size_t factor)
{
    const study::Coding coding(fit.factors);
    const study::Factor& own = fit.factors[factor];
    std::vector<double> values = study::legalValues(own, own.low, own.high, kMostAlong);
    if (!values.empty())
        return values;
    for (std::size_t i = 0; i < kMostAlong; ++i)
        values.push_back(study::snapToLegal(
            own, coding.toActual(factor, -1.0 + 2.0 * static_cast<double>(i) / (kMostAlong - 1))));
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

/// By their degrees of freedom.
using KnownErrors = std::map<std::pair<double, double>, JointErrors>;

/// At any settings. A measured energy has its own distribution; its errors go with those of the time.
RunCost costAt(const study::Study& study, const model::Fit& fit, const model::Fit* energy,
               const PlanChoices& choices, const study::Settings& settings, KnownErrors& known)
{
    const study::CodedPoint point = study::Coding(fit.factors).toCoded(settings);
    const Work work = chosenWork(fit, choices);
    const RunTime time(fit, work, point);
    Resources resources{.gpus = gpusAt(study, choices, settings), .wattsPerGpu = choices.watts};
    if (energy == nullptr)
        return costOf(time, resources, pricesOf(choices));
    const RunTime joules(*energy, {WorkKind::PerUnit, work.amount, 1.0}, point);
    JointErrors& errors = known[{time.df(), joules.df()}];
    if (errors.empty())
        errors = jointErrors(time.df(), joules.df(), optimize::residualCorrelation(fit, *energy));
    resources.joules = &joules;
    resources.errors = &errors;
    return costOf(time, resources, pricesOf(choices));
}

std::optional<std::size_t> factorAlong(const study::Study& study, const PlanChoices& choices)
{
    if (const auto count = countFactorOf(study, choices))
        return count;
    const auto numeric = std::ranges::find_if(study.factors, &study::Factor::isNumeric);
    return numeric == study.factors.end() ? std::nullopt
                                          : std::optional<std::size_t>(numeric - study.factors.begin());
}

} // namespace

JointErrors jointErrors(double firstDf, double secondDf, double correlation)
{
    const boost::math::students_t_distribution<double, Fast> first(firstDf), second(secondDf);
    const boost::math::normal_distribution<double, Fast> normal;
    const auto valueAt = [](std::size_t i) {
        return model::normalQuantile((static_cast<double>(i) + 0.5) / kPairs);
    };
    const double rest = std::sqrt(std::max(0.0, 1.0 - correlation * correlation));
    JointErrors errors;
    errors.reserve(kPairs);
    for (std::size_t i = 0; i < kPairs; ++i) {
        const double z = valueAt(i), other = correlation * z + rest * valueAt(i * kGenerator % kPairs);
        errors.emplace_back(boost::math::quantile(first, boost::math::cdf(normal, z)),
                            boost::math::quantile(second, boost::math::cdf(normal, other)));
    }
    return errors;
}

RunCost costOf(const RunTime& time, const Resources& resources, const Prices& prices)
{
    RunCost cost;
    cost.seconds = time.interval();
    if (resources.joules) {
        cost.kilowattHours = scaled(resources.joules->interval(), 1.0 / kJoulesAKilowattHour);
        cost.money = jointMoney(time, resources, prices);
        return cost;
    }
    const double watts = resources.wattsPerGpu * resources.gpus;
    cost.kilowattHours = scaled(cost.seconds, watts / kJoulesAKilowattHour);
    const auto money = [&](double seconds) {
        return moneyOf(seconds, watts * seconds / kJoulesAKilowattHour, resources.gpus, prices);
    };
    cost.money = {money(cost.seconds.value), money(cost.seconds.low), money(cost.seconds.high)};
    return cost;
}

int gpusAt(const study::Study& study, const PlanChoices& choices, const study::Settings& settings)
{
    if (choices.gpus > 0)
        return choices.gpus;
    const auto factor = countFactorOf(study, choices);
    if (!factor)
        return 1;
    const auto value = settings.find(study.factors[*factor].name);
    return value == settings.end()
               ? 1
               : std::max(1, static_cast<int>(std::lround(study::numberOf(value->second))));
}

CostPlan planCost(const study::Study& study, const std::vector<model::Fit>& fits, const model::Fit& fit,
                  const study::Settings& settings, const PlanChoices& choices)
{
    const model::Fit* energy = okFit(fits, choices.energy);
    KnownErrors known;
    CostPlan plan;
    plan.isInGpuHours = hasNoPrice(choices);
    plan.isExtrapolation = model::predict(fit, study::Coding(fit.factors).toCoded(settings)).isExtrapolation;
    plan.gpus = gpusAt(study, choices, settings);
    plan.here = costAt(study, fit, energy, choices, settings, known);
    const auto factor = factorAlong(study, choices);
    if (!factor)
        return plan;
    plan.factor = study.factors[*factor].name;
    study::Settings moved = settings;
    for (const double value : valuesAlong(fit, *factor)) {
        moved.insert_or_assign(plan.factor, value);
        if (study::isLegal(study, moved))
            plan.along.push_back({value, costAt(study, fit, energy, choices, moved, known)});
    }
    return plan;
}

} // namespace quadric::plan
