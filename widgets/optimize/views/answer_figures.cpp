// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/views/answer_figures.h"

#include "core/optimize/merit/merit_plots.h"
#include "core/study/node_size.h"
#include "widgets/base/theme.h"
#include "widgets/plots/base/axis_scale.h"
#include "widgets/text/wording.h"

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr int kCurvePoints = 31;
constexpr std::size_t kMostLegal = 2000; ///< listed for the arrow keys

double currentValue(const study::Factor& factor, const study::Settings& settings)
{
    const auto found = settings.find(factor.name);
    if (found == settings.end())
        return 0.0;
    const auto* level = std::get_if<std::string>(&found->second);
    if (level == nullptr)
        return std::get<double>(found->second);
    const auto place = std::find(factor.categories.begin(), factor.categories.end(), *level);
    return static_cast<double>(place - factor.categories.begin());
}

/// The curve of the overall desirability has the places of a response's curve, and no errors.
model::EffectCurve overallCurve(const model::EffectCurve& place, std::vector<double> overall)
{
    model::EffectCurve curve;
    curve.factor = place.factor;
    curve.unit = place.unit;
    curve.response = tr("Overall D").toStdString();
    curve.isLog2 = place.isLog2;
    curve.actual = place.actual;
    curve.categories = place.categories;
    curve.isExtrapolation = place.isExtrapolation;
    curve.mean = std::move(overall);
    return curve;
}

ProfilerRange findObservedRange(const std::vector<model::Fit>& fits, const std::string& response)
{
    const auto fit =
        std::ranges::find_if(fits, [&](const model::Fit& each) { return each.response == response; });
    return fit == fits.end() ? ProfilerRange{} : ProfilerRange{fit->smallestObserved, fit->largestObserved};
}

/// No stretch is drawn as extrapolated.
void dropMarks(optimize::Profile& profile)
{
    for (auto& row : profile.curves)
        for (optimize::ProfileCurve& each : row)
            each.curve.isExtrapolation.assign(each.curve.isExtrapolation.size(), false);
}

void addFactor(const Answer& answer, std::size_t index, ProfilerData& data)
{
    const study::Factor& factor = answer.study().factors[index];
    const study::Settings& settings = answer.settings();
    const auto value = settings.find(factor.name);
    data.currentTexts.push_back(value == settings.end() ? std::string()
                                                        : valueText(factor, value->second).toStdString());
    data.factors.push_back(factor);
    data.isLocked.push_back(answer.locked.contains(factor.name));
}

/// Where the factor may stand in a setting that may be the best. A factor without a choice is not shaded.
std::vector<ProfilerRange> shadesOf(const study::Factor& factor, const optimize::FactorRange& range)
{
    if (range.levels.empty())
        return {{range.low, range.high}};
    std::vector<ProfilerRange> shades;
    for (std::size_t level = 0; level < factor.categories.size(); ++level) {
        if (std::ranges::count(range.levels, factor.categories[level]) > 0)
            shades.push_back({static_cast<double>(level) - 0.5, static_cast<double>(level) + 0.5});
    }
    return shades;
}

void addShades(const Answer& answer, ProfilerData& data)
{
    const std::vector<study::Factor>& factors = answer.study().factors;
    if (!answer.region || answer.region->factors().size() != factors.size())
        return;
    for (std::size_t i = 0; i < factors.size(); ++i)
        data.shaded.push_back(shadesOf(factors[i], answer.region->factors()[i]));
}

std::vector<std::vector<ProfilerRange>>
toProfilerRanges(const std::vector<std::vector<study::Range>>& factors)
{
    std::vector<std::vector<ProfilerRange>> all;
    for (const std::vector<study::Range>& ranges : factors) {
        std::vector<ProfilerRange>& added = all.emplace_back();
        for (const study::Range& range : ranges)
            added.push_back({range.low, range.high});
    }
    return all;
}

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

Ramp makeRamp(const study::Factor& factor, const study::Value& value)
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
Ramp makeRamp(const optimize::Desirability& desirability, const optimize::ResponseAtOptimum& at,
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

ProfilerData profilerData(const Answer& answer)
{
    optimize::Profile profile =
        optimize::profile(answer.study(), answer.fits(), answer.settings(), kCurvePoints);
    ProfilerData data;
    if (profile.isEmpty())
        return data;
    if (optimize::readNearRuns(answer.study()) == optimize::NearRuns::Off)
        dropMarks(profile);
    data.cells.resize(profile.responses.size() + 1);
    for (std::size_t factor = 0; factor < answer.study().factors.size(); ++factor) {
        const double current = currentValue(answer.study().factors[factor], answer.settings());
        const std::vector<double> legal =
            study::recommendedValues(answer.study(), answer.study().factors[factor], kMostLegal);
        data.cells.back().push_back(
            {overallCurve(profile.curves.front()[factor].curve, std::move(profile.overall[factor])),
             current,
             {},
             legal,
             true});
        for (std::size_t row = 0; row < profile.responses.size(); ++row) {
            optimize::ProfileCurve& each = profile.curves[row][factor];
            data.cells[row].push_back({std::move(each.curve), current, std::move(each.desirability),
                                       row == 0 ? legal : std::vector<double>{}});
        }
        addFactor(answer, factor, data);
    }
    for (const std::string& response : profile.responses)
        data.rowRanges.push_back(findObservedRange(answer.fits(), response));
    data.rowRanges.push_back({0.0, 1.0});
    addShades(answer, data);
    data.infeasible = toProfilerRanges(profile.infeasible);
    data.failing = toProfilerRanges(profile.failing);
    return data;
}

std::vector<Ramp> makeAnswerRamps(const Answer& answer)
{
    std::vector<Ramp> ramps;
    for (const study::Factor& factor : answer.study().factors) {
        const auto value = answer.settings().find(factor.name);
        if (value == answer.settings().end())
            continue;
        ramps.push_back(makeRamp(factor, value->second));
        ramps.back().isLocked = answer.locked.contains(factor.name);
    }
    for (const optimize::ResponseAtOptimum& at : answer.shown.responses) {
        const study::Response* response = study::findResponse(answer.study(), at.response);
        const auto fit = std::ranges::find(answer.fits(), at.response, &model::Fit::response);
        if (response != nullptr && fit != answer.fits().end() && response->goal != study::Goal::None)
            ramps.push_back(makeRamp(optimize::desirabilityOf(*response, *fit), at, response->unit));
    }
    return ramps;
}

} // namespace quadric::widgets
