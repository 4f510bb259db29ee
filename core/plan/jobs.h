// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"
#include "core/model/predict/predict.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quadric::plan {

/// "90", "1.5h", "30min", "1 h 20 min" in seconds, 0 or more; empty for anything else.
std::optional<double> readSpan(std::string_view text);

/// Values of a time response of all runs that are done, or where no response is named how long these runs
/// took, in seconds. Throws std::invalid_argument without such a run, and for a response that is no time.
std::vector<double> observedJobs(const study::Study& study, std::string_view response);

/// What the model predicts of the settings of each run that is done, some factors set to other values, in
/// seconds. Throws std::invalid_argument for a prediction that is not above 0.
std::vector<double> modeledJobs(const model::Fit& fit, const study::Study& study,
                                const study::Settings& instead);

/// What the model predicts along one factor in nine equal steps, the others at the center of the region (the
/// first level of a categorical one) or as in `instead`, in seconds. Throws as modeledJobs().
std::vector<double> modeledJobsAlong(const model::Fit& fit, std::size_t factor,
                                     const study::Settings& instead);

/// What a response says of how long the work takes.
enum class WorkKind {
    Whole,   ///< the time of all of it: fixed + y
    PerUnit, ///< the time of one epoch, step, …: fixed + amount × y
    Speed    ///< epochs, images, … a unit of time: fixed + amount/y
};

/// Work that is to be done in one new run. A run that is slow by chance is so in all of its epochs.
struct Work {
    WorkKind kind = WorkKind::Whole;
    double amount = 1.0;       ///< of epochs, images, …
    double fixedSeconds = 0.0; ///< before the first and after the last of them
    double unitSeconds = 1.0;  ///< of the response's unit of time: 60 for min and for img/min
};

/// Seconds that the work takes at this value of the response, which is above 0.
double secondsOf(const Work& work, double value);

/// Whether a response of this unit is something per something else: "img/s".
bool isRateUnit(std::string_view unit);

/// Seconds of the unit of time in a unit: 60 for "min" and for "img/min". Empty where there is none, as in
/// "J/image".
std::optional<double> secondsPerUnit(std::string_view unit);

/// Whether the fit can say how long work takes: it is Ok, leaves degrees of freedom for error, and its unit
/// is one of time or of a speed.
bool hasTimeUnit(const model::Fit& fit);

/// The work that such a fit is taken to speak of where nothing is said: of a speed what the fastest run does
/// in an hour, in one digit; otherwise all of it.
Work usualWork(const model::Fit& fit);

/// Settings with their reason where there are none.
struct FastestSettings {
    study::Settings settings;
    std::string message;
};

/// The settings that are given; the factors that are not, as the model predicts the fastest run: the largest
/// value of a speed, the smallest of a time.
FastestSettings findFastest(const study::Study& study, const model::Fit& fit, const study::Settings& given);

} // namespace quadric::plan
