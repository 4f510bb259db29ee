// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/recommendation.h"
#include "core/model/boxcox.h"
#include "core/model/deleted_residuals.h"
#include "core/model/prediction_scale.h"
#include "core/model/reduce.h"
#include "core/model/tables.h"
#include "core/model/transform.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace quadric::model {

namespace {

using study::Transform;
using study::TransformKind;

/// AICc differences: models this far apart are as good as each other; this far, one has next to no support.
constexpr double kEqual = 2.0;
constexpr double kNoSupport = 10.0;
/// With more factors that could be on log2, only single changes are tried.
constexpr std::size_t kMostForAllChoices = 6;
/// A count that spans this factor is one that multiplies.
constexpr double kMultiplies = 4.0;

/// The data of one response and the scales that its factors can have.
struct Setting {
    std::vector<study::Factor> factors;
    Observations data;
    std::vector<std::size_t> open; ///< factors that can be coded either way
    std::vector<bool> present;
    double rankTolerance = FitOptions{}.rankTolerance;
};

bool canBeLog2(const Setting& setting, const study::Coding& coding, std::size_t factor)
{
    const study::Factor& source = setting.factors[factor];
    if (!source.isNumeric() || source.low <= 0)
        return false;
    return std::ranges::all_of(setting.data.points, [&](const study::CodedPoint& point) {
        return coding.toActual(factor, point[static_cast<Eigen::Index>(factor)]) > 0;
    });
}

Setting settingOf(const Fit& fit)
{
    Setting setting;
    setting.factors = fit.factors;
    setting.data = fit.data->observations;
    const study::Coding coding(fit.factors);
    for (std::size_t i = 0; i < fit.factors.size(); ++i) {
        setting.present.push_back(fit.factors[i].isNumeric() && fit.factors[i].scale == study::Scale::Log2);
        if (canBeLog2(setting, coding, i))
            setting.open.push_back(i);
    }
    return setting;
}

std::vector<study::Factor> withScale(std::vector<study::Factor> factors, const std::vector<bool>& isLog2)
{
    for (std::size_t i = 0; i < factors.size(); ++i) {
        if (factors[i].isNumeric())
            factors[i].scale = isLog2[i] ? study::Scale::Log2 : study::Scale::Linear;
    }
    return factors;
}

/// The runs coded on other scales.
Observations recoded(const Setting& setting, const std::vector<bool>& isLog2)
{
    const study::Coding from(setting.factors), to(withScale(setting.factors, isLog2));
    Observations data = setting.data;
    for (const std::size_t factor : setting.open) {
        if (isLog2[factor] == setting.present[factor])
            continue;
        for (study::CodedPoint& point : data.points) {
            double& coded = point[static_cast<Eigen::Index>(factor)];
            coded = to.toCoded(factor, from.toActual(factor, coded));
        }
    }
    return data;
}

std::vector<std::vector<bool>> factorChoices(const Setting& setting)
{
    std::vector<std::vector<bool>> choices;
    if (setting.open.size() > kMostForAllChoices) {
        choices.assign(2, setting.present);
        for (const std::size_t factor : setting.open) {
            choices[1][factor] = true;
            choices.push_back(setting.present);
            choices.back()[factor] = !setting.present[factor];
        }
        return choices;
    }
    for (std::size_t bits = 0; bits < std::size_t{1} << setting.open.size(); ++bits) {
        choices.push_back(setting.present);
        for (std::size_t i = 0; i < setting.open.size(); ++i)
            choices.back()[setting.open[i]] = ((bits >> i) & 1U) != 0;
    }
    return choices;
}

/// The response on the transform's scale; empty where that is not defined for every run.
std::optional<Eigen::VectorXd> transformed(const Transform& transform, const Eigen::VectorXd& y)
{
    Eigen::VectorXd z(y.size());
    for (Eigen::Index i = 0; i < y.size(); ++i) {
        const std::optional<double> value = applyTransform(transform, y[i]);
        if (!value || !std::isfinite(*value))
            return std::nullopt;
        z[i] = *value;
    }
    return z;
}

/// Sum of the logarithms of |dz/dy|: what the likelihood gains when it is taken back to the response's unit.
double logJacobian(const Transform& transform, const Eigen::VectorXd& y)
{
    if (transform.kind == TransformKind::None)
        return 0.0;
    if (y.minCoeff() <= 0)
        return -1e300; // the slope of the square root at 0
    const double logs = y.array().log().sum();
    const double n = static_cast<double>(y.size());
    if (isLogarithm(transform))
        return -logs;
    if (transform.kind == TransformKind::Sqrt)
        return n * std::log(0.5) - 0.5 * logs;
    return transform.kind == TransformKind::Inverse ? -2 * logs : (transform.lambda - 1) * logs;
}

/// First-order models of one coding of the factors; the columns are the same for every transform.
class StraightLines {
public:
    StraightLines(const Setting& setting, const std::vector<bool>& isLog2)
        : m_y(setting.data.y)
        , m_isLog2(isLog2)
    {
        const Observations data = recoded(setting, isLog2);
        const std::vector<Column> columns =
            columnsOf(termsOf(Order::Linear, setting.factors), setting.factors);
        m_basis = orthogonalBasis(designMatrix(data, blocksOf(data), columns, setting.factors),
                                  setting.rankTolerance)
                      .vectors;
    }

    /// Empty where the transform is not defined or the runs are too few.
    std::optional<ScaleCandidate> judge(const Transform& transform) const
    {
        const std::optional<Eigen::VectorXd> z = transformed(transform, m_y);
        if (!z)
            return std::nullopt;
        const Eigen::VectorXd centred = z->array() - z->mean();
        const double smallest = roundingSumOfSquares(z->cwiseAbs().maxCoeff(), z->size());
        const double sse =
            std::max((centred - m_basis * (m_basis.transpose() * centred)).squaredNorm(), smallest);
        const int extra = transform.kind == TransformKind::BoxCox ? 1 : 0;
        const std::optional<double> aicc =
            correctedAkaike(static_cast<int>(z->size()), static_cast<int>(m_basis.cols()) + extra, sse);
        if (!aicc)
            return std::nullopt;
        return ScaleCandidate{transform, m_isLog2, *aicc - 2 * logJacobian(transform, m_y), std::nullopt};
    }

    std::optional<double> mostLikelyPower() const
    {
        if (m_y.minCoeff() <= 0 || m_basis.rows() <= m_basis.cols())
            return std::nullopt;
        const std::optional<BoxCox> profile = boxCox(m_basis, m_y);
        return profile ? std::optional(profile->lambda) : std::nullopt;
    }

private:
    Eigen::VectorXd m_y;
    std::vector<bool> m_isLog2;
    Eigen::MatrixXd m_basis;
};

/// Root mean squared error in the response's own unit for settings left out, of the terms as they are.
std::optional<double> errorOf(const Setting& setting, const ScaleCandidate& candidate, const Fit& fit,
                              const std::vector<Term>& terms, bool isReduced)
{
    Observations data = recoded(setting, candidate.isLog2);
    data.z = transformed(candidate.transform, data.y).value();
    const std::vector<study::Factor> factors = withScale(setting.factors, candidate.isLog2);
    const std::vector<Term> kept =
        isReduced ? reduceByAicc(data, factors, terms, setting.rankTolerance).terms : terms;
    const Regression regression = solveRegression(data, factors, kept, setting.rankTolerance);
    const std::optional<Eigen::VectorXd> deleted =
        deletedResiduals(regression, replicateGroups(data, factors));
    if (!deleted)
        return std::nullopt;
    Fit scale; // what toResponseUnit() looks at
    scale.transform = candidate.transform;
    scale.largestObserved = fit.largestObserved;
    double squares = 0.0;
    for (Eigen::Index i = 0; i < data.size(); ++i)
        squares += std::pow(data.y[i] - toResponseUnit(scale, data.z[i] - (*deleted)[i]), 2);
    return std::sqrt(squares / static_cast<double>(data.size()));
}

bool isSameTransform(const Transform& a, const Transform& b)
{
    return a.kind == b.kind && (a.kind != TransformKind::BoxCox || a.lambda == b.lambda);
}

std::vector<Transform> transformsFor(const Fit& fit)
{
    std::vector<Transform> transforms{{TransformKind::Log, 1.0},
                                      {TransformKind::None, 1.0},
                                      {TransformKind::Sqrt, 1.0},
                                      {TransformKind::Inverse, 1.0}};
    const auto isPresent = [&](const Transform& t) { return isSameTransform(t, fit.transform); };
    if (std::ranges::none_of(transforms, isPresent))
        transforms.push_back(fit.transform);
    return transforms;
}

/// The Box–Cox power of the first-order model on the best factor scales, to one decimal.
std::optional<ScaleCandidate> powerCandidate(const Setting& setting, const std::vector<bool>& isLog2)
{
    const StraightLines lines(setting, isLog2);
    const std::optional<double> power = lines.mostLikelyPower();
    if (!power)
        return std::nullopt;
    return lines.judge({TransformKind::BoxCox, std::round(*power * 10) / 10});
}

std::vector<ScaleCandidate> candidatesOf(const Fit& fit, const Setting& setting)
{
    std::vector<ScaleCandidate> candidates;
    for (const std::vector<bool>& choice : factorChoices(setting)) {
        const StraightLines lines(setting, choice);
        for (const Transform& transform : transformsFor(fit)) {
            if (const std::optional<ScaleCandidate> candidate = lines.judge(transform))
                candidates.push_back(*candidate);
        }
    }
    if (candidates.empty())
        return candidates;
    const ScaleCandidate best = *std::ranges::min_element(candidates, {}, &ScaleCandidate::aicc);
    if (const std::optional<ScaleCandidate> power = powerCandidate(setting, best.isLog2))
        candidates.push_back(*power);
    std::ranges::stable_sort(candidates, {}, &ScaleCandidate::aicc);
    return candidates;
}

/// Smaller is taken first among candidates that the data cannot tell apart: the logarithm, then no transform;
/// log2 for counts that multiply, then the scale that a factor has.
int preference(const ScaleCandidate& candidate, const Setting& setting)
{
    static const std::vector<TransformKind> order{TransformKind::Log, TransformKind::None,
                                                  TransformKind::Sqrt, TransformKind::Inverse,
                                                  TransformKind::BoxCox};
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

const ScaleCandidate& preferred(const std::vector<ScaleCandidate>& candidates, const Setting& setting)
{
    const ScaleCandidate* best = &candidates.front();
    for (const ScaleCandidate& candidate : candidates) {
        if (candidate.aicc <= candidates.front().aicc + kEqual &&
            preference(candidate, setting) < preference(*best, setting))
            best = &candidate;
    }
    return *best;
}

std::string listOf(const std::vector<std::string>& names)
{
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? "" : (i + 1 == names.size() ? " and " : ", ")) + names[i];
    return text;
}

std::string transformText(const Transform& transform)
{
    switch (transform.kind) {
    case TransformKind::Log:
        return "the logarithm";
    case TransformKind::Sqrt:
        return "the square root";
    case TransformKind::Inverse:
        return "the inverse";
    case TransformKind::BoxCox:
        return "the power " + study::toText(transform.lambda);
    case TransformKind::None:
        break;
    }
    return "the values as they are";
}

std::string shortText(double value)
{
    const double digits = std::pow(10.0, 2 - std::floor(std::log10(std::max(std::abs(value), 1e-300))));
    return study::toText(std::round(value * digits) / digits);
}

void takeScales(const ScaleCandidate& candidate, const Setting& setting, Recommendation& recommendation)
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

std::string adviceOf(const Recommendation& recommendation, const Fit& fit)
{
    std::vector<std::string> parts;
    if (!isSameTransform(recommendation.transform, fit.transform))
        parts.push_back("take " + transformText(recommendation.transform) + " of " + fit.response);
    if (!recommendation.log2Factors.empty())
        parts.push_back("put " + listOf(recommendation.log2Factors) + " on a log2 scale");
    if (!recommendation.linearFactors.empty())
        parts.push_back("put " + listOf(recommendation.linearFactors) + " on a linear scale");
    std::string text = listOf(parts);
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    const std::string unit = fit.unit.empty() ? "" : " " + fit.unit;
    return text +
           ": effects are then nearer to straight lines, and settings left out of the fit are predicted "
           "with an error of " +
           shortText(recommendation.recommendedError.value()) + unit + " instead of " +
           shortText(recommendation.presentError.value()) + unit + ".";
}

/// Settles whether the best candidate is better than the present scales in the second respect, too.
void decide(const Fit& fit, const Setting& setting, const ScaleCandidate& present, const ScaleCandidate& best,
            Recommendation& recommendation)
{
    for (const bool isReduced : {true, false}) {
        const std::vector<Term> terms = isReduced ? fit.terms : termsOf(Order::Linear, fit.factors);
        recommendation.presentError = errorOf(setting, present, fit, terms, isReduced);
        recommendation.recommendedError = errorOf(setting, best, fit, terms, isReduced);
        if (recommendation.presentError && recommendation.recommendedError)
            break;
    }
    recommendation.isRecommended = best.aicc < present.aicc - kNoSupport && recommendation.presentError &&
                                   recommendation.recommendedError &&
                                   *recommendation.recommendedError < *recommendation.presentError;
    if (recommendation.isRecommended) {
        takeScales(best, setting, recommendation);
        recommendation.message = adviceOf(recommendation, fit);
        return;
    }
    takeScales(present, setting, recommendation);
    recommendation.recommendedError = recommendation.presentError;
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

} // namespace

Recommendation recommendScales(const Fit& fit)
{
    if (!fit.isOk() || fit.data == nullptr)
        return withoutAnswer(fit,
                             fit.message.empty() ? "There is no fit to compare scales of." : fit.message);
    if (!fit.r2)
        return withoutAnswer(fit, "The response is the same in every run, so no scale can be better than "
                                  "another.");
    const Setting setting = settingOf(fit);
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
