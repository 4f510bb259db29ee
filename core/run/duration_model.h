// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/coding.h"

#include <optional>

namespace quadric::run {

/// What runs take, alone and together.
struct DurationForecast {
    std::vector<double> seconds; ///< per run, in the order that they were asked in
    /// Quantiles of the sum of weight × seconds: 5 %, 50 %, 95 %.
    double low = 0.0, median = 0.0, high = 0.0;
};

/// How long a run takes, learned from runs that are done: the logarithm of the duration is linear in the
/// coded factors, with normal priors on the slopes (Bayesian linear regression; Rasmussen & Williams 2006,
/// ch. 2). How strongly durations depend on the settings at all, and how much those of equal settings differ,
/// is not known: a few values of both are tried, and what they say is averaged by their marginal likelihood
/// (Bayesian model averaging; Hoeting et al. 1999). So equal durations stay equal, a few runs already show a
/// trend, and as long as they cannot tell, the interval is wide.
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
    /// Level and slopes of log seconds under one assumption, as far as the known runs tell them.
    struct Belief {
        Eigen::VectorXd mean;
        Eigen::MatrixXd covariance;
        double noiseSd = 0.0; ///< of log seconds at equal settings
        double share = 1.0;   ///< probability of the assumption; before normalising its logarithm
    };

    Eigen::VectorXd features(const study::Settings& settings) const;
    /// Those that are not next to impossible, likeliest first; their shares sum to 1.
    std::vector<Belief> learned() const;
    static Belief beliefUnder(const Eigen::MatrixXd& x, const Eigen::VectorXd& y, double slopeSd,
                              double noiseSd);

    study::Coding m_coding{{}};
    std::vector<Eigen::VectorXd> m_features;
    std::vector<double> m_logSeconds;
    mutable std::vector<Belief> m_beliefs; ///< empty: not learned since the last duration
};

} // namespace quadric::run
