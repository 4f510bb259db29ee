// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict/canonical.h"
#include "core/model/predict/predict.h"

namespace quadric::model {

/// Confidence region of a stationary point over some numeric factors, the others held (Box & Hunter 1954):
/// the places where the hypothesis that the fitted slopes along those factors are all 0 is not rejected,
/// g'V⁻¹g / (k s²) ≤ F(1 − α; k, df), g = the slopes there and V their (unscaled) covariance. It need be
/// neither bounded nor in one piece.
class StationaryRegion {
public:
    /// `at` holds the other factors. Empty without an error estimate, or where none of these factors bends
    /// the model or is in an interaction.
    static std::optional<StationaryRegion> of(const Fit& fit, std::vector<std::size_t> factors,
                                              const study::CodedPoint& at);

    /// The left side of the inequality over the right one: at most 1 inside. Infinite where the slopes are
    /// known without error and not 0. `coded`: the factors in the order given.
    double ratioAt(const Eigen::VectorXd& coded) const;

private:
    StationaryRegion() = default;

    const Fit* m_fit = nullptr; ///< stays alive as long as the region
    std::vector<std::size_t> m_factors;
    study::CodedPoint m_at;
    double m_limit = 0.0;
};

/// ratioAt() over an even grid of two numeric factors from low to high; empty where there is no region.
Eigen::MatrixXd stationaryRatios(const Fit& fit, std::size_t x, std::size_t y, const study::CodedPoint& at,
                                 int points);

/// Intervals of the eigenvalues, λ ± t se, each that of the quadratic coefficient along its canonical axis
/// (double linear regression, Bisgaard & Ankenman 1996). Empty without an error estimate.
std::vector<Interval> eigenvalueIntervals(const Fit& fit, const Canonical& canonical,
                                          const study::CodedPoint& at);

/// Whether the intervals leave no doubt about the sign of any eigenvalue, and with it about the kind of the
/// stationary point.
bool isKindCertain(const std::vector<Interval>& eigenvalues);

} // namespace quadric::model
