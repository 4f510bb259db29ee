// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/views/answer_figures.h"

#include "core/optimize/merit/merit_plots.h"
#include "core/study/node_size.h"
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
    curve.response = tr("Score").toStdString();
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

} // namespace quadric::widgets
