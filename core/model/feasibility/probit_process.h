// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/algebra/cholesky.h"
#include "core/model/process/correlation.h"

#include <optional>

namespace quadric::model {

/// Mean and variance of a latent value; the probability of the outcome is Φ(mean/√(1 + variance)).
struct LatentValue {
    double mean = 0.0, variance = 0.0;
    double probability() const;
};

/// Gaussian process for an outcome that happens or not (Rasmussen & Williams 2006, 3.3 and 3.6): a latent
/// plane plus a latent surface with Matérn 5/2 correlation, seen through the normal distribution function;
/// expectation propagation, parameters likeliest a posteriori.
class ProbitProcess {
public:
    /// Points are rows of coded values. Empty where it cannot be computed.
    static std::optional<ProbitProcess> fit(const std::vector<study::Factor>& factors,
                                            const Eigen::MatrixXd& points,
                                            const std::vector<bool>& hasOutcome);

    LatentValue at(const Eigen::VectorXd& x) const;

    /// Of each observed outcome "happens", by all others.
    const Eigen::VectorXd& leftOut() const { return m_leftOut; }
    double logEvidence() const { return m_logEvidence; }

    /// log of the evidence for given parameters (those of the correlation, log of the surface's standard
    /// deviation, log of that of the plane's slopes) and its slopes by them.
    static double evidence(const Correlation& correlation, const Eigen::MatrixXd& points,
                           const Eigen::VectorXd& signs, const Eigen::VectorXd& parameters,
                           Eigen::VectorXd* slopes);

private:
    Correlation m_correlation;
    Eigen::MatrixXd m_points;
    Eigen::VectorXd m_parameters;
    Eigen::VectorXd m_rootPrecision, m_weights; ///< mean = k'weights
    algebra::Cholesky m_factor;
    Eigen::VectorXd m_leftOut;
    double m_logEvidence = 0.0;
};

} // namespace quadric::model
