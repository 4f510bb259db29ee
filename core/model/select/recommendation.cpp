// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/select/recommendation.h"

#include "core/algebra/products.h"
#include "core/model/base/model_size.h"
#include "core/model/base/thresholds.h"
#include "core/model/fit/reduce.h"
#include "core/model/fit/regression.h"
#include "core/model/select/boxcox.h"
#include "core/model/select/scale_candidates.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <cctype>
#include <tuple>

namespace quadric::model {

namespace {

/// Every power of `part` is at most that of `whole`.
bool contains(const Term& whole, const Term& part)
{
    return std::ranges::equal(whole.powers, part.powers, std::ranges::greater_equal{});
}

constexpr double kWhole = 0.95;
constexpr double kPartial = 0.1;

/// Runs × columns² up to which the rank is computed: some hundredths of a second.
constexpr double kMostAliasWork = 1e8;

std::vector<Term> termsOutside(const Fit& fit)
{
    std::vector<Term> outside = choosableTerms(fit.terms, fit.factors);
    std::erase_if(outside, [&](const Term& term) { return std::ranges::count(fit.terms, term) > 0; });
    return outside;
}

/// The runs cannot estimate all of these columns beside those of the model.
bool exceedsRuns(const Regression& regression, const Eigen::MatrixXd& outside)
{
    const Eigen::Index columns = regression.x.cols() + outside.cols();
    if (columns > regression.x.rows())
        return true;
    Eigen::MatrixXd both(regression.x.rows(), columns);
    both << regression.x, outside;
    return std::ssize(orthogonalBasis(both, FitOptions{}.rankTolerance).kept) < columns;
}

/// The largest weight that a column of the term outside has in an estimate of the term inside.
double weightOf(const Eigen::MatrixXd& weights, const std::vector<Eigen::Index>& inside,
                const std::vector<Column>& columns, const Term& outside)
{
    double weight = 0.0;
    for (std::size_t j = 0; j < columns.size(); ++j)
        for (std::size_t i = 0; columns[j].term == outside && i < inside.size(); ++i)
            weight = std::max(weight, std::abs(weights(inside[i], static_cast<Eigen::Index>(j))));
    return weight;
}

using study::Transform;
using study::TransformKind;

/// A count that spans this factor is one that multiplies.
constexpr double kMultiplies = 4.0;

/// Smaller is taken first among candidates that the data cannot tell apart: the logarithm, then no transform;
/// log2 for counts that multiply, then the scale that a factor has.
int preference(const ScaleCandidate& candidate, const ScaleSetting& setting)
{
    static const std::vector<TransformKind> order{TransformKind::Log,    TransformKind::None,
                                                  TransformKind::Sqrt,   TransformKind::Inverse,
                                                  TransformKind::BoxCox, TransformKind::Logit};
    const auto place = std::ranges::find(order, candidate.transform.kind) - order.begin();
    int changes = 0;
    for (const std::size_t i : setting.open) {
        const study::Factor& factor = setting.factors[i];
        const bool multiplies =
            factor.type == study::FactorType::Integer && factor.high >= kMultiplies * factor.low;
        changes += candidate.isLog2[i] != (multiplies || setting.present[i]) ? 1 : 0;
    }
    return static_cast<int>(place) * 100 + changes;
}

/// "take the logarithm of y".
std::string transformAdvice(const Transform& transform, const std::string& response)
{
    switch (transform.kind) {
    case TransformKind::Log:
        return "take the logarithm of " + response;
    case TransformKind::Sqrt:
        return "take the square root of " + response;
    case TransformKind::Inverse:
        return "take the inverse of " + response;
    case TransformKind::BoxCox:
        return "take the power " + study::toText(transform.lambda) + " of " + response;
    case TransformKind::Logit:
        return "take the logit of " + response;
    case TransformKind::None:
        break;
    }
    return "take " + response + " without a transform";
}

std::string capitalized(std::string text)
{
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    return text;
}

bool isClearlyBetter(const ScaleCandidate& best, const ScaleCandidate& present,
                     const Recommendation& recommendation)
{
    return best.aicc < present.aicc - kNoSupport && recommendation.presentError &&
           recommendation.recommendedError && *recommendation.recommendedError < *recommendation.presentError;
}

/// Few runs can make an extreme power the likeliest on which new settings are predicted much worse.
bool predictsWorse(const Recommendation& recommendation)
{
    return recommendation.presentError && recommendation.recommendedError &&
           *recommendation.recommendedError > *recommendation.presentError;
}

std::string intervalAdvice(const Transform& transform, const BoxCox& profile, const Fit& fit)
{
    const auto uncertainty =
        profile.low && profile.high ? std::optional((*profile.high - *profile.low) / 2) : std::nullopt;
    const auto end = [&](const std::optional<double>& value, const char* open) {
        return value ? text::formatNumber(*value, uncertainty, text::Typography::Typeset) : std::string(open);
    };
    return capitalized(transformAdvice(transform, fit.response)) +
           ": the 95 % interval of its Box–Cox power, " + end(profile.low, "below −5") + " to " +
           end(profile.high, "above 5") + ", excludes the present scale (" +
           text::formatExactly(powerOf(fit.transform)) + ").";
}

/// Why no scales of the fit can be compared; empty where they can.
std::string findObstacle(const Fit& fit)
{
    if (!fit.isOk() || fit.data == nullptr)
        return fit.message.empty() ? "There is no fit to compare scales of." : fit.message;
    return fit.r2 ? "" : "The response is the same in every run, so no scale can be better than another.";
}

Recommendation recommendAmong(const Fit& fit, const ScaleSetting& setting)
{
    const double columns = countColumns(Order::Linear, setting.factors);
    if (static_cast<double>(setting.open.size()) * static_cast<double>(fit.n) * columns * columns > kMostWork)
        return withoutAnswer(fit, "The factors are too many to compare scales of the response and of each.");
    Recommendation recommendation;
    recommendation.candidates = candidatesOf(fit, setting);
    const auto isPresent = [&](const ScaleCandidate& candidate) {
        return isSameTransform(candidate.transform, fit.transform) && candidate.isLog2 == setting.present;
    };
    const auto present = std::ranges::find_if(recommendation.candidates, isPresent);
    if (present == recommendation.candidates.end())
        return withoutAnswer(fit, "The runs are too few to compare scales of the response and the factors.");
    const ScaleCandidate now = *present;
    const ScaleCandidate best = preferred(recommendation.candidates, setting);
    decide(fit, setting, now, best, recommendation);
    return recommendation;
}

} // namespace

std::vector<Term> choosableTerms(std::span<const Term> terms, const std::vector<study::Factor>& factors)
{
    std::vector<Term> all = termsOf(largestOrder(factors, 0.0, 1.0), factors);
    for (const Term& term : terms) {
        if (std::ranges::find(all, term) == all.end())
            all.push_back(term);
    }
    return all;
}

std::vector<Term> withTerm(std::span<const Term> terms, const Term& term,
                           const std::vector<study::Factor>& factors)
{
    std::vector<Term> wanted(terms.begin(), terms.end());
    wanted.push_back(term);
    try {
        return parseModel(formulaOf(wanted, factors), factors);
    } catch (const ModelTooLarge&) {
        return {terms.begin(), terms.end()};
    }
}

std::vector<Term> withoutTerm(std::span<const Term> terms, const Term& term)
{
    std::vector<Term> kept;
    for (const Term& each : terms) {
        if (each.isIntercept() || !contains(each, term))
            kept.push_back(each);
    }
    return kept;
}

std::vector<TermAliases> findTermAliases(const Fit& fit)
{
    std::vector<TermAliases> aliases(fit.terms.size());
    const std::vector<Term> terms = fit.data ? termsOutside(fit) : std::vector<Term>{};
    const std::vector<Column> columns = columnsOf(terms, fit.factors);
    const auto all = static_cast<double>(columns.size() + fit.columns.size());
    if (columns.empty() || fit.n * all * all > kMostAliasWork)
        return aliases;
    const Regression& regression = fit.data->regression;
    const Eigen::MatrixXd outside = modelMatrix(columns, fit.data->observations.points, fit.factors);
    if (!exceedsRuns(regression, outside))
        return aliases;
    const Eigen::MatrixXd weights =
        algebra::times(regression.solution.covariance, algebra::transposedTimes(regression.x, outside));
    for (std::size_t t = 0; t < fit.terms.size(); ++t) {
        const std::vector<Eigen::Index> inside = positionsOf(regression, fit.terms[t]);
        for (const Term& term : terms) {
            const double weight = weightOf(weights, inside, columns, term);
            if (weight >= kWhole)
                aliases[t].whole.push_back(term);
            else if (weight >= kPartial)
                ++aliases[t].partial;
        }
    }
    return aliases;
}

const ScaleCandidate& preferred(const std::vector<ScaleCandidate>& candidates, const ScaleSetting& setting)
{
    const ScaleCandidate* best = &candidates.front();
    for (const ScaleCandidate& candidate : candidates) {
        if (candidate.aicc <= candidates.front().aicc + kEqualSupport &&
            preference(candidate, setting) < preference(*best, setting))
            best = &candidate;
    }
    return *best;
}

void recordScales(const ScaleCandidate& candidate, const ScaleSetting& setting,
                  Recommendation& recommendation)
{
    recommendation.transform = candidate.transform;
    recommendation.isLog2 = candidate.isLog2;
    for (const std::size_t i : setting.open) {
        if (candidate.isLog2[i] && !setting.present[i])
            recommendation.log2Factors.push_back(setting.factors[i].name);
        if (!candidate.isLog2[i] && setting.present[i])
            recommendation.linearFactors.push_back(setting.factors[i].name);
    }
}

std::string describeRecommendation(const Recommendation& recommendation, const Fit& fit)
{
    std::vector<std::string> parts;
    if (!isSameTransform(recommendation.transform, fit.transform))
        parts.push_back(transformAdvice(recommendation.transform, fit.response));
    if (!recommendation.log2Factors.empty())
        parts.push_back("put " + text::formatList(recommendation.log2Factors) + " on a log2 scale");
    if (!recommendation.linearFactors.empty())
        parts.push_back("put " + text::formatList(recommendation.linearFactors) + " on a linear scale");
    const std::string unit = fit.unit.empty() ? "" : " " + fit.unit;
    const bool isWorse = recommendation.recommendedError.value() > recommendation.presentError.value();
    return capitalized(text::formatList(parts)) +
           (isWorse ? ": that is better for all responses together, but settings left out of this fit are "
                      "predicted with an error of "
                    : ": effects are then nearer to straight lines, and settings left out of the fit are "
                      "predicted with an error of ") +
           text::formatBriefly(recommendation.recommendedError.value()) + unit + " instead of " +
           text::formatBriefly(recommendation.presentError.value()) + unit + ".";
}

std::pair<std::optional<double>, std::optional<double>>
compareErrors(const ScaleSetting& setting, const ScaleCandidate& a, const ScaleCandidate& b, const Fit& fit)
{
    std::pair<std::optional<double>, std::optional<double>> errors;
    for (const bool isReduced : {true, false}) {
        const std::vector<Term> terms = isReduced ? fit.terms : termsOf(Order::Linear, fit.factors);
        errors = {errorOf(setting, a, fit, terms, isReduced), errorOf(setting, b, fit, terms, isReduced)};
        if (errors.first && errors.second)
            break;
    }
    return errors;
}

void decide(const Fit& fit, const ScaleSetting& setting, const ScaleCandidate& present,
            const ScaleCandidate& best, Recommendation& recommendation)
{
    // A power that is likely may leave the bounds of the response.
    const std::optional<BoxCox> profile = fit.bounds ? std::nullopt : boxCox(fit);
    const bool isExcluded = profile && !isInInterval(*profile, fit.transform);
    std::tie(recommendation.presentError, recommendation.recommendedError) =
        compareErrors(setting, present, best, fit);
    if (isClearlyBetter(best, present, recommendation) &&
        (best.isLog2 != setting.present || !profile || isExcluded)) {
        recommendation.isRecommended = true;
        recordScales(best, setting, recommendation);
        recommendation.message = describeRecommendation(recommendation, fit);
        return;
    }
    if (isExcluded) {
        ScaleCandidate likeliest = present;
        likeliest.transform = likeliestTransform(*profile);
        std::tie(recommendation.presentError, recommendation.recommendedError) =
            compareErrors(setting, present, likeliest, fit);
        if (!predictsWorse(recommendation)) {
            recommendation.isRecommended = true;
            recordScales(likeliest, setting, recommendation);
            recommendation.message = intervalAdvice(likeliest.transform, *profile, fit);
            return;
        }
    }
    recordScales(present, setting, recommendation);
    std::tie(recommendation.presentError, recommendation.recommendedError) =
        compareErrors(setting, present, present, fit);
    recommendation.message = "No other scale of the response or of the factors is clearly better.";
}

Recommendation withoutAnswer(const Fit& fit, std::string message)
{
    Recommendation recommendation;
    recommendation.transform = fit.transform;
    for (const study::Factor& factor : fit.factors)
        recommendation.isLog2.push_back(factor.isNumeric() && factor.scale == study::Scale::Log2);
    recommendation.message = std::move(message);
    return recommendation;
}

Recommendation recommendScales(const Fit& fit)
{
    const std::string obstacle = findObstacle(fit);
    return obstacle.empty() ? recommendAmong(fit, makeScaleSetting(fit)) : withoutAnswer(fit, obstacle);
}

Recommendation recommendTransform(const Fit& fit)
{
    const std::string obstacle = findObstacle(fit);
    if (!obstacle.empty())
        return withoutAnswer(fit, obstacle);
    ScaleSetting setting = makeScaleSetting(fit);
    setting.open.clear();
    return recommendAmong(fit, setting);
}

study::Study withScales(study::Study study, std::string_view response, const Recommendation& recommendation)
{
    for (study::Response& each : study.responses) {
        if (each.name == response)
            each.transform = recommendation.transform;
    }
    if (recommendation.isLog2.size() == study.factors.size())
        study.factors = withScale(std::move(study.factors), recommendation.isLog2);
    return study;
}

} // namespace quadric::model
