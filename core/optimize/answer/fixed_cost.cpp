// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/answer/fixed_cost.h"

#include "core/optimize/search/search_space.h"

#include <algorithm>
#include <cmath>

namespace quadric::optimize {

namespace {

double lossOf(const ResponseAtOptimum& held, const ResponseAtOptimum& free)
{
    switch (free.goal) {
    case study::Goal::Maximize:
        return free.predicted.mean - held.predicted.mean;
    case study::Goal::Minimize:
        return held.predicted.mean - free.predicted.mean;
    case study::Goal::Target:
        return std::abs(held.predicted.mean - held.target) - std::abs(free.predicted.mean - free.target);
    case study::Goal::None:
        break;
    }
    return 0.0;
}

std::vector<study::Value> valuesOf(const study::Study& study, const study::Factor& factor, const Axis& axis,
                                   std::size_t points)
{
    std::vector<study::Value> values;
    if (axis.kind == Axis::Kind::Category) {
        values.assign(factor.categories.begin(), factor.categories.end());
        return values;
    }
    const study::Coding coding(study.factors);
    const auto index = static_cast<std::size_t>(coding.indexOf(factor.name));
    const bool isListed = axis.kind == Axis::Kind::Levels;
    const std::size_t count = isListed ? std::min(points, axis.count()) : points;
    for (std::size_t i = 0; i < count; ++i) {
        const double share = count > 1 ? static_cast<double>(i) / static_cast<double>(count - 1) : 0.5;
        if (isListed)
            values.emplace_back(axis.actual[static_cast<std::size_t>(
                std::lround(share * static_cast<double>(axis.count() - 1)))]);
        else
            values.emplace_back(study::snapToLegal(
                factor, coding.toActual(index, axis.low + share * (axis.high - axis.low))));
    }
    return values;
}

} // namespace

FixedCost costOfFixing(const study::Study& study, const std::vector<model::Fit>& fits,
                       const std::string& factor, const study::Value& value, const OptimizeOptions& options,
                       const std::optional<Optimum>& free)
{
    FixedCost cost;
    cost.value = value;
    cost.free = free ? *free : findOptimum(study, fits, options);
    OptimizeOptions held = options;
    held.hasAlternatives = false;
    held.fixed[factor] = value;
    for (const Solution& solution : cost.free.solutions) {
        held.hints.push_back(solution.settings);
        held.hints.back()[factor] = value;
    }
    cost.held = findOptimum(study, fits, held);
    if (!cost.isOk())
        return cost;
    if (cost.held.overall > cost.free.overall) { // the search with the factor free was not proven
        cost.free.overall = cost.held.overall;
        cost.free.settings = cost.held.settings;
        cost.free.responses = cost.held.responses;
    }
    cost.overall = cost.free.overall - cost.held.overall;
    for (std::size_t i = 0; i < cost.held.responses.size() && i < cost.free.responses.size(); ++i)
        cost.responses.emplace_back(cost.held.responses[i].response,
                                    lossOf(cost.held.responses[i], cost.free.responses[i]));
    return cost;
}

std::vector<FixedCost> costCurve(const study::Study& study, const std::vector<model::Fit>& fits,
                                 const std::string& factor, const OptimizeOptions& options, int points)
{
    std::vector<FixedCost> curve;
    const Optimum free = findOptimum(study, fits, options);
    const study::Factor* found = study::findFactor(study, factor);
    if (!free.isOk() || found == nullptr || points < 1)
        return curve;
    const SearchSpace space(study, fits, options);
    const Axis& axis = space.axis(study::Coding(study.factors).indexOf(factor));
    for (const study::Value& value : valuesOf(study, *found, axis, static_cast<std::size_t>(points))) {
        if (options.stop.stop_requested())
            break;
        FixedCost cost = costOfFixing(study, fits, factor, value, options, free);
        if (cost.isOk())
            curve.push_back(std::move(cost));
    }
    return curve;
}

} // namespace quadric::optimize
