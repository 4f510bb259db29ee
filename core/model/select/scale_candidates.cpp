// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/select/scale_candidates.h"

#include "core/model/fit/observations.h"
#include "core/model/fit/reduce.h"
#include "core/model/fit/tables.h"

#include <algorithm>
#include <cmath>

namespace quadric::model {

namespace {

using study::Transform;
using study::TransformKind;

/// With more factors that could be on log2, only single changes are tried.
constexpr std::size_t kMostForAllChoices = 6;

bool canBeLog2(const ScaleSetting& setting, const study::Coding& coding, std::size_t factor)
{
    const study::Factor& source = setting.factors[factor];
    if (!source.isNumeric() || source.low <= 0)
        return false;
    return std::ranges::all_of(setting.data.points, [&](const study::CodedPoint& point) {
        return coding.toActual(factor, point[static_cast<Eigen::Index>(factor)]) > 0;
    });
}

/// The runs coded on other scales.
Observations recoded(const ScaleSetting& setting, const std::vector<bool>& isLog2)
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

std::vector<std::vector<bool>> factorChoices(const ScaleSetting& setting)
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
    if (transform.kind == TransformKind::Logit || transform.inset > 0.0) {
        double logs = 0.0;
        for (const double value : y)
            logs += std::log(inverseSlope(transform, applyTransform(transform, value).value()));
        return -logs;
    }
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
    StraightLines(const ScaleSetting& setting, const std::vector<bool>& isLog2)
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
        const Eigen::VectorXd centered = z->array() - z->mean();
        const double smallest = roundingSumOfSquares(z->cwiseAbs().maxCoeff(), z->size());
        const double sse =
            std::max((centered - m_basis * (m_basis.transpose() * centered)).squaredNorm(), smallest);
        const int extra = transform.kind == TransformKind::BoxCox ? 1 : 0;
        const std::optional<double> aicc =
            correctedAkaike(static_cast<int>(z->size()), static_cast<int>(m_basis.cols()) + extra, sse);
        if (!aicc)
            return std::nullopt;
        return ScaleCandidate{transform, m_isLog2, *aicc - 2 * logJacobian(transform, m_y), std::nullopt};
    }

private:
    Eigen::VectorXd m_y;
    std::vector<bool> m_isLog2;
    Eigen::MatrixXd m_basis;
};

/// Those that keep the response within its bounds, and the present one.
std::vector<Transform> transformsFor(const Fit& fit)
{
    if (fit.transform.kind == TransformKind::Logit)
        return {fit.transform};
    std::vector<Transform> transforms{{TransformKind::Log, 1.0},
                                      {TransformKind::None, 1.0},
                                      {TransformKind::Sqrt, 1.0},
                                      {TransformKind::Inverse, 1.0}};
    const auto isPresent = [&](const Transform& t) { return isSameTransform(t, fit.transform); };
    std::erase_if(transforms, [&](const Transform& t) {
        return isPresent(t) || (fit.bounds && t.kind == TransformKind::None);
    });
    transforms.push_back(fit.transform);
    return transforms;
}

} // namespace

ScaleSetting makeScaleSetting(const Fit& fit)
{
    ScaleSetting setting;
    setting.factors = fit.factors;
    setting.data = fit.data->observations;
    setting.data.rootWeights.resize(0); // weights belong to one transform
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

bool isSameTransform(const Transform& a, const Transform& b)
{
    return a.kind == b.kind && (a.kind != TransformKind::BoxCox || a.lambda == b.lambda);
}

std::vector<ScaleCandidate> candidatesOf(const Fit& fit, const ScaleSetting& setting)
{
    std::vector<ScaleCandidate> candidates;
    for (const std::vector<bool>& choice : factorChoices(setting)) {
        const StraightLines lines(setting, choice);
        for (const Transform& transform : transformsFor(fit)) {
            if (const std::optional<ScaleCandidate> candidate = lines.judge(transform))
                candidates.push_back(*candidate);
        }
    }
    std::ranges::stable_sort(candidates, {}, &ScaleCandidate::aicc);
    return candidates;
}

std::optional<double> errorOf(const ScaleSetting& setting, const ScaleCandidate& candidate, const Fit& fit,
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

} // namespace quadric::model
