// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/predict/level_summary.h"

#include "core/model/fit/observations.h"
#include "core/study/disturbance.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace quadric::model {

namespace {

constexpr double kWhiskerReach = 1.5; ///< interquartile ranges
constexpr double kLevelApart = 1e-9;  ///< coded settings nearer than this are one level
constexpr int kSettingDigits = 6;

/// A run with its place along the factor.
struct PlacedRun {
    double coded = 0.0, actual = 0.0, value = 0.0;
    int run = 0;
};

std::vector<PlacedRun> placeRuns(const study::Study& study, const Observations& data, std::size_t factor)
{
    const study::Coding coding(study.factors);
    const auto index = static_cast<Eigen::Index>(factor);
    std::vector<PlacedRun> placed;
    for (std::size_t i = 0; i < data.runs.size(); ++i) {
        const double coded = data.points[i][index];
        const double actual = study.factors[factor].isNumeric() ? coding.toActual(factor, coded) : coded;
        placed.push_back({coded, actual, data.y[static_cast<Eigen::Index>(i)], data.runs[i]});
    }
    std::ranges::stable_sort(placed, {}, &PlacedRun::coded);
    return placed;
}

using RunGroups = std::vector<std::vector<PlacedRun>>;

RunGroups groupByLevel(const std::vector<PlacedRun>& ascending)
{
    RunGroups levels;
    for (const PlacedRun& run : ascending) {
        if (levels.empty() || run.coded - levels.back().front().coded > kLevelApart)
            levels.emplace_back();
        levels.back().push_back(run);
    }
    return levels;
}

/// Neighboring levels joined into ranges; each run falls into the range that its level's middle rank asks
/// for, so that runs of one level stay together.
RunGroups joinLevels(const RunGroups& levels, std::size_t runs)
{
    RunGroups ranges(kMostRanges);
    std::size_t before = 0;
    for (const auto& level : levels) {
        const double middle = (static_cast<double>(before) + static_cast<double>(level.size()) / 2.0) /
                              static_cast<double>(runs);
        const auto range =
            std::min<std::size_t>(static_cast<std::size_t>(middle * kMostRanges), kMostRanges - 1);
        ranges[range].insert(ranges[range].end(), level.begin(), level.end());
        before += level.size();
    }
    std::erase_if(ranges, [](const auto& range) { return range.empty(); });
    return ranges;
}

std::string nameOfGroup(const study::Factor& factor, const LevelGroup& group)
{
    if (!factor.isNumeric())
        return factor.categories.at(static_cast<std::size_t>(group.low));
    const std::string low = text::formatDigits(group.low, kSettingDigits);
    const std::string high = text::formatDigits(group.high, kSettingDigits);
    return low == high ? low : low + "–" + high;
}

/// `ascending` has at least one value.
BoxStatistics computeBox(const std::vector<double>& ascending)
{
    BoxStatistics box;
    box.lowerQuartile = computeQuantile(ascending, 0.25);
    box.median = computeQuantile(ascending, 0.5);
    box.upperQuartile = computeQuantile(ascending, 0.75);
    const double reach = kWhiskerReach * (box.upperQuartile - box.lowerQuartile);
    box.lowerWhisker = *std::ranges::lower_bound(ascending, box.lowerQuartile - reach);
    box.upperWhisker = *std::prev(std::ranges::upper_bound(ascending, box.upperQuartile + reach));
    return box;
}

void summarizeValues(LevelGroup& group)
{
    std::vector<double> ascending = group.values;
    std::ranges::sort(ascending);
    const auto count = static_cast<double>(ascending.size());
    group.box = computeBox(ascending);
    group.smallest = ascending.front();
    group.largest = ascending.back();
    group.mean = std::accumulate(ascending.begin(), ascending.end(), 0.0) / count;
    if (ascending.size() < 2)
        return;
    double squares = 0.0;
    for (const double value : ascending)
        squares += (value - group.mean) * (value - group.mean);
    group.sd = std::sqrt(squares / (count - 1.0));
}

LevelGroup makeGroup(const study::Study& study, const study::Factor& factor,
                     const std::vector<PlacedRun>& runs)
{
    LevelGroup group;
    group.low = runs.front().actual;
    group.high = runs.back().actual;
    for (const PlacedRun& each : runs) {
        group.runs.push_back(each.run);
        group.values.push_back(each.value);
        const study::Run* run = study::findRun(study, each.run);
        group.isDisturbed.push_back(run != nullptr && study::isDisturbed(*run));
    }
    group.level = nameOfGroup(factor, group);
    summarizeValues(group);
    return group;
}

} // namespace

double computeQuantile(const std::vector<double>& ascending, double share)
{
    const double place = share * static_cast<double>(ascending.size() - 1);
    const auto below = static_cast<std::size_t>(std::floor(place));
    const std::size_t above = std::min(below + 1, ascending.size() - 1);
    return ascending[below] + (place - std::floor(place)) * (ascending[above] - ascending[below]);
}

LevelSummary summarizeLevels(const study::Study& study, const study::Response& response, std::size_t factor)
{
    const study::Factor& along = study.factors.at(factor);
    LevelSummary summary{along.name, along.unit, response.name, response.unit, {}, 0, false};
    const std::vector<PlacedRun> placed = placeRuns(study, collect(study, response.name), factor);
    RunGroups groups = groupByLevel(placed);
    summary.testedLevels = static_cast<int>(groups.size());
    summary.isGrouped = along.isNumeric() && summary.testedLevels > kMostLevels;
    if (summary.isGrouped)
        groups = joinLevels(groups, placed.size());
    for (const auto& group : groups)
        summary.groups.push_back(makeGroup(study, along, group));
    return summary;
}

std::vector<LevelSummary> summarizeLevels(const study::Study& study, std::string_view response)
{
    std::vector<LevelSummary> summaries;
    if (const study::Response* found = study::findResponse(study, response)) {
        for (std::size_t factor = 0; factor < study.factors.size(); ++factor)
            summaries.push_back(summarizeLevels(study, *found, factor));
    }
    return summaries;
}

} // namespace quadric::model
