// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/predict/predict.h"

#include "core/model/base/distributions.h"
#include "core/model/fit/block_variance.h"
#include "core/model/fit/observations.h"
#include "core/model/fit/regression.h"

#include <algorithm>
#include <cmath>

namespace quadric::model {

double NewRun::probabilityBelow(double z) const
{
    if (!(scale > 0.0) || std::isinf(z))
        return z > location ? 1.0 : z < location ? 0.0 : 0.5;
    const double t = (z - location) / scale;
    const double outside = tProbability(t, df);
    return t < 0.0 ? outside / 2.0 : 1.0 - outside / 2.0;
}

double NewRun::quantile(double p) const
{
    const double t = tLimit(2.0 * std::min(p, 1.0 - p), df);
    return location + (p < 0.5 ? -t : t) * scale;
}

NewRun predictNewRun(const Fit& fit, const study::CodedPoint& point)
{
    const double leverage = PredictionError(fit).varianceFactorAt(point);
    const NewRunError error = computeNewRunError(fit, leverage, 1);
    return {predictOnModelScale(fit, point), std::sqrt(error.variance), error.df};
}

namespace {

/// Where the inverse transform has a pole, the prediction is held at this multiple of the largest value seen.
constexpr double kPoleLimit = 1000.0;
/// Leverages are compared with this slack for rounding.
constexpr double kLeverageSlack = 1e-9;

double withinBounds(const Fit& fit, double y)
{
    return fit.bounds
               ? std::clamp(y, fit.bounds->low, fit.bounds->high.value_or(std::max(y, fit.bounds->low)))
               : y;
}

/// An interval of z in the response's own unit; empty where it is not bounded, and where all of it is beyond
/// what the response can be.
std::optional<Interval> backTransformed(const Fit& fit, double z, double half)
{
    if (!isInvertible(fit.transform, z - half) || !isInvertible(fit.transform, z + half))
        return std::nullopt;
    const auto [low, high] =
        std::minmax({invertTransform(fit.transform, z - half), invertTransform(fit.transform, z + half)});
    if (fit.bounds && (high < fit.bounds->low || low > fit.bounds->high.value_or(low)))
        return std::nullopt;
    return Interval{withinBounds(fit, low), withinBounds(fit, high)};
}

} // namespace

double largestPrediction(const Fit& fit)
{
    const bool isBounded = fit.transform.kind == study::TransformKind::Logit;
    return isBounded ? fit.transform.high : kPoleLimit * fit.largestObserved;
}

double toResponseUnit(const Fit& fit, double z)
{
    if (!isInvertible(fit.transform, z))
        return largestPrediction(fit);
    const double y = withinBounds(fit, invertTransform(fit.transform, z));
    return fit.transform.kind == study::TransformKind::None ? y : std::min(y, largestPrediction(fit));
}

double leverageLimit(const Fit& fit)
{
    // With random blocks a leverage contains what blocks differ by, so that their number says nothing of it.
    const bool isRandom = fit.blockVariance && fit.blockVariance->isRandom();
    const double ofParameters = isRandom ? fit.maxLeverage : 3.0 * fit.parameters / fit.n;
    return std::min(fit.maxLeverage, ofParameters) * (1 + kLeverageSlack);
}

bool isExtrapolation(const Fit& fit, const study::CodedPoint& point, double leverage)
{
    if (leverage > leverageLimit(fit))
        return true;
    for (std::size_t i = 0; i < fit.seenLevels.size(); ++i) {
        if (!fit.seenLevels[i].empty() && !isSeen(fit.seenLevels[i], point[static_cast<Eigen::Index>(i)]))
            return true;
    }
    return false;
}

bool isEstimable(const Fit& fit, const study::CodedPoint& point)
{
    return fit.data == nullptr || fit.data->estimability.isEstimable(point);
}

std::string describeUnknown(const Fit& fit, const study::CodedPoint& point)
{
    return fit.data == nullptr ? std::string{} : fit.data->estimability.describe(point);
}

Prediction predict(const Fit& fit, const study::CodedPoint& point, int futureRuns,
                   std::optional<double> confidence, double blockShare)
{
    Prediction prediction;
    if (!fit.isOk())
        return prediction;
    const Eigen::VectorXd row = rowAt(fit.columns, point, fit.factors);
    const double z = row.dot(fit.beta);
    prediction.leverage = std::max(row.dot(fit.unscaledCovariance * row), 0.0);
    prediction.mean = toResponseUnit(fit, z);
    prediction.isMedian = fit.transform.kind != study::TransformKind::None;
    prediction.isExtrapolation =
        isExtrapolation(fit, point, prediction.leverage) || !isInvertible(fit.transform, z);
    if (!isEstimable(fit, point)) {
        prediction.isEstimable = false;
        prediction.isExtrapolation = true;
    }
    if (fit.dfResidual == 0 || !prediction.isEstimable)
        return prediction;
    const PredictionError source(fit);
    const double level = confidence.value_or(fit.confidence);
    const double t = tLimit(1 - level, source.df());
    const int runs = std::max(futureRuns, 1);
    const double factor = source.varianceFactorAt(point);
    const double error = source.sigma() * std::sqrt(factor);
    if (isInvertible(fit.transform, z))
        prediction.se = error * std::abs(inverseSlope(fit.transform, z));
    prediction.confidence = backTransformed(fit, z, t * error);
    prediction.prediction =
        backTransformed(fit, z, computeAverageBlockError(fit, factor, runs).halfWidth(level));
    if (const auto inNewBlock = computeNewBlockError(fit, factor, runs, blockShare))
        prediction.newBlock = backTransformed(fit, z, inNewBlock->halfWidth(level));
    return prediction;
}

double predictOnModelScale(const Fit& fit, const study::CodedPoint& point)
{
    double z = 0.0;
    for (std::size_t j = 0; j < fit.columns.size(); ++j)
        z += fit.beta[static_cast<Eigen::Index>(j)] * valueAt(fit.columns[j], point, fit.factors);
    return z;
}

double predictMean(const Fit& fit, const study::CodedPoint& point)
{
    return fit.isOk() ? toResponseUnit(fit, predictOnModelScale(fit, point)) : 0.0;
}

Eigen::VectorXd predictGradient(const Fit& fit, const study::CodedPoint& point)
{
    Eigen::VectorXd gradient = Eigen::VectorXd::Zero(point.size());
    if (!fit.isOk())
        return gradient;
    for (std::size_t i = 0; i < fit.factors.size(); ++i) {
        for (std::size_t j = 0; fit.factors[i].isNumeric() && j < fit.columns.size(); ++j)
            gradient[static_cast<Eigen::Index>(i)] +=
                fit.beta[static_cast<Eigen::Index>(j)] * slopeOf(fit.columns[j], point, i, fit.factors);
    }
    if (fit.transform.kind == study::TransformKind::None)
        return gradient;
    const double z = predictOnModelScale(fit, point);
    const bool isHeld = toResponseUnit(fit, z) >= largestPrediction(fit);
    return gradient * (isHeld ? 0.0 : inverseSlope(fit.transform, z));
}

} // namespace quadric::model
