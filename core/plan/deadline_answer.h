// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/deadline.h"

#include <array>

namespace quadric::plan {

/// A run that has to be done in time.
struct DeadlineQuestion {
    Work work = {};
    study::Settings settings = {}; ///< all factors
    double seconds = 0.0;          ///< that there are
    double probability = 0.95;     ///< that is asked for
    std::string largest = {};      ///< the factor whose largest setting is asked for; empty: none
};

/// What a curve of the probability goes along.
enum class SizeKind { Amount, Setting, Time };

/// The probability of being done in time over the size of the work: its amount, the setting of a factor, or
/// where the work is all that the response tells, over the time that there is.
struct SizeCurve {
    SizeKind kind = SizeKind::Amount;
    std::vector<double> sizes, probabilities;
};

struct DeadlineAnswer {
    study::Settings settings = {};            ///< with the largest setting, where it was asked for and found
    bool isExtrapolation = false;             ///< at these settings
    double probability = 0.0;                 ///< of being done in time there
    double quantile = 0.0;                    ///< seconds with the probability that was asked for
    Estimate time = {};                       ///< median and 95 % interval
    std::optional<double> largestAmount = {}; ///< not for WorkKind::Whole
    std::optional<LargestSetting> largest = {}; ///< empty where none is, or none was asked for
    SizeCurve curve = {};
    Calibration calibration = {};
};

/// `fit` as for RunTime. Throws as findLargestSetting().
DeadlineAnswer answerDeadline(const model::Fit& fit, const DeadlineQuestion& question);

/// The shares at which calibrations are told.
inline constexpr std::array kAskedShares = {0.5, 0.8, 0.9, 0.95, 0.99};

} // namespace quadric::plan
