// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/merit/desirability.h"

#include <algorithm>
#include <cmath>

namespace quadric::optimize {

namespace {

/// A smaller share of the range is a difference that rounding made: y lies on its limit.
constexpr double kRounding = 1e-12;

/// Share of the way from `zero` (d = 0) to `one` (d = 1), inside [0, 1]; a step where both are the same.
double ramp(double y, double zero, double one)
{
    if (zero == one)
        return y == one ? 1.0 : 0.0;
    const double share = (y - zero) / (one - zero);
    return share <= kRounding ? 0.0 : std::min(share, 1.0);
}

double rising(double y, double low, double high)
{
    return y >= high ? 1.0 : low < high ? ramp(y, low, high) : 0.0;
}

double falling(double y, double low, double high)
{
    return y <= low ? 1.0 : low < high ? ramp(y, high, low) : 0.0;
}

/// Most shapes are straight, and a power takes as long as all else.
double shaped(double share, double exponent)
{
    return exponent == 1.0 ? share : std::pow(share, exponent);
}

/// Width given to a range whose default end lies on the wrong side of what the user set.
double widthOf(const model::Fit& fit, double around)
{
    const double observed = fit.largestObserved - fit.smallestObserved;
    return observed > 0.0 ? observed : std::max(std::abs(around), 1.0);
}

/// The observed end, or the model's own best beyond it. Farther than so many observed ranges a prediction
/// says more of a transform's pole than of the response.
constexpr double kFarthest = 10.0;

/// A search for the own best ends somewhat before it, another one perhaps somewhat earlier: this share of the
/// observed range before the end is the end.
constexpr double kReached = 1e-9;

double wishedEnd(const study::Response& response, const model::Fit& fit, study::Goal goal)
{
    const bool isHigh = goal == study::Goal::Maximize;
    const double observed = isHigh ? fit.largestObserved : fit.smallestObserved;
    if (response.goal != goal || !fit.ownBest || fit.ownBest->goal != goal)
        return observed;
    const double range = fit.largestObserved - fit.smallestObserved;
    const double best = fit.ownBest->value + (isHigh ? -kReached : kReached) * range;
    return isHigh ? std::clamp(best, observed, observed + kFarthest * range)
                  : std::clamp(best, observed - kFarthest * range, observed);
}

/// Moves default limits so that low < target < high, or low < high without a target.
void separateDefaults(Desirability& result, const model::Fit& fit)
{
    const bool hasTarget = result.goal == study::Goal::Target;
    const double above = hasTarget ? result.target : result.low;
    if (result.highIsDefault && result.high <= above)
        result.high = above + widthOf(fit, above);
    const double below = hasTarget ? result.target : result.high;
    if (result.lowIsDefault && result.low >= below)
        result.low = below - widthOf(fit, below);
}

} // namespace

Desirability desirabilityOf(const study::Response& response, const model::Fit& fit)
{
    Desirability result;
    result.response = response.name;
    result.goal = response.goal;
    result.target = response.target;
    result.low = response.low.value_or(wishedEnd(response, fit, study::Goal::Minimize));
    result.high = response.high.value_or(wishedEnd(response, fit, study::Goal::Maximize));
    result.lowIsDefault = !response.low.has_value();
    result.highIsDefault = !response.high.has_value();
    if (!response.shape.empty()) {
        result.shapeBelow = response.shape.front();
        result.shapeAbove = response.shape.back();
    }
    result.weight = response.weight;
    separateDefaults(result, fit);
    return result;
}

double valueOf(const Desirability& desirability, double y)
{
    if (!std::isfinite(y))
        return 0.0;
    const Desirability& d = desirability;
    switch (d.goal) {
    case study::Goal::Maximize:
        return shaped(rising(y, d.low, d.high), d.shapeBelow);
    case study::Goal::Minimize:
        return shaped(falling(y, d.low, d.high), d.shapeAbove);
    case study::Goal::Target:
        return y <= d.target ? shaped(rising(y, d.low, d.target), d.shapeBelow)
                             : shaped(falling(y, d.target, d.high), d.shapeAbove);
    case study::Goal::None:
        break;
    }
    return 1.0;
}

bool takesPart(const Desirability& desirability)
{
    return desirability.goal != study::Goal::None && desirability.weight > 0.0;
}

bool takesPart(const study::Response& response)
{
    return response.goal != study::Goal::None && response.weight > 0.0;
}

double overall(const std::vector<Desirability>& desirabilities, const std::vector<double>& predicted)
{
    double logarithms = 0.0;
    double weights = 0.0;
    for (std::size_t i = 0; i < desirabilities.size() && i < predicted.size(); ++i) {
        const Desirability& desirability = desirabilities[i];
        if (!takesPart(desirability))
            continue;
        const double value = valueOf(desirability, predicted[i]);
        if (value <= 0.0)
            return 0.0;
        logarithms += desirability.weight * std::log(value);
        weights += desirability.weight;
    }
    return weights > 0.0 ? std::exp(logarithms / weights) : 1.0;
}

} // namespace quadric::optimize
