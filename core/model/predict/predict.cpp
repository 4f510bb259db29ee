// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/predict/predict.h"
#include "core/model/base/distributions.h"
#include "core/model/fit/prediction_error.h"
#include "core/model/fit/prediction_scale.h"
#include "core/model/fit/random_blocks.h"
#include "core/model/fit/transform.h"
#include "core/model/predict/predictor.h"

#include <algorithm>
#include <cmath>

namespace quadric::model {

namespace {

/// Where the inverse transform has a pole, the prediction is held at this multiple of the largest value seen.
constexpr double kPoleLimit = 1000.0;
/// Leverages are compared with this slack for rounding.
constexpr double kLeverageSlack = 1e-9;
constexpr double kDifference = 1e-4; ///< coded units

/// An interval of z in the response's own unit; empty where it is not bounded.
std::optional<Interval> backTransformed(const Fit& fit, double z, double half)
{
    if (!isInvertible(fit.transform, z - half) || !isInvertible(fit.transform, z + half))
        return std::nullopt;
    const double a = invertTransform(fit.transform, z - half);
    const double b = invertTransform(fit.transform, z + half);
    return Interval{std::min(a, b), std::max(a, b)};
}

/// Of a smooth surface along one factor.
double differenceQuotient(const Predictor& predictor, Eigen::VectorXd x, Eigen::Index axis)
{
    const double middle = x[axis];
    x[axis] = middle + kDifference;
    const double above = predictor.meanAt(x);
    x[axis] = middle - kDifference;
    return (above - predictor.meanAt(x)) / (2.0 * kDifference);
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
    const double y = invertTransform(fit.transform, z);
    return fit.transform.kind == study::TransformKind::None ? y : std::min(y, largestPrediction(fit));
}

double leverageLimit(const Fit& fit)
{
    return std::min(fit.maxLeverage, 3.0 * fit.parameters / fit.n) * (1 + kLeverageSlack);
}

bool isExtrapolation(const Fit& fit, const study::CodedPoint& point, double leverage)
{
    if (leverage > leverageLimit(fit))
        return true;
    for (std::size_t i = 0; i < fit.seenLevels.size(); ++i) {
        const auto level = static_cast<std::size_t>(std::max(point[static_cast<Eigen::Index>(i)] + 0.5, 0.0));
        if (!fit.seenLevels[i].empty() && (level >= fit.seenLevels[i].size() || !fit.seenLevels[i][level]))
            return true;
    }
    return false;
}

Prediction predict(const Fit& fit, const study::CodedPoint& point, int futureRuns,
                   std::optional<double> confidence, double blockShare)
{
    Prediction prediction;
    if (!fit.isOk())
        return prediction;
    if (fit.predictor)
        return fit.predictor->predict(point, futureRuns, confidence);
    const Eigen::VectorXd row = rowAt(fit.columns, point, fit.factors);
    const double z = row.dot(fit.beta);
    prediction.leverage = std::max(row.dot(fit.unscaledCovariance * row), 0.0);
    prediction.mean = toResponseUnit(fit, z);
    prediction.isMedian = fit.transform.kind != study::TransformKind::None;
    prediction.isExtrapolation =
        isExtrapolation(fit, point, prediction.leverage) || !isInvertible(fit.transform, z);
    if (fit.dfResidual == 0)
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
    if (fit.predictor)
        return fit.predictor->meanAt(point.x);
    double z = 0.0;
    for (std::size_t j = 0; j < fit.columns.size(); ++j)
        z += fit.beta[static_cast<Eigen::Index>(j)] * valueAt(fit.columns[j], point, fit.factors);
    return z;
}

double predictMean(const Fit& fit, const study::CodedPoint& point)
{
    return fit.isOk() ? toResponseUnit(fit, predictOnModelScale(fit, point)) : 0.0;
}

Eigen::VectorXd gradientOnModelScale(const Fit& fit, const study::CodedPoint& point)
{
    Eigen::VectorXd gradient = Eigen::VectorXd::Zero(point.size());
    for (std::size_t i = 0; i < fit.factors.size(); ++i) {
        const auto axis = static_cast<Eigen::Index>(i);
        if (fit.factors[i].isNumeric() && fit.predictor)
            gradient[axis] = differenceQuotient(*fit.predictor, point.x, axis);
        for (std::size_t j = 0; fit.factors[i].isNumeric() && j < fit.columns.size(); ++j)
            gradient[axis] +=
                fit.beta[static_cast<Eigen::Index>(j)] * slopeOf(fit.columns[j], point, i, fit.factors);
    }
    return gradient;
}

Eigen::VectorXd predictGradient(const Fit& fit, const study::CodedPoint& point)
{
    if (!fit.isOk())
        return Eigen::VectorXd::Zero(point.size());
    const Eigen::VectorXd gradient = gradientOnModelScale(fit, point);
    if (fit.transform.kind == study::TransformKind::None)
        return gradient;
    const double z = predictOnModelScale(fit, point);
    const bool isHeld = toResponseUnit(fit, z) >= largestPrediction(fit);
    return gradient * (isHeld ? 0.0 : inverseSlope(fit.transform, z));
}

} // namespace quadric::model
