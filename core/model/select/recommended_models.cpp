// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/select/recommended_models.h"

#include "core/model/base/thresholds.h"
#include "core/model/select/scale_candidates.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <cmath>
#include <tuple>

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

/// The candidates of one fit while scales are settled for all.
struct Choice {
    const Fit* fit = nullptr;
    ScaleSetting setting;
    std::vector<ScaleCandidate> candidates;

    std::vector<ScaleCandidate> on(const std::vector<bool>& isLog2) const
    {
        std::vector<ScaleCandidate> found;
        std::ranges::copy_if(candidates, std::back_inserter(found),
                             [&](const ScaleCandidate& each) { return each.isLog2 == isLog2; });
        return found;
    }

    /// With the transform that the fit has; null where that is not among the candidates.
    static const ScaleCandidate* findPresent(const std::vector<ScaleCandidate>& among, const Fit& fit)
    {
        const auto found = std::ranges::find_if(among, [&fit](const ScaleCandidate& each) {
            return isSameTransform(each.transform, fit.transform);
        });
        return found == among.end() ? nullptr : &*found;
    }
};

/// Sum of AICc over the responses, each with its best transform; empty where a response has no candidate.
std::optional<double> costOf(const std::vector<Choice>& choices, const std::vector<bool>& isLog2)
{
    double sum = 0.0;
    for (const Choice& choice : choices) {
        const std::vector<ScaleCandidate> candidates = choice.on(isLog2);
        if (candidates.empty())
            return std::nullopt;
        sum += candidates.front().aicc;
    }
    return sum;
}

/// Mean logarithm of the ratio of errors for settings left out, `isLog2` against the present scales, with the
/// best transforms of both; above 0 where that cannot be told.
double compareErrors(const std::vector<Choice>& choices, const std::vector<bool>& isLog2)
{
    double sum = 0.0;
    for (const Choice& choice : choices) {
        const auto [before, after] = compareErrors(choice.setting, choice.on(choice.setting.present).front(),
                                                   choice.on(isLog2).front(), *choice.fit);
        if (!before || !after || !(*before > 0.0))
            return 1.0;
        sum += std::log(*after / *before);
    }
    return sum / static_cast<double>(choices.size());
}

/// The factor scales on which all responses together do best.
std::vector<bool> settleFactorScales(const std::vector<Choice>& choices)
{
    const std::vector<bool>& present = choices.front().setting.present;
    const std::optional<double> now = costOf(choices, present);
    std::vector<bool> best = present;
    double lowest = now.value_or(0.0) - kNoSupport;
    for (const ScaleCandidate& each : choices.front().candidates) {
        const std::optional<double> cost = costOf(choices, each.isLog2);
        if (now && cost && *cost < lowest) {
            best = each.isLog2;
            lowest = *cost;
        }
    }
    return best != present && compareErrors(choices, best) < 0.0 ? best : present;
}

/// The transform of one response on the factor scales that are settled.
Recommendation recommendOn(const std::vector<bool>& isLog2, const Choice& choice)
{
    const Fit& fit = *choice.fit;
    const ScaleSetting& setting = choice.setting;
    const std::vector<ScaleCandidate> before = choice.on(setting.present), after = choice.on(isLog2);
    const ScaleCandidate* present = Choice::findPresent(before, fit);
    const ScaleCandidate* chosen = Choice::findPresent(after, fit);
    if (present == nullptr || chosen == nullptr)
        return withoutAnswer(fit, "The runs are too few to compare scales of the response and the factors.");
    const ScaleCandidate& best = preferred(after, setting);
    Recommendation recommendation;
    recommendation.candidates = choice.candidates;
    if (isLog2 == setting.present) {
        decide(fit, setting, *present, best, recommendation);
        return recommendation;
    }
    const auto [kept, changed] = compareErrors(setting, *chosen, best, fit);
    if (best.aicc < chosen->aicc - kNoSupport && kept && changed && *changed < *kept)
        chosen = &best;
    std::tie(recommendation.presentError, recommendation.recommendedError) =
        compareErrors(setting, *present, *chosen, fit);
    recommendation.isRecommended = true;
    recordScales(*chosen, setting, recommendation);
    if (!recommendation.presentError || !recommendation.recommendedError)
        return withoutAnswer(fit, "The runs are too few to compare scales of the response and the factors.");
    recommendation.message = describeRecommendation(recommendation, fit);
    return recommendation;
}

ScaleCandidate candidateFor(const Fit& fit, const std::vector<study::Factor>& factors)
{
    ScaleCandidate candidate;
    candidate.transform = fit.transform;
    for (const study::Factor& factor : factors)
        candidate.isLog2.push_back(factor.isNumeric() && factor.scale == study::Scale::Log2);
    return candidate;
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

std::vector<Recommendation> recommendTogether(const std::vector<Fit>& fits)
{
    std::vector<Recommendation> recommendations;
    std::vector<Choice> choices;
    std::vector<std::size_t> places;
    for (const Fit& fit : fits) {
        recommendations.push_back(recommendScales(fit));
        if (recommendations.back().candidates.empty())
            continue;
        choices.push_back({&fit, makeScaleSetting(fit), recommendations.back().candidates});
        places.push_back(recommendations.size() - 1);
    }
    if (choices.size() < 2)
        return recommendations;
    const std::vector<bool> isLog2 = settleFactorScales(choices);
    for (std::size_t i = 0; i < choices.size(); ++i)
        recommendations[places[i]] = recommendOn(isLog2, choices[i]);
    return recommendations;
}

std::vector<ScaleChange> compareScales(const study::Study& before, const study::Study& after)
{
    const std::vector<Fit> then = fitByDefault(before), now = fitByDefault(after);
    std::vector<ScaleChange> changes;
    for (std::size_t i = 0; i < before.responses.size(); ++i) {
        ScaleChange& change = changes.emplace_back();
        change.response = before.responses[i].name;
        change.unit = before.responses[i].unit;
        if (then[i].isOk() && now[i].isOk())
            std::tie(change.before, change.after) =
                compareErrors(makeScaleSetting(then[i]), candidateFor(then[i], before.factors),
                              candidateFor(now[i], after.factors), then[i]);
    }
    return changes;
}

} // namespace quadric::model
