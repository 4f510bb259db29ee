// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict/predict.h"
#include "core/plan/jobs.h"
#include "core/plan/queue/queue_plan.h"

#include <optional>

namespace quadric::plan {

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
    /// The same at a t value with df() degrees of freedom, which is above 0 for runs slower than the median.
    double secondsAt(double t) const;
    double df() const { return m_run.df; }
    /// The largest amount that is done within the time with probability p; 0 where none is. Not for
    /// WorkKind::Whole.
    double largestAmount(double seconds, double p) const;
    /// Median with the 95 % interval.
    Estimate interval() const;

private:
    bool isFalling() const;
    double responseAt(double z) const;
    double slowResponse(double p) const;
    double secondsFor(double y) const;

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

/// How often runs that were left out stayed below the quantile that the others predicted for them.
struct Calibration {
    int runs = 0, settings = 0;    ///< that were left out
    int kept = 0;                  ///< runs without which the model cannot be estimated; they are not judged
    double reached = 0.0;          ///< share of the runs
    model::Interval interval = {}; ///< 95 %, Clopper & Pearson 1934, of as many cases as there are runs
    std::string message = {};      ///< why no run could be left out
};

/// Leaves out all runs of one setting at a time (as crossValidate() with one fold a setting) and asks which
/// share of them lies below the quantile of this probability of the predictive t distribution, exactly what
/// fitting anew without them gives. `isFast`: of a speed, which has to lie above. Terms and transform are
/// kept.
Calibration calibrate(const model::Fit& fit, double probability, bool isFast = false);

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
    std::pair<double, double> asked = {}; ///< the size that is asked about, and its probability
    std::optional<double> largest = {};   ///< with the probability asked for; of the time, the shortest
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
    Calibration calibration = {}; ///< of the probability that was asked for
};

/// `fit` as for RunTime. Throws as findLargestSetting().
DeadlineAnswer answerDeadline(const model::Fit& fit, const DeadlineQuestion& question);

} // namespace quadric::plan
