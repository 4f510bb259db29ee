// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/select/scale_candidates.h"

namespace quadric::model {

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
void takeScales(const ScaleCandidate& candidate, const ScaleSetting& setting, Recommendation& recommendation);

/// A recommendation in words. Its errors are known.
std::string adviceOf(const Recommendation& recommendation, const Fit& fit);

/// The present scales, with the reason why none are recommended.
Recommendation withoutAnswer(const Fit& fit, std::string message);

} // namespace quadric::model
