// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/coding.h"

#include <optional>

namespace quadric::run {

/// How long a run takes, learned from runs that are done: the logarithm of the duration is linear in the
/// coded factors, with normal priors on the slopes (Bayesian linear regression; Rasmussen & Williams 2006,
/// ch. 2). Durations of equal settings differ by 5 %; how strongly durations depend on the settings at all is
/// the value of highest marginal likelihood among a few, so that equal durations stay equal and a few runs
/// already show a trend.
class DurationModel {
public:
    /// Nothing is learned without factors.
    DurationModel() = default;
    explicit DurationModel(const std::vector<study::Factor>& factors);

    /// A run with these settings took so many seconds; durations that are not above 0 are left out.
    /// The latest 64 count.
    void add(const study::Settings& settings, double seconds);

    /// Expected seconds per run (the mean of the log-normal distribution), in the order of `runs`; empty
    /// before the first duration.
    std::vector<double> seconds(const std::vector<study::Settings>& runs) const;

private:
    /// Level and slopes of log seconds, as far as the known runs tell them.
    struct Belief {
        Eigen::VectorXd mean;
        Eigen::MatrixXd covariance;
    };

    Eigen::VectorXd features(const study::Settings& settings) const;
    Belief learned() const;

    study::Coding m_coding{{}};
    std::vector<Eigen::VectorXd> m_features;
    std::vector<double> m_logSeconds;
    mutable std::optional<Belief> m_belief; ///< empty: not learned since the last duration
};

} // namespace quadric::run
