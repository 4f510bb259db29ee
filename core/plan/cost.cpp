// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/cost.h"

#include "core/model/fit/distributions.h"
#include "core/model/fit/normal_draws.h"
#include "core/model/predict/level_summary.h"

#include <algorithm>
#include <cmath>

namespace quadric::plan {

namespace {

constexpr double kSecondsAnHour = 3600.0;
constexpr double kJoulesAKilowattHour = 3.6e6;
constexpr int kDraws = 10000;
/// Width of the step of a limit, relative: desirability is 0 below and 1 above.
constexpr double kStep = 1e-7;

double moneyOf(double seconds, double kilowattHours, int gpus, const Prices& prices)
{
    return prices.fixed + seconds / kSecondsAnHour * gpus * prices.gpuHour +
           kilowattHours * prices.kilowattHour;
}

/// A probability inside 0 and 1, from a standard normal value.
double rankOf(double normal)
{
    return std::clamp(1.0 - model::normalUpper(normal), 1e-9, 1.0 - 1e-9);
}

Estimate scaled(const Estimate& estimate, double factor)
{
    return {estimate.value * factor, estimate.low * factor, estimate.high * factor};
}

Estimate drawnMoney(const RunTime& time, const Resources& resources, const Prices& prices, double confidence)
{
    model::RandomBits random(1);
    std::vector<double> money;
    const double rest = std::sqrt(1.0 - resources.correlation * resources.correlation);
    for (int i = 0; i < kDraws; ++i) {
        const double first = model::drawNormal(random);
        const double second = resources.correlation * first + rest * model::drawNormal(random);
        const double joules = resources.joules->quantile(rankOf(second));
        money.push_back(
            moneyOf(time.quantile(rankOf(first)), joules / kJoulesAKilowattHour, resources.gpus, prices));
    }
    std::ranges::sort(money);
    const double tail = (1.0 - confidence) / 2.0;
    return {model::computeQuantile(money, 0.5), model::computeQuantile(money, tail),
            model::computeQuantile(money, 1.0 - tail)};
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
        cost.money = drawnMoney(time, resources, prices, confidence);
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
