// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/select/recommended_models.h"
#include "core/text/numbers.h"

namespace quadric::model {

namespace {

std::string describeDefault(const Recommendation& recommendation, const Fit& fit)
{
    const std::string unit = fit.unit.empty() ? "" : " " + fit.unit;
    return "Transform " + study::nameOf(recommendation.transform) +
           " by default: settings left out of the fit are predicted with an error of " +
           text::formatBriefly(recommendation.recommendedError.value()) + unit + " instead of " +
           text::formatBriefly(recommendation.presentError.value()) + unit + ".";
}

/// Nothing was chosen for this response: the study has neither a model nor a transform for it.
bool isUntouched(const study::Study& study, const study::Response& response)
{
    return response.transform.kind == study::TransformKind::None && !study.model.contains(response.name);
}

} // namespace

std::vector<Fit> fitByDefault(const study::Study& study, double confidence, bool reduce)
{
    std::vector<Fit> fits = fitStudy(study, confidence, reduce);
    study::Study transformed = study;
    transformed.responses.clear();
    for (std::size_t i = 0; i < fits.size(); ++i) {
        if (!isUntouched(study, study.responses[i]))
            continue;
        const Recommendation recommendation = recommendTransform(fits[i]);
        if (!recommendation.isRecommended)
            continue;
        transformed.responses = {study.responses[i]};
        transformed.responses.front().transform = recommendation.transform;
        Fit fit = fitStudy(transformed, confidence, reduce).front();
        if (!fit.isOk())
            continue;
        fit.choice += (fit.choice.empty() ? "" : " ") + describeDefault(recommendation, fit);
        fits[i] = std::move(fit);
    }
    return fits;
}

study::Study withTransform(study::Study study, std::string_view response, const study::Transform& transform)
{
    for (study::Response& each : study.responses) {
        if (each.name != response)
            continue;
        each.transform = transform;
        if (!isUntouched(study, each))
            continue;
        const bool isQuadratic = fitResponse(study, response).status != FitStatus::TooFewRuns;
        study.model[each.name] = isQuadratic ? "quadratic" : "auto";
    }
    return study;
}

study::Study withRecommendedModels(study::Study study, const std::vector<Recommendation>& recommendations)
{
    for (std::size_t i = 0; i < recommendations.size() && i < study.responses.size(); ++i) {
        if (!recommendations[i].isRecommended)
            continue;
        const std::string name = study.responses[i].name;
        study = withScales(std::move(study), name, recommendations[i]);
        study.model[name] = "auto";
    }
    return study;
}

} // namespace quadric::model
