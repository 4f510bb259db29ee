// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/regression.h"
#include "core/model/select/recommendation.h"

namespace quadric::model {

/// The runs of a fit and the scales that its factors can have.
struct ScaleSetting {
    std::vector<study::Factor> factors;
    Observations data;
    std::vector<std::size_t> open; ///< factors that can be coded either way
    std::vector<bool> present;     ///< per factor: on log2 now
    double rankTolerance = FitOptions{}.rankTolerance;
};

/// `fit` is Ok and has its data.
ScaleSetting makeScaleSetting(const Fit& fit);

/// The factors with log2 or linear coding of the numeric ones.
std::vector<study::Factor> withScale(std::vector<study::Factor> factors, const std::vector<bool>& isLog2);

/// Every choice of scales that the values allow, judged by its first-order model, best first.
std::vector<ScaleCandidate> candidatesOf(const Fit& fit, const ScaleSetting& setting);

/// Root mean squared error in the response's own unit for settings left out: of the terms as they are, or
/// reduced by AICc on the candidate's scales. Empty where a setting alone decides a coefficient.
std::optional<double> errorOf(const ScaleSetting& setting, const ScaleCandidate& candidate, const Fit& fit,
                              const std::vector<Term>& terms, bool isReduced);

bool isSameTransform(const study::Transform& a, const study::Transform& b);

/// The best candidate; among those within 2 of the lowest AICc the one with the logarithm, and with log2 for
/// counts that multiply. `candidates`: best first, not empty.
const ScaleCandidate& preferred(const std::vector<ScaleCandidate>& candidates, const ScaleSetting& setting);

/// Errors of two candidates for settings left out, both of models reduced by AICc or both of straight lines.
std::pair<std::optional<double>, std::optional<double>>
compareErrors(const ScaleSetting& setting, const ScaleCandidate& a, const ScaleCandidate& b, const Fit& fit);

/// Chooses between the best candidate, where it is better by AICc and by the error for settings left out, the
/// likeliest power, where its interval excludes the present one and settings left out are predicted no worse,
/// and the present scales.
void decide(const Fit& fit, const ScaleSetting& setting, const ScaleCandidate& present,
            const ScaleCandidate& best, Recommendation& recommendation);

/// Writes the scales of the candidate into the recommendation.
void recordScales(const ScaleCandidate& candidate, const ScaleSetting& setting,
                  Recommendation& recommendation);

/// A recommendation in words. Its errors are known.
std::string describeRecommendation(const Recommendation& recommendation, const Fit& fit);

/// The present scales, with the reason why none are recommended.
Recommendation withoutAnswer(const Fit& fit, std::string message);

} // namespace quadric::model
