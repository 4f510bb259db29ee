// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict/new_run.h"
#include "core/model/predict/predict.h"
#include "core/plan/queue_simulation.h"

#include <optional>

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

/// The time that one new run takes, from the predictive t distribution of the response on the model's scale.
/// `fit` is Ok, leaves degrees of freedom for error, and stays alive as long as this.
class RunTime {
public:
    RunTime(const model::Fit& fit, const Work& work, const study::CodedPoint& point);

    /// P(done within so many seconds).
    double probabilityWithin(double seconds) const;
    /// Done within this time with probability p, 0 < p < 1; infinite where the work may never end (a speed of
    /// 0 is not excluded).
    double quantile(double p) const;
    /// The largest amount that is done within the time with probability p; 0 where none is. Not for
    /// WorkKind::Whole.
    double largestAmount(double seconds, double p) const;
    /// Median with the interval of this confidence.
    Estimate interval(double confidence) const;

private:
    double responseQuantile(double p) const;

    const model::Fit& m_fit;
    Work m_work;
    model::NewRun m_run;
};

/// The largest setting of one factor.
struct LargestSetting {
    double value = 0.0;
    double probability = 0.0; ///< of being done in time
};

/// The largest legal value of a numeric factor, the others as in `settings`, with which the run is done
/// within the time with probability p; of a continuous factor one of 401 equal steps on its scale. Empty
/// where none is. Constraints are not looked at.
std::optional<LargestSetting> findLargestSetting(const model::Fit& fit, const Work& work,
                                                 const study::Settings& settings, std::string_view factor,
                                                 double seconds, double p);

/// How often runs that were left out stayed below the quantiles that the others predicted for them.
struct CalibrationPoint {
    double asked = 0.0;
    double reached = 0.0;
    model::Interval interval; ///< 95 %, Clopper & Pearson 1934, of as many cases as there are runs
};

struct Calibration {
    int runs = 0, settings = 0; ///< that were left out
    int kept = 0;               ///< runs without which the model cannot be estimated; they are not judged
    std::vector<CalibrationPoint> points;
    std::string message; ///< why there are no points
};

/// Leaves out all runs of one setting at a time (as crossValidate() with one fold a setting) and asks which
/// share of them lies below each quantile of the predictive t distribution, exactly what fitting anew without
/// them gives. `isFast`: of a speed, which has to lie above. Terms and transform are kept.
Calibration calibrate(const model::Fit& fit, const std::vector<double>& probabilities, bool isFast = false);

} // namespace quadric::plan
