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

/// What a response says of how long the work takes.
enum class WorkKind {
    Whole,   ///< the time of all of it: y
    PerUnit, ///< the time of one epoch, step, …: amount × y
    Speed    ///< epochs, images, … a unit of time: amount/y
};

/// Work that is to be done in one new run. A run that is slow by chance is so in all of its epochs.
struct Work {
    WorkKind kind = WorkKind::Whole;
    double amount = 1.0;      ///< of epochs, images, …
    double unitSeconds = 1.0; ///< of the response's unit of time: 60 for min and for img/min
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

/// What the work takes in each run that is done, in seconds. Throws std::invalid_argument without such a run.
std::vector<double> observedJobs(const study::Study& study, const model::Fit& fit, const Work& work);

/// What it takes as the model predicts: at the settings of each run that is done, or along one factor in nine
/// equal steps, the others at the center of the region (the first level of a categorical one); factors of
/// `instead` are set to its values. Throws std::invalid_argument for a prediction that is not above 0.
std::vector<double> modeledJobs(const study::Study& study, const model::Fit& fit, const Work& work,
                                const study::Settings& instead, std::optional<std::size_t> along = {});

} // namespace quadric::plan
