// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"
#include "core/optimize/merit/error_propagation.h"
#include "core/optimize/merit/optimum.h"
#include "core/study/study.h"

#include <cstdint>

namespace quadric::optimize {

/// Settings that vary in use, independently and normally around what was chosen.
class VaryingSettings {
public:
    /// Throws what findVarying() throws.
    VaryingSettings(const study::Study& study, const Variation& sds);

    bool isNone() const { return m_varying.empty(); }

    /// So many equally likely points of the distribution around a nominal one, which alone is returned where
    /// nothing varies: the quantiles of a Kronecker sequence (quasi Monte Carlo). They may lie outside the
    /// region; a factor on the log2 scale stays above 0.
    std::vector<study::CodedPoint> around(const study::CodedPoint& nominal, int points) const;

private:
    study::Coding m_coding;
    std::vector<VaryingFactor> m_varying;
};

/// How the user says that settings vary (`view.optimize` of the document); nothing that the study cannot
/// vary.
Variation readVariation(const study::Study& study);

/// The study with another standard deviation of one factor; 0: it is set exactly.
study::Study withVariation(study::Study study, const std::string& factor, double sd);

/// Correlation of the residuals of two fits over the runs that both have; 0 with fewer than three of them.
double residualCorrelation(const model::Fit& a, const model::Fit& b);

/// Of all pairs, in the order of the fits; 1 on the diagonal.
Eigen::MatrixXd residualCorrelations(const std::vector<const model::Fit*>& fits);

/// Probability that one future run keeps the limits of one response.
struct LimitProbability {
    std::string response;
    std::optional<double> low, high; ///< the limits that were set and count
    double probability = 0.0;
};

struct ProbabilityOptions {
    /// Errors of different responses in the same run are correlated as the residuals of the models are
    /// (normal copula). Otherwise they are taken as independent.
    bool isCorrelated = false;
    int samples = 2000; ///< points of the quasi Monte Carlo sum, where errors are correlated
    std::uint64_t seed = 1;
    /// Subtracted from the predictions of these responses, on the scale of their models
    /// (CorrectedPrediction::shift).
    std::map<std::string, double> shifts = {};
    /// How settings vary in use: the probability is the mean over their distribution, by so many points of
    /// it (findRobust() takes fewer while it searches).
    Variation varying = {};
    int settingPoints = 128;
};

/// Probability that one future run meets all limits; where settings vary, of one at settings that are drawn
/// from their distribution. Each response has its own predictive t distribution,
/// ŷ ± t s√(1+h) on the scale of its model.
struct AllLimits {
    /// Empty without limits, and where a model leaves nothing to estimate its error from.
    std::optional<double> probability;
    std::vector<LimitProbability> responses;
    std::string assumption; ///< one sentence on what was assumed; or what is missing
};

/// Responses with a goal, a weight above 0 and a limit that was set take part: maximize has its lower limit
/// to keep, minimize its upper one, a target both. Throws std::invalid_argument for settings that cannot be
/// coded, and as VaryingSettings.
AllLimits limitProbabilities(const study::Study& study, const std::vector<model::Fit>& fits,
                             const study::Settings& settings, const ProbabilityOptions& options = {});

/// Two responses with goals whose residuals are correlated by more than 0.9 in size: nearly one measurement.
struct DependentResponses {
    std::string first, second;
    double correlation = 0.0;
};

/// In the order of the fits. Desirability counts such a pair as two goals, and independent errors make their
/// joint probability too small (or too large, where one limit excludes the other).
std::vector<DependentResponses> findDependentResponses(const study::Study& study,
                                                       const std::vector<model::Fit>& fits);

/// The legal setting with the largest probability that all limits hold.
struct RobustOptimum {
    OptimumStatus status = OptimumStatus::NoModel;
    std::string message;
    study::Settings settings;
    AllLimits limits; ///< there
    /// The probability there after correction of the predictions for having been chosen (correctOptimum(), at
    /// the setting with the largest desirability); empty without a correction.
    std::optional<double> corrected;
    /// The correction takes off a percentage point or more.
    bool isCorrectionWorthWords() const
    {
        return corrected && limits.probability && *corrected <= *limits.probability - 0.01;
    }
    Optimum assessment; ///< predictions and desirabilities there
    bool isOk() const { return status == OptimumStatus::Ok; }
};

/// A job: some ten milliseconds for three factors and four responses. Climbs from settings spread over the
/// region, from the best by desirability and from their neighbors; not proven to be global.
RobustOptimum findRobust(const study::Study& study, const std::vector<model::Fit>& fits,
                         const OptimizeOptions& options = {}, const ProbabilityOptions& probability = {});

} // namespace quadric::optimize
