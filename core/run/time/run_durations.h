// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/words/events.h"
#include "core/study/factor.h"
#include "core/study/study.h"

#include <functional>
#include <optional>
#include <vector>

namespace quadric::run {

/// What runs take, alone and together.
struct DurationForecast {
    std::vector<double> seconds; ///< per run, in the order that they were asked in
    /// Quantiles of the sum of weight × seconds: 5 %, 50 %, 95 %.
    double low = 0.0, median = 0.0, high = 0.0;
};

/// How long a run takes, learned from runs that are done: the logarithm of the duration is linear in the
/// coded factors, fitted by ridge regression (Hoerl & Kennard 1970), so that equal durations stay equal and
/// a few runs already show a trend. The interval is that of Student's t.
class DurationModel {
public:
    /// Nothing is learned without factors.
    DurationModel() = default;
    explicit DurationModel(const std::vector<study::Factor>& factors);

    /// A run with these settings took so many seconds; durations that are not above 0 are left out.
    /// The latest 64 count.
    void add(const study::Settings& settings, double seconds);

    bool isEmpty() const { return m_logSeconds.empty(); }

    /// What these runs will take; as many `weights` as runs, not below 0. All zeros before the first
    /// duration.
    DurationForecast forecast(const std::vector<study::Settings>& runs,
                              const std::vector<double>& weights) const;

    /// The seconds of one run after the other, by one fit; empty before the first duration.
    std::function<double(const study::Settings&)> secondsOf() const;

private:
    Eigen::RowVectorXd features(const study::Settings& settings) const;

    study::Coding m_coding{{}};
    std::vector<Eigen::RowVectorXd> m_features;
    std::vector<double> m_logSeconds;
};

/// From the runs that are done and say how long they took.
DurationModel learnDurations(const study::Study& study);

/// Seconds that the pending runs of the built-in workload take, one after the other, as its settings say
/// before any run is done; empty: they do not say.
std::optional<double> expectedSeconds(const study::Study& study);

/// How far one run in progress is.
struct RunProgress {
    study::Settings settings;
    double done = 0.0; ///< 0…1
    double elapsedSeconds = 0.0;
    double share = 1.0; ///< of what is there for runs, Launcher::share()
};

struct WaitingRun {
    study::Settings settings;
    double share = 1.0;
};

/// What a run in progress still takes by its own progress; empty while that says too little.
std::optional<double> secondsLeft(const RunProgress& run);

/// Estimates how long the rest of an experiment takes, from the durations of the runs that are done and their
/// settings, and from the progress of those at work.
class RemainingTime {
public:
    RemainingTime() = default;
    /// Begins with the runs of the study that are done and say how long they took.
    explicit RemainingTime(const study::Study& study);

    void addMeasuredDuration(const study::Settings& settings, double seconds)
    {
        m_model.add(settings, seconds);
    }

    /// How long until the `active` runs and the `waiting` ones are done, each of which begins in its turn as
    /// soon as its share is free; empty while nothing is known. The interval is that of the work of all runs
    /// (seconds × share), in which the order does not matter.
    std::optional<TimeLeft> estimate(const std::vector<WaitingRun>& waiting,
                                     const std::vector<RunProgress>& active) const;

private:
    DurationModel m_model;
};

} // namespace quadric::run
