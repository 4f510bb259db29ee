// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/cost.h"

#include <algorithm>
#include <cmath>

namespace quadric::plan {

namespace {

constexpr double kSecondsAnHour = 3600.0;
constexpr double kJoulesAKilowattHour = 3.6e6;
/// Width of the step of a limit, relative: desirability is 0 below and 1 above.
constexpr double kStep = 1e-7;

double moneyOf(double seconds, double kilowattHours, int gpus, const Prices& prices)
{
    return prices.fixed + seconds / kSecondsAnHour * gpus * prices.gpuHour +
           kilowattHours * prices.kilowattHour;
}

Estimate scaled(const Estimate& estimate, double factor)
{
    return {estimate.value * factor, estimate.low * factor, estimate.high * factor};
}

/// Of type 7, as computeQuantile(), without sorting all of them.
double selectQuantile(std::vector<double>& values, double share)
{
    const double place = share * static_cast<double>(values.size() - 1);
    const auto below = values.begin() + static_cast<std::ptrdiff_t>(place);
    std::nth_element(values.begin(), below, values.end());
    const double low = *below;
    const auto above = std::min_element(below + 1, values.end());
    return above == values.end() ? low : std::lerp(low, *above, place - std::floor(place));
}

Estimate jointMoney(const RunTime& time, const Resources& resources, const Prices& prices, double confidence)
{
    std::vector<double> money;
    for (const auto& [slow, hungry] : resources.errors->pairs())
        money.push_back(moneyOf(time.secondsAt(slow),
                                resources.joules->secondsAt(hungry) / kJoulesAKilowattHour, resources.gpus,
                                prices));
    const double tail = (1.0 - confidence) / 2.0;
    return {selectQuantile(money, 0.5), selectQuantile(money, tail), selectQuantile(money, 1.0 - tail)};
}

study::Response& responseOf(study::Study& study, const std::string& name)
{
    return *std::ranges::find(study.responses, name, &study::Response::name);
}

} // namespace

RunCost costOf(const RunTime& time, const Resources& resources, const Prices& prices, double confidence)
{
    RunCost cost;
    cost.seconds = time.interval(confidence);
    if (resources.joules) {
        cost.kilowattHours = scaled(resources.joules->interval(confidence), 1.0 / kJoulesAKilowattHour);
        cost.money = jointMoney(time, resources, prices, confidence);
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

LimitedBest findLimitedBest(study::Study study, const std::vector<model::Fit>& fits,
                            const std::string& limited, double share, const std::string& wanted,
                            const optimize::OptimizeOptions& options)
{
    LimitedBest result;
    for (study::Response& response : study.responses)
        if (response.name != limited && response.name != wanted)
            response.goal = study::Goal::None;
    study::Study alone = study;
    responseOf(alone, wanted).goal = study::Goal::None;
    result.best = optimize::findOptimum(alone, fits, options);
    if (!result.best.isOk())
        return result;
    study::Response& response = responseOf(study, limited);
    const bool isMaximized = response.goal == study::Goal::Maximize;
    const double best = result.best.responses.front().predicted.mean;
    result.limit = best + (isMaximized ? -share : share) * std::abs(best);
    const double step = kStep * std::abs(best);
    response.low = isMaximized ? result.limit - step : result.limit;
    response.high = isMaximized ? result.limit : result.limit + step;
    optimize::OptimizeOptions hinted = options;
    hinted.hints.push_back(result.best.settings);
    result.optimum = optimize::findOptimum(study, fits, hinted);
    return result;
}

} // namespace quadric::plan
