// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"

#include <optional>
#include <string_view>

namespace quadric::plan {

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
std::optional<double> unitSecondsOf(std::string_view unit);

/// Whether the fit can say how long work takes: it is Ok, leaves degrees of freedom for error, and its unit
/// is one of time or of a speed.
bool tellsTime(const model::Fit& fit);

/// The work that such a fit is taken to speak of where nothing is said: of a speed what the fastest run does
/// in an hour, in one digit; otherwise all of it.
Work usualWork(const model::Fit& fit);

} // namespace quadric::plan
