// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/scale_plan.h"

#include "core/plan/scaling_points.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>

namespace quadric::plan {

namespace {

constexpr int kPointsAnOctave = 8;
constexpr double kHourSecondsOfGpu = 3600.0;
constexpr double kMillion = 1e6;

std::vector<int> doublingsBeyond(const std::vector<int>& measured, int doublings)
{
    std::vector<int> counts = measured;
    for (int i = 1; i <= doublings; ++i)
        counts.push_back(measured.back() << i);
    return counts;
}

/// Whole numbers, evenly on a logarithmic scale, and these.
std::vector<int> curveCounts(const std::vector<int>& counts)
{
    std::vector<int> all = counts;
    const double low = std::log2(counts.front()), high = std::log2(counts.back());
    const int steps = std::max(1, static_cast<int>(std::ceil((high - low) * kPointsAnOctave)));
    for (int i = 0; i <= steps; ++i)
        all.push_back(static_cast<int>(std::lround(std::exp2(low + (high - low) * i / steps))));
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

workload::Link linkOf(const std::string& name, const PlanChoices& choices)
{
    if (name == kMeasuredLink)
        return {"measured", "measured by nccl-tests", choices.measuredLatencyUs.value_or(0.0),
                choices.measuredGigabytesPerSec.value_or(1.0)};
    return *workload::findLink(name);
}

/// What the links allow to the speed that one GPU has at the fewest that were measured.
std::vector<LinkSpeed> linkSpeedsOf(const ScalePlan& plan, const study::Study& study, const model::Fit& fit,
                                    const study::Settings& settings, const PlanChoices& choices)
{
    const std::optional<Exchange> exchange = exchangeOf(choices);
    if (!exchange)
        return {};
    std::vector<int> counts;
    for (const ForecastRow& row : plan.rows)
        counts.push_back(row.count);
    return speedsOver(*exchange, plan.laws.front().law.speedAt(counts.front()) / counts.front(),
                      choices.batch.value_or(usualBatch(study, settings)), counts, 1.0 / perSecond(fit, 1.0));
}

} // namespace

std::optional<study::NodeSize> chosenNode(int perNode)
{
    return perNode > 1 ? std::optional(study::NodeSize{perNode, "as chosen"}) : std::nullopt;
}

std::optional<study::NodeSize> plannedNode(const study::Study& study, std::size_t factor,
                                           const study::Settings& settings, int perNode)
{
    if (perNode > 1)
        return chosenNode(perNode);
    const study::Factor& count = study.factors[factor];
    const bool countsRanks = &count == study::rankFactorOf(study) || study::hasUnitGpus(count);
    return countsRanks ? study::likelyNodeSize(study, count, settings) : std::nullopt;
}

std::optional<Exchange> exchangeOf(const PlanChoices& choices)
{
    if (choices.network.empty())
        return std::nullopt;
    return Exchange{linkOf(choices.nodeLink, choices), linkOf(choices.network, choices), choices.perNode,
                    choices.exchangeBytes};
}

double usualBatch(const study::Study& study, const study::Settings& settings)
{
    constexpr double kBatch = 32.0;
    for (const study::Factor& factor : study.factors)
        if (const auto value = settings.find(factor.name);
            factor.isNumeric() && factor.name.starts_with("batch") && value != settings.end())
            return study::numberOf(value->second);
    return kBatch;
}

ScaleModel modelScale(const study::Study& study, const model::Fit& fit, std::size_t factor,
                      const study::Settings& settings, int perNode)
{
    ScaleModel scale{.factor = factor};
    try {
        scale.points = scalingPointsOf(fit, study, factor, study::Coding(fit.factors).toCoded(settings));
        scale.forecast = fitForecast(scale.points, {.perNode = perNode});
        scale.message = scale.forecast.message;
    } catch (const std::invalid_argument& error) {
        scale.message = error.what();
    }
    return scale;
}

std::vector<ForecastRow> curveOf(const ScaleModel& scale, int doublings)
{
    return scale.forecast.laws.empty()
               ? std::vector<ForecastRow>()
               : forecastAt(scale.forecast, curveCounts(doublingsBeyond(scale.forecast.measured, doublings)));
}

ScalePlan planScale(const ScaleModel& scale, std::vector<ForecastRow> curve, const study::Study& study,
                    const model::Fit& fit, const study::Settings& settings, const PlanChoices& choices)
{
    ScalePlan plan{.points = scale.points,
                   .laws = scale.forecast.laws,
                   .confidence = scale.forecast.confidence,
                   .message = scale.message};
    if (plan.laws.empty())
        return plan;
    const std::vector<int> counts = doublingsBeyond(scale.forecast.measured, choices.doublings);
    plan.curve = std::move(curve);
    std::ranges::copy_if(plan.curve, std::back_inserter(plan.rows), [&counts](const ForecastRow& row) {
        return std::ranges::binary_search(counts, row.count);
    });
    plan.links = linkSpeedsOf(plan, study, fit, settings, choices);
    plan.node = plannedNode(study, scale.factor, settings, choices.perNode);
    plan.lastWorthwhile = lastWorthwhile(plan.laws, choices.worth, counts.front(), counts.back());
    return plan;
}

ScalePlan planScale(const ScaleModel& scale, const study::Study& study, const model::Fit& fit,
                    const study::Settings& settings, const PlanChoices& choices)
{
    return planScale(scale, curveOf(scale, choices.doublings), study, fit, settings, choices);
}

double costOfMillion(double gpuHour, int count, double unitsPerSecond)
{
    return gpuHour * count * kMillion / unitsPerSecond / kHourSecondsOfGpu;
}

Estimate costOfMillion(double gpuHour, const ForecastRow& row, double unitSeconds)
{
    const auto at = [&](double speed) { return costOfMillion(gpuHour, row.count, speed / unitSeconds); };
    return {at(row.speed.value), at(row.speed.high), at(row.speed.low)};
}

double perSecond(const model::Fit& fit, double speed)
{
    return isRateUnit(fit.unit) ? speed / unitSecondsOf(fit.unit).value_or(1.0) : speed;
}

} // namespace quadric::plan
