// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <optional>

namespace quadric::model {

/// Median, quartiles and whiskers of a sample. Quartiles are quantiles of type 7 (Hyndman & Fan 1996), R's
/// default; whiskers end at the outermost values within 1.5 interquartile ranges of the quartiles.
struct BoxStatistics {
    double lowerWhisker = 0.0, lowerQuartile = 0.0, median = 0.0, upperQuartile = 0.0, upperWhisker = 0.0;
};

/// Quantile of type 7 of ascending values, at least one of them; `share` from 0 to 1.
double computeQuantile(const std::vector<double>& ascending, double share);

/// The runs at one level of a factor, or at neighboring levels; response's own unit.
struct LevelGroup {
    std::string level;            ///< "32", "bf16", "8–36"
    double low = 0.0, high = 0.0; ///< actual values of the runs; categorical: index of the level
    std::vector<int> runs;        ///< ids, in the order of `values`
    std::vector<double> values;
    std::vector<bool> isDisturbed; ///< per run
    BoxStatistics box;
    double mean = 0.0, smallest = 0.0, largest = 0.0;
    std::optional<double> sd; ///< sample standard deviation; empty for a single run
};

/// What was observed at each level of a factor, whatever the other factors were set to.
struct LevelSummary {
    std::string factor, factorUnit, response, responseUnit;
    std::vector<LevelGroup>
        groups; ///< ascending; categories in the factor's order, those without runs left out
    int testedLevels = 0;
    bool isGrouped =
        false; ///< more tested levels than can be told apart: ranges of about equal numbers of runs
};

/// Factors with more tested levels than this are shown by ranges.
inline constexpr int kMostLevels = 8;
/// Into how many they are grouped at most.
inline constexpr int kMostRanges = 5;

/// Of the runs that a model of the response is fitted to: done, with a result, neither excluded nor
/// confirming. No groups where there are no such runs. Throws std::invalid_argument for settings that cannot
/// be coded.
LevelSummary summarizeLevels(const study::Study& study, const study::Response& response, std::size_t factor);

/// The same for every factor.
std::vector<LevelSummary> summarizeLevels(const study::Study& study, std::string_view response);

} // namespace quadric::model
