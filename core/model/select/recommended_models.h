// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"
#include "core/model/select/recommendation.h"

namespace quadric::model {

/// One recommendation for each fit, settled together, for the factors have one scale in all models: the
/// factor scales are those whose best transforms have the lowest sum of AICc, if that is more than 10 lower
/// than with the present ones and settings left out are then predicted better on (geometric) average; the
/// transforms are chosen given these scales. A change either lowers that sum or leaves the factors as they
/// are, so that recommendations that are followed come to an end.
std::vector<Recommendation> recommendTogether(const std::vector<Fit>& fits);

/// fitStudy(), with the transform that the runs recommend (recommendTransform()) for responses that are
/// untouched. Factors keep their scales, which belong to the design.
std::vector<Fit> fitByDefault(const study::Study& study, double confidence = 0.95, bool reduce = false);

/// The study with this transform as the user's choice: the response is touched from then on.
study::Study withTransform(study::Study study, std::string_view response, const study::Transform& transform);

/// The study with all that is recommended: transforms, factor scales, and the model "auto" where something
/// changes. Entry i belongs to response i.
study::Study withRecommendedModels(study::Study study, const std::vector<Recommendation>& recommendations);

/// Root mean squared error for settings left out, response's own unit, on the scales before and after a
/// change: both of models whose terms are reduced by AICc, or both of straight lines where these leave a
/// setting that alone decides a coefficient. Empty where there is no model, or that is so of them, too.
struct ScaleChange {
    std::string response, unit;
    std::optional<double> before, after;
};

/// What other factor scales do to the models of all responses, each with the transform that its study has.
/// Both studies have the same responses.
std::vector<ScaleChange> compareScales(const study::Study& before, const study::Study& after);

} // namespace quadric::model
