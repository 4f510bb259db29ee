// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/answer/limit_probability.h"

#include "core/model/base/distributions.h"
#include "core/model/fit/transform.h"
#include "core/model/predict/new_run.h"
#include "core/optimize/answer/residual_correlation.h"
#include "core/optimize/merit/error_model.h"
#include "core/optimize/merit/normal_box.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace quadric::optimize {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Size of a residual correlation above which two responses are nearly one measurement.
constexpr double kDependent = 0.9;

/// A limit on the scale of the model; infinite where every value (or none) keeps it.
double transformedLimit(const model::Fit& fit, double limit, double outside)
{
    const std::optional<double> z = model::limitOnModelScale(fit.transform, limit);
    const bool isLogit = fit.transform.kind == study::TransformKind::Logit;
    return z && (isLogit || std::isfinite(*z)) ? *z : outside;
}

} // namespace

ErrorModel::ErrorModel(const Goals& goals, bool isCorrelated, const std::map<std::string, double>& shifts)
    : m_goals(goals)
{
    for (std::size_t i = 0; i < goals.count(); ++i) {
        const Desirability& d = goals.desirabilities[i];
        if (!takesPart(d))
            continue;
        const model::Fit& fit = *goals.fits[i];
        if (fit.dfResidual == 0)
            m_unknown += (m_unknown.empty() ? "" : ", ") + fit.response;
        const double low =
            d.goal == study::Goal::Minimize ? -kInfinity : transformedLimit(fit, d.low, -kInfinity);
        const double high =
            d.goal == study::Goal::Maximize ? kInfinity : transformedLimit(fit, d.high, -kInfinity);
        const bool isFalling = fit.transform.kind == study::TransformKind::Inverse;
        m_limits.push_back(isFalling ? fallingLimits(d, fit) : model::Interval{low, high});
        m_members.push_back(i);
        const auto shift = shifts.find(fit.response);
        m_shifts.push_back(shift == shifts.end() ? 0.0 : shift->second);
    }
    std::vector<const model::Fit*> fits;
    for (const std::size_t member : m_members)
        fits.push_back(goals.fits[member]);
    const auto size = std::ssize(m_members);
    m_correlation = isCorrelated ? residualCorrelations(fits) : Eigen::MatrixXd::Identity(size, size);
}

/// 1/y falls: limits change places, and a lower limit that every positive value keeps has no bound.
model::Interval ErrorModel::fallingLimits(const Desirability& d, const model::Fit& fit)
{
    const double low = d.goal == study::Goal::Maximize ? 0.0 : transformedLimit(fit, d.high, kInfinity);
    const double high = d.goal == study::Goal::Minimize ? kInfinity : transformedLimit(fit, d.low, kInfinity);
    return {low, high};
}

model::Interval ErrorModel::ranks(std::size_t member, const study::CodedPoint& point) const
{
    const model::Fit& fit = *m_goals.fits[m_members[member]];
    model::NewRun run = model::predictNewRun(fit, point);
    run.location -= m_shifts[member];
    return {run.probabilityBelow(m_limits[member].low), run.probabilityBelow(m_limits[member].high)};
}

double ErrorModel::probability(const study::CodedPoint& point, int samples, std::uint64_t seed) const
{
    const auto size = static_cast<Eigen::Index>(m_members.size());
    const bool isIndependent = m_correlation.isIdentity(0.0);
    double product = 1.0;
    Eigen::VectorXd low(size);
    Eigen::VectorXd high(size);
    for (Eigen::Index i = 0; i < size; ++i) {
        const model::Interval between = ranks(static_cast<std::size_t>(i), point);
        product *= std::max(0.0, between.high - between.low);
        if (isIndependent)
            continue;
        low[i] = model::normalQuantile(between.low);
        high[i] = model::normalQuantile(between.high);
    }
    return isIndependent ? product : normalBoxProbability(low, high, m_correlation, samples, seed);
}

std::vector<std::string> findDefaultLimits(const study::Study& study, const std::vector<model::Fit>& fits)
{
    std::vector<std::string> names;
    for (const Desirability& d : goalsOf(study, fits).desirabilities) {
        const bool countsLow = d.goal == study::Goal::Maximize || d.goal == study::Goal::Target;
        const bool countsHigh = d.goal == study::Goal::Minimize || d.goal == study::Goal::Target;
        if (d.weight > 0.0 && ((countsLow && d.lowIsDefault) || (countsHigh && d.highIsDefault)))
            names.push_back(d.response);
    }
    return names;
}

std::vector<DependentResponses> findDependentResponses(const study::Study& study,
                                                       const std::vector<model::Fit>& fits)
{
    const auto hasGoal = [&](const model::Fit& fit) {
        const study::Response* response = study::findResponse(study, fit.response);
        return fit.isOk() && response != nullptr && takesPart(*response);
    };
    std::vector<DependentResponses> found;
    for (std::size_t i = 0; i < fits.size(); ++i) {
        for (std::size_t j = i + 1; j < fits.size() && hasGoal(fits[i]); ++j) {
            const double r = hasGoal(fits[j]) ? residualCorrelation(fits[i], fits[j]) : 0.0;
            if (std::abs(r) > kDependent)
                found.push_back({fits[i].response, fits[j].response, r});
        }
    }
    return found;
}

namespace {

std::string independenceAssumed(const study::Study& study, const std::vector<model::Fit>& fits)
{
    const std::vector<DependentResponses> dependent = findDependentResponses(study, fits);
    if (dependent.empty())
        return "Errors of different responses are taken as independent.";
    return "Errors of different responses are taken as independent, but the residuals of " +
           dependent.front().first + " and " + dependent.front().second + " have a correlation of " +
           text::formatDecimals(dependent.front().correlation, 2, text::Typography::Typeset) +
           ": quadric optimize --correlated takes it into account.";
}

double meanOver(const std::vector<study::CodedPoint>& points, const auto& probability)
{
    double sum = 0.0;
    for (const study::CodedPoint& point : points)
        sum += probability(point);
    return sum / static_cast<double>(points.size());
}

} // namespace

AllLimits limitProbabilities(const study::Study& study, const std::vector<model::Fit>& fits,
                             const study::Settings& settings, const ProbabilityOptions& options)
{
    AllLimits result;
    const Goals goals = goalsOf(study, fits);
    const ErrorModel errors(goals, options.isCorrelated, options.shifts);
    if (errors.count() == 0) {
        result.assumption = "No response has a goal, a weight above 0 and a usable model.";
        return result;
    }
    if (!errors.unknown().empty()) {
        result.assumption =
            "The model leaves no degrees of freedom to estimate the error of " + errors.unknown() + ".";
        return result;
    }
    const std::vector<study::CodedPoint> points =
        VaryingSettings(study, options.varying)
            .around(study::Coding(study.factors).toCoded(settings), options.settingPoints);
    for (std::size_t i = 0; i < errors.count(); ++i) {
        const Desirability& d = goals.desirabilities[errors.member(i)];
        LimitProbability row;
        row.response = d.response;
        if (d.goal != study::Goal::Minimize)
            row.low = d.low;
        if (d.goal != study::Goal::Maximize)
            row.high = d.high;
        row.isDefault = (row.low && d.lowIsDefault) || (row.high && d.highIsDefault);
        row.probability = meanOver(points, [&](const study::CodedPoint& point) {
            const model::Interval between = errors.ranks(i, point);
            return std::max(0.0, between.high - between.low);
        });
        result.responses.push_back(std::move(row));
    }
    result.probability = meanOver(points, [&](const study::CodedPoint& point) {
        return errors.probability(point, options.samples, options.seed);
    });
    result.assumption = options.isCorrelated
                            ? "Errors of the responses are correlated as the residuals of their models are."
                            : independenceAssumed(study, fits);
    if (const std::string varying = describeVariation(study, options.varying); !varying.empty())
        result.assumption += " Settings vary by a standard deviation of " + varying + ".";
    return result;
}

} // namespace quadric::optimize
