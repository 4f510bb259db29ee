// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/coding.h"
#include "core/study/study.h"

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

private:
    Eigen::RowVectorXd features(const study::Settings& settings) const;

    study::Coding m_coding{{}};
    std::vector<Eigen::RowVectorXd> m_features;
    std::vector<double> m_logSeconds;
};

/// From the runs that ended by themselves: done, or failed for a reason that repeats.
DurationModel learnDurations(const study::Study& study);

} // namespace quadric::run
