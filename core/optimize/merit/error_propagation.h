// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict/predict.h"
#include "core/optimize/merit/desirability.h"

#include <Eigen/Core>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>

namespace quadric::optimize {

/// The step of the Kronecker sequence in a dimension: the square root of a prime. After twelve dimensions the
/// steps come back.
inline double kroneckerStep(std::size_t dimension)
{
    constexpr std::array kPrimes = {2.0, 3.0, 5.0, 7.0, 11.0, 13.0, 17.0, 19.0, 23.0, 29.0, 31.0, 37.0};
    return std::sqrt(kPrimes[dimension % kPrimes.size()]);
}

/// Probability that correlated standard normal variables lie between `low` and `high` (entries may be
/// infinite): separation of variables (Genz 1992) over `samples` shifted points of a Kronecker sequence.
/// Exact for one variable and for independent ones. `correlation` is made positive definite by shrinking it
/// where it is not. The same seed gives the same number.
double normalBoxProbability(const Eigen::VectorXd& low, const Eigen::VectorXd& high,
                            const Eigen::MatrixXd& correlation, int samples = 2000, std::uint64_t seed = 1);

/// The predictive distributions of all responses with limits that were set, in a form that a search can ask
/// often.
class ErrorModel {
public:
    /// `goals` stays alive as long as the error model. `shifts` are subtracted from the predictions of the
    /// responses that they name, on the scale of the model.
    ErrorModel(const Goals& goals, bool isCorrelated, const std::map<std::string, double>& shifts = {});

    std::size_t count() const { return m_members.size(); }
    /// Index in the goals.
    std::size_t member(std::size_t i) const { return m_members[i]; }
    /// Responses without an estimate of their error, in words; nothing else may be asked then.
    const std::string& unknown() const { return m_unknown; }

    /// Probabilities of a future run to lie below the lower and below the upper limit, on the scale of the
    /// model.
    model::Interval ranks(std::size_t i, const study::CodedPoint& point) const;

    /// Probability that all limits hold.
    double probability(const study::CodedPoint& point, int samples, std::uint64_t seed) const;

private:
    const Goals& m_goals;
    std::vector<std::size_t> m_members;
    std::vector<model::Interval> m_limits; ///< on the scale of the model
    std::vector<double> m_shifts;
    Eigen::MatrixXd m_correlation;
    std::string m_unknown;
};

/// Standard deviations in use of the settings of numeric factors, by name, in actual units.
using Variation = std::map<std::string, double, std::less<>>;

/// A factor whose setting varies.
struct VaryingFactor {
    std::size_t factor = 0;
    double sd = 0.0; ///< above 0, actual unit
};

/// Throws std::invalid_argument for a name that is no numeric factor, and for a standard deviation that is
/// negative or not finite.
std::vector<VaryingFactor> findVarying(const study::Coding& coding, const Variation& sds);

/// What the variation of settings does to one response.
struct TransmittedError {
    std::string response;
    /// Standard deviation that the settings' variation brings into the response, own unit.
    double sd = 0.0;
    /// Shift of the response's mean by curvature, own unit.
    double shift = 0.0;
    /// Standard deviation of single runs: transmitted and residual. Empty without residual degrees of
    /// freedom.
    std::optional<double> total;
    /// Standard deviation through each factor alone (main part, without mixed terms).
    std::vector<std::pair<std::string, double>> factors;
};

/// Propagation of error from settings that vary independently and normally around their nominal values with
/// the given standard deviations (actual units, numeric factors): second-order expansion of the model,
/// variance Σ gᵢ²sᵢ² + ½ ΣΣ hᵢⱼ² sᵢ²sⱼ², shift ½ Σ hᵢᵢ sᵢ² with gradient g and Hessian h by actual settings.
/// Exact for a quadratic in the actual settings. One entry for each fit that is Ok. Throws
/// std::invalid_argument for settings that cannot be coded, and what findVarying() throws.
std::vector<TransmittedError> propagateError(const study::Study& study, const std::vector<model::Fit>& fits,
                                             const study::Settings& settings, const Variation& sds);

} // namespace quadric::optimize
