// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/deadline.h"

#include "core/model/fit/prediction_scale.h"
#include "core/model/fit/transform.h"
#include "core/model/predict/second_order.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace quadric::plan {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr int kStepsOfFactor = 400;

/// Probability of a response of at most y.
double probabilityAtMost(const model::Fit& fit, const model::NewRun& run, double y)
{
    if (y == kNever)
        return 1.0;
    const bool isLogit = fit.transform.kind == study::TransformKind::Logit;
    const bool isPlain = fit.transform.kind == study::TransformKind::None || isLogit;
    const std::optional<double> z = model::limitOnModelScale(fit.transform, y);
    if (isLogit && z && std::isinf(*z))
        return *z > 0.0 ? 1.0 : 0.0;
    if (!z || !std::isfinite(*z) || (!isPlain && y <= 0.0))
        return 0.0; // no run of this scale gives so little
    const double below = run.probabilityBelow(*z);
    return model::isFalling(fit.transform) ? 1.0 - below : below;
}

/// Values of the factor, the largest first.
std::vector<double> valuesFromLargest(const study::Factor& factor, const study::Coding& coding, std::size_t i)
{
    std::vector<double> values = study::legalValues(factor, factor.low, factor.high);
    if (values.empty()) // continuous
        for (int step = 0; step <= kStepsOfFactor; ++step)
            values.push_back(coding.toActual(i, -1.0 + 2.0 * step / kStepsOfFactor));
    std::ranges::reverse(values);
    return values;
}

} // namespace

RunTime::RunTime(const model::Fit& fit, const Work& work, const study::CodedPoint& point)
    : m_fit(fit)
    , m_work(work)
    , m_run(model::predictNewRun(fit, point))
{
    if (fit.dfResidual == 0)
        throw std::invalid_argument("the model of " + fit.response +
                                    " leaves no degrees of freedom to estimate its error");
}

double RunTime::probabilityWithin(double seconds) const
{
    const double left = (seconds - m_work.fixedSeconds) / m_work.unitSeconds;
    if (m_work.kind == WorkKind::Whole)
        return probabilityAtMost(m_fit, m_run, left);
    if (!(left > 0.0))
        return 0.0;
    return m_work.kind == WorkKind::PerUnit ? probabilityAtMost(m_fit, m_run, left / m_work.amount)
                                            : 1.0 - probabilityAtMost(m_fit, m_run, m_work.amount / left);
}

/// Whether a larger value on the model's scale is a faster run.
bool RunTime::isFalling() const
{
    return model::isFalling(m_fit.transform) != (m_work.kind == WorkKind::Speed);
}

double RunTime::responseAt(double z) const
{
    return model::isInvertible(m_fit.transform, z) ? model::invertTransform(m_fit.transform, z) : kNever;
}

/// The response of a run that is slower than a share p of all.
double RunTime::slowResponse(double p) const
{
    return responseAt(m_run.quantile(isFalling() ? 1.0 - p : p));
}

double RunTime::secondsOf(double y) const
{
    if (m_work.kind == WorkKind::Speed)
        return y > 0.0 ? m_work.fixedSeconds + m_work.unitSeconds * m_work.amount / y : kNever;
    return m_work.fixedSeconds +
           m_work.unitSeconds * (m_work.kind == WorkKind::PerUnit ? m_work.amount : 1.0) * y;
}

double RunTime::quantile(double p) const
{
    return secondsOf(slowResponse(p));
}

double RunTime::secondsAt(double t) const
{
    return secondsOf(responseAt(m_run.location + (isFalling() ? -t : t) * m_run.scale));
}

double RunTime::largestAmount(double seconds, double p) const
{
    const double left = (seconds - m_work.fixedSeconds) / m_work.unitSeconds;
    const double y = slowResponse(p);
    if (!(left > 0.0) || !(y > 0.0))
        return 0.0;
    return m_work.kind == WorkKind::Speed ? left * y : left / y;
}

Estimate RunTime::interval(double confidence) const
{
    return {quantile(0.5), quantile((1.0 - confidence) / 2.0), quantile((1.0 + confidence) / 2.0)};
}

std::optional<LargestSetting> findLargestSetting(const model::Fit& fit, const Work& work,
                                                 const study::Settings& settings, std::string_view factor,
                                                 double seconds, double p)
{
    const study::Coding coding(fit.factors);
    const int index = coding.indexOf(factor);
    if (index < 0 || !fit.factors[static_cast<std::size_t>(index)].isNumeric())
        throw std::invalid_argument(std::string(factor) + ": expected a numeric factor");
    const auto i = static_cast<std::size_t>(index);
    study::Settings asked = settings;
    for (const double value : valuesFromLargest(fit.factors[i], coding, i)) {
        asked.insert_or_assign(std::string(factor), value);
        const double probability = RunTime(fit, work, coding.toCoded(asked)).probabilityWithin(seconds);
        if (probability >= p)
            return LargestSetting{value, probability};
    }
    return std::nullopt;
}

} // namespace quadric::plan
