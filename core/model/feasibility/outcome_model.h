// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/algebra/factorizations.h"
#include "core/model/feasibility/feasibility.h"
#include "core/model/process/kriging.h"

#include <Eigen/Core>

#include <optional>

namespace quadric::model {

/// The standard normal variable is between ± this with 95 %.
inline constexpr double kNormalLimit = 1.959963984540054;

/// Logistic regression whose score is corrected for the bias of few observations (Firth 1993), so that
/// estimates stay finite where the outcomes can be separated (Heinze & Schemper 2002).
struct FirthLogistic {
    Eigen::VectorXd beta;
    Eigen::MatrixXd covariance; ///< (X'WX)⁻¹ at beta
    double logLikelihood = 0.0; ///< penalized: log L + ½ log |X'WX|

    /// Probability of the outcome with this row of the model matrix.
    double probabilityAt(const Eigen::VectorXd& row) const;
    /// log odds, and their standard error.
    double logOddsAt(const Eigen::VectorXd& row) const { return row.dot(beta); }
    double errorAt(const Eigen::VectorXd& row) const;
};

/// `x` of full rank, `hasOutcome` 0 or 1 for each row; empty where it does not converge.
std::optional<FirthLogistic> fitFirth(const Eigen::MatrixXd& x, const Eigen::VectorXd& hasOutcome);

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

/// One method, fitted.
struct OutcomeModel {
    FeasibilityMethod method = FeasibilityMethod::None;
    std::function<RunProbability(const Eigen::VectorXd&)> at;
    std::function<double(const Eigen::VectorXd&)> probabilityAt = {}; ///< `at` without interval; empty: as it
    Eigen::VectorXd leftOut = {}; ///< of each outcome: probability that the setting runs, by all others
};

/// Empty where the method cannot be computed from these runs.
std::optional<OutcomeModel> logisticModel(const study::Study& study, const RunOutcomes& outcomes);
std::optional<OutcomeModel> processModel(const study::Study& study, const RunOutcomes& outcomes);
/// Need `memory_peak_mib` of most runs that worked; per rank a factor that is the number of ranks, the last
/// one the study's limit of memory.
std::optional<OutcomeModel> memoryModel(const study::Study& study, const RunOutcomes& outcomes);
std::optional<OutcomeModel> memoryPerRankModel(const study::Study& study, const RunOutcomes& outcomes);
std::optional<OutcomeModel> memoryLimitModel(const study::Study& study, const RunOutcomes& outcomes);
/// Needs Provenance::memoryEstimateMib of most runs, those that failed among them.
std::optional<OutcomeModel> memoryEstimateModel(const study::Study& study, const RunOutcomes& outcomes);
std::optional<OutcomeModel> memoryEstimatePerRankModel(const study::Study& study,
                                                       const RunOutcomes& outcomes);

} // namespace quadric::model
