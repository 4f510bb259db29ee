// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/deadline.h"

#include "core/algebra/factorizations.h"
#include "core/algebra/products.h"
#include "core/model/base/distributions.h"
#include "core/model/fit/observations.h"
#include "core/model/fit/regression.h"
#include "core/model/predict/canonical.h"

#include <boost/math/distributions/binomial.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace quadric::plan {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kTail = 0.025; ///< on either side of an interval
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

/// Below this part of 1 a direction of the model rests on one setting alone.
constexpr double kRestsAlone = 1e-9;

/// False where the model cannot be estimated without them. Probabilities that the runs of one setting stay
/// below their values, by the fit without them: with G = (I − H_FF)⁻¹ the errors are G e, their variances s₋²
/// G_ii, and s₋² = (SSE − e'G e)/(df − n_F).
bool addRanks(const model::Regression& regression, const std::vector<Eigen::Index>& runs,
              std::vector<double>& ranks)
{
    const auto count = static_cast<Eigen::Index>(runs.size());
    const Eigen::MatrixXd basis = regression.solution.basis(runs, Eigen::all);
    const Eigen::VectorXd residuals = regression.solution.residuals(runs);
    const algebra::PivotedCholesky rest(Eigen::MatrixXd::Identity(count, count) -
                                        algebra::timesTransposed(basis, basis));
    const double df = regression.df - static_cast<double>(count);
    if (rest.smallestPivot() <= kRestsAlone || df < 1.0)
        return false;
    const Eigen::MatrixXd inverse = rest.inverse();
    const Eigen::VectorXd errors = inverse * residuals;
    const double variance = (regression.sse - residuals.dot(errors)) / df;
    if (!(variance > 0.0))
        return false;
    for (Eigen::Index i = 0; i < count; ++i) {
        const double t = errors[i] / std::sqrt(variance * inverse(i, i));
        const double outside = model::tProbability(t, df);
        ranks.push_back(t < 0.0 ? outside / 2.0 : 1.0 - outside / 2.0);
    }
    return true;
}

constexpr int kCurveSteps = 160;
/// Curves go from nearly certain to nearly impossible, and a little farther.
constexpr double kNearlyCertain = 0.999;
constexpr double kRoom = 0.1;
constexpr std::size_t kMostCurveValues = 400; ///< of a factor with more, the curve takes equal steps

double probabilityOf(const model::Fit& fit, const Work& work, const study::CodedPoint& point, double seconds)
{
    return RunTime(fit, work, point).probabilityWithin(seconds);
}

SizeCurve curveOver(SizeKind kind, std::vector<double> sizes, double asked, const auto& probabilityAt)
{
    SizeCurve curve{kind, std::move(sizes), {}, {asked, probabilityAt(asked)}};
    for (const double size : curve.sizes)
        curve.probabilities.push_back(probabilityAt(size));
    return curve;
}

std::vector<double> stepsBetween(double low, double high)
{
    std::vector<double> steps;
    steps.reserve(kCurveSteps + 1);
    for (int i = 0; i <= kCurveSteps; ++i)
        steps.push_back(low + (high - low) * i / kCurveSteps);
    return steps;
}

/// From nearly certain to nearly impossible, with what is looked at inside; from 0 where a time or an amount
/// may be as small as one likes.
std::vector<double> sizesAround(double certain, double impossible, double shown)
{
    const double low = std::min(std::isfinite(certain) ? certain : 0.0, shown);
    const double high = std::max(std::isfinite(impossible) ? impossible : 2.0 * shown, shown);
    const double room = kRoom * (high - low);
    return stepsBetween(std::max(low - room, low > 0.0 ? 0.02 * low : 0.0), high + room);
}

SizeCurve amountCurve(const model::Fit& fit, const DeadlineQuestion& question, const study::CodedPoint& point)
{
    const RunTime time(fit, question.work, point);
    const double certain = time.largestAmount(question.seconds, kNearlyCertain);
    const double impossible = time.largestAmount(question.seconds, 1.0 - kNearlyCertain);
    return curveOver(SizeKind::Amount, sizesAround(certain, impossible, question.work.amount),
                     question.work.amount, [&](double amount) {
                         Work work = question.work;
                         work.amount = amount;
                         return probabilityOf(fit, work, point, question.seconds);
                     });
}

SizeCurve timeCurve(const model::Fit& fit, const DeadlineQuestion& question, const study::CodedPoint& point)
{
    const RunTime time(fit, question.work, point);
    return curveOver(
        SizeKind::Time,
        sizesAround(time.quantile(1.0 - kNearlyCertain), time.quantile(kNearlyCertain), question.seconds),
        question.seconds, [&](double seconds) { return time.probabilityWithin(seconds); });
}

SizeCurve settingCurve(const model::Fit& fit, const DeadlineQuestion& question)
{
    const study::Coding coding(fit.factors);
    const auto index = static_cast<std::size_t>(coding.indexOf(question.largest));
    const study::Factor& factor = fit.factors[index];
    std::vector<double> values = study::legalValues(factor, factor.low, factor.high, kMostCurveValues);
    if (values.empty())
        for (const double coded : stepsBetween(-1.0, 1.0))
            values.push_back(coding.toActual(index, coded));
    study::Settings settings = question.settings;
    const double asked = study::numberOf(settings.at(question.largest));
    return curveOver(SizeKind::Setting, std::move(values), asked, [&](double value) {
        settings.insert_or_assign(question.largest, value);
        return probabilityOf(fit, question.work, coding.toCoded(settings), question.seconds);
    });
}

/// Along what is asked for, with its largest size.
SizeCurve curveOf(const model::Fit& fit, const DeadlineQuestion& question, const DeadlineAnswer& answer)
{
    SizeCurve curve;
    if (!question.largest.empty()) {
        curve = settingCurve(fit, question);
        if (answer.largest)
            curve.largest = answer.largest->value;
        return curve;
    }
    const study::CodedPoint point = study::Coding(fit.factors).toCoded(question.settings);
    const bool isTime = question.work.kind == WorkKind::Whole;
    curve = isTime ? timeCurve(fit, question, point) : amountCurve(fit, question, point);
    const double largest = isTime ? answer.quantile : answer.largestAmount.value_or(0.0);
    if (std::isfinite(largest) && largest > 0.0)
        curve.largest = largest;
    return curve;
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
    const double left = seconds / m_work.unitSeconds;
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

/// A speed of 0 or less never ends.
double RunTime::secondsFor(double y) const
{
    return m_work.kind == WorkKind::Speed && y <= 0.0 ? kNever : secondsOf(m_work, y);
}

double RunTime::quantile(double p) const
{
    return secondsFor(slowResponse(p));
}

double RunTime::secondsAt(double t) const
{
    return secondsFor(responseAt(m_run.location + (isFalling() ? -t : t) * m_run.scale));
}

double RunTime::largestAmount(double seconds, double p) const
{
    const double left = seconds / m_work.unitSeconds;
    const double y = slowResponse(p);
    if (!(left > 0.0) || !(y > 0.0))
        return 0.0;
    return m_work.kind == WorkKind::Speed ? left * y : left / y;
}

Estimate RunTime::interval() const
{
    return {quantile(0.5), quantile(kTail), quantile(1.0 - kTail)};
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

Calibration calibrate(const model::Fit& fit, double probability, bool isFast)
{
    using Binomial = boost::math::binomial_distribution<double>;
    Calibration result;
    if (!fit.isOk() || fit.data == nullptr || fit.dfResidual == 0) {
        result.message = fit.isOk() ? "The model leaves no degrees of freedom for error." : fit.message;
        return result;
    }
    const std::vector<int>& groups = fit.data->replicateGroups;
    std::vector<std::vector<Eigen::Index>> settings(
        static_cast<std::size_t>(*std::ranges::max_element(groups)) + 1);
    for (std::size_t i = 0; i < groups.size(); ++i)
        settings[static_cast<std::size_t>(groups[i])].push_back(static_cast<Eigen::Index>(i));
    std::vector<double> ranks;
    for (const std::vector<Eigen::Index>& runs : settings) {
        const bool isJudged = addRanks(fit.data->regression, runs, ranks);
        result.settings += isJudged ? 1 : 0;
        result.kept += isJudged ? 0 : static_cast<int>(runs.size());
    }
    if (ranks.empty()) {
        result.message = "Without the runs of any one setting the model cannot be estimated.";
        return result;
    }
    const bool isTurned = isFast != model::isFalling(fit.transform);
    const auto below = static_cast<double>(std::ranges::count_if(
        ranks, [&](double rank) { return (isTurned ? 1.0 - rank : rank) <= probability; }));
    const auto runs = static_cast<double>(ranks.size());
    result.runs = static_cast<int>(ranks.size());
    result.reached = below / runs;
    result.interval = {Binomial::find_lower_bound_on_p(runs, below, kTail),
                       Binomial::find_upper_bound_on_p(runs, below, kTail)};
    return result;
}

DeadlineAnswer answerDeadline(const model::Fit& fit, const DeadlineQuestion& question)
{
    DeadlineAnswer answer;
    answer.settings = question.settings;
    if (!question.largest.empty()) {
        answer.largest = findLargestSetting(fit, question.work, question.settings, question.largest,
                                            question.seconds, question.probability);
        if (answer.largest)
            answer.settings.insert_or_assign(question.largest, answer.largest->value);
    }
    const study::CodedPoint point = study::Coding(fit.factors).toCoded(answer.settings);
    const RunTime time(fit, question.work, point);
    answer.probability = time.probabilityWithin(question.seconds);
    answer.quantile = time.quantile(question.probability);
    answer.time = time.interval();
    answer.isExtrapolation = model::predict(fit, point).isExtrapolation;
    if (question.work.kind != WorkKind::Whole)
        answer.largestAmount = time.largestAmount(question.seconds, question.probability);
    answer.curve = curveOf(fit, question, answer);
    answer.calibration = calibrate(fit, question.probability, question.work.kind == WorkKind::Speed);
    return answer;
}

} // namespace quadric::plan
