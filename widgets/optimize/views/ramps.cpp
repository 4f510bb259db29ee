// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/views/ramps.h"

#include "widgets/base/theme.h"
#include "widgets/plots/base/axis_scale.h"
#include "widgets/text/wording.h"

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr int kHeights = 41;

Ramp categoricalRamp(const study::Factor& factor, const std::string& level)
{
    Ramp ramp;
    const auto found = std::ranges::find(factor.categories, level);
    const auto last = static_cast<double>(factor.categories.size()) - 1.0;
    ramp.place = last > 0.0 ? static_cast<double>(found - factor.categories.begin()) / last : 0.5;
    ramp.low = nameText(factor.categories.front());
    ramp.high = nameText(factor.categories.back());
    return ramp;
}

Ramp rampOf(const study::Factor& factor, const study::Value& value)
{
    Ramp ramp;
    if (const auto* level = std::get_if<std::string>(&value)) {
        ramp = categoricalRamp(factor, *level);
    } else {
        const AxisScale scale{factor.low, factor.high, factor.scale == study::Scale::Log2};
        ramp.place = scale.fractionOf(std::get<double>(value));
        ramp.low = formatNumber(factor.low);
        ramp.high = formatNumber(factor.high);
    }
    ramp.name = nameText(factor.name);
    ramp.value = valueText(factor, value);
    ramp.isFactor = true;
    return ramp;
}

/// From limit to limit; a prediction beyond them stands at the end.
Ramp rampOf(const optimize::Desirability& desirability, const optimize::ResponseAtOptimum& at,
            const std::string& unit)
{
    std::vector<double> ends{desirability.low, desirability.high};
    if (desirability.goal == study::Goal::Target)
        ends.push_back(desirability.target);
    const AxisScale scale = scaleOver(ends, false);
    Ramp ramp;
    ramp.name = nameText(at.response);
    ramp.value = predictionText(at.predicted, unit);
    ramp.low = formatNumber(scale.low);
    ramp.high = formatNumber(scale.high);
    ramp.place = scale.fractionOf(at.predicted.mean);
    for (int i = 0; i < kHeights; ++i)
        ramp.heights.push_back(
            optimize::valueOf(desirability, scale.actualAt(static_cast<double>(i) / (kHeights - 1))));
    if (const std::optional<model::Interval>& interval = at.predicted.ofNewRuns())
        ramp.interval = std::pair(scale.fractionOf(interval->low), scale.fractionOf(interval->high));
    return ramp;
}

} // namespace

std::vector<Ramp> rampsOf(const Answer& answer)
{
    std::vector<Ramp> ramps;
    for (const study::Factor& factor : answer.study().factors) {
        const auto value = answer.settings().find(factor.name);
        if (value == answer.settings().end())
            continue;
        ramps.push_back(rampOf(factor, value->second));
        ramps.back().isLocked = answer.locked.contains(factor.name);
    }
    for (const optimize::ResponseAtOptimum& at : answer.shown.responses) {
        const study::Response* response = study::findResponse(answer.study(), at.response);
        const auto fit = std::ranges::find(answer.fits(), at.response, &model::Fit::response);
        if (response != nullptr && fit != answer.fits().end() && response->goal != study::Goal::None)
            ramps.push_back(rampOf(optimize::desirabilityOf(*response, *fit), at, response->unit));
    }
    return ramps;
}

} // namespace quadric::widgets
