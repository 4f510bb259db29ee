// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/predict/predict.h"

#include "core/algebra/factorizations.h"
#include "core/algebra/products.h"
#include "core/model/base/distributions.h"
#include "core/model/base/model_size.h"
#include "core/model/fit/observations.h"
#include "core/model/fit/regression.h"
#include "core/model/fit/variance_estimates.h"

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
    if (fit.predictor)
        return fit.predictor->predictNewRuns(point, 1);
    const double leverage = PredictionError(fit).varianceFactorAt(point);
    const NewRunError error = computeNewRunError(fit, leverage, 1);
    return {predictOnModelScale(fit, point), std::sqrt(error.variance), error.df};
}

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

/// With more numeric factors the corners are too many to predict at each of them.
constexpr std::size_t kMostCornerFactors = 12;

/// The design matrix of an order; without columns where the runs cannot estimate it with an error left over.
Eigen::MatrixXd estimableMatrix(const Observations& data, const std::vector<Column>& columns,
                                const std::vector<study::Factor>& factors)
{
    const std::vector<int> blocks = blocksOf(data);
    const auto width = static_cast<double>(columns.size()) + countBlockColumns(data);
    if (width >= static_cast<double>(data.size()))
        return {};
    Eigen::MatrixXd x = designMatrix(data, blocks, columns, factors);
    const bool isWhole = orthogonalBasis(x, FitOptions{}.rankTolerance).aliased.empty();
    return isWhole ? x : Eigen::MatrixXd{};
}

/// Leverage of each corner, in the average block, above what a run or three coefficients a run have.
std::vector<bool> findFarCorners(const Eigen::MatrixXd& x, const Eigen::MatrixXd& corners)
{
    const algebra::Cholesky factor(algebra::cross(x));
    const auto leverage = [&](const Eigen::MatrixXd& rows) -> Eigen::VectorXd {
        return factor.solveLower(Eigen::MatrixXd(rows.transpose())).colwise().squaredNorm();
    };
    const double limit = std::min(leverage(x).maxCoeff() * (1 + 1e-9),
                                  3.0 * static_cast<double>(x.cols()) / static_cast<double>(x.rows()));
    std::vector<bool> isFar;
    for (const double each : leverage(corners))
        isFar.push_back(each > limit);
    return isFar;
}

/// The corners by the highest order that can be estimated; empty where there is none.
std::vector<bool> findFarCorners(const Fit& fit, const std::vector<study::CodedPoint>& points, Order& order)
{
    const Observations& data = fit.data->observations;
    order = largestOrder(fit.factors, countBlockColumns(data), static_cast<double>(data.size()));
    for (; order != Order::Mean; order = static_cast<Order>(static_cast<int>(order) - 1)) {
        const std::vector<Column> columns = columnsOf(termsOf(order, fit.factors), fit.factors);
        const Eigen::MatrixXd x = estimableMatrix(data, columns, fit.factors);
        if (x.cols() == 0)
            continue;
        const Eigen::Index blocks = x.cols() - std::ssize(columns);
        const Eigen::MatrixXd terms = modelMatrix(columns, points, fit.factors);
        Eigen::MatrixXd corners = Eigen::MatrixXd::Zero(terms.rows(), x.cols());
        corners.col(0) = terms.col(0);
        corners.rightCols(x.cols() - 1 - blocks) = terms.rightCols(terms.cols() - 1);
        return findFarCorners(x, corners);
    }
    return {};
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

std::vector<study::CodedPoint> cornersOf(const std::vector<study::Factor>& factors)
{
    std::vector<std::size_t> numeric;
    for (std::size_t i = 0; i < factors.size(); ++i)
        if (factors[i].isNumeric())
            numeric.push_back(i);
    if (numeric.empty() || numeric.size() > kMostCornerFactors)
        return {};
    std::vector<study::CodedPoint> corners;
    for (std::size_t corner = 0; corner < (std::size_t{1} << numeric.size()); ++corner) {
        study::CodedPoint point(Eigen::VectorXd::Zero(std::ssize(factors)));
        for (std::size_t i = 0; i < numeric.size(); ++i)
            point[static_cast<Eigen::Index>(numeric[i])] = ((corner >> i) & 1U) != 0 ? 1.0 : -1.0;
        corners.push_back(std::move(point));
    }
    return corners;
}

CornerCover findUncoveredCorners(const Fit& fit)
{
    CornerCover cover;
    const std::vector<study::CodedPoint> points =
        fit.dfResidual > 0 ? cornersOf(fit.factors) : std::vector<study::CodedPoint>{};
    if (points.empty() || !fit.data)
        return cover;
    Order order = Order::Mean;
    const std::vector<bool> isFar = findFarCorners(fit, points, order);
    cover.model = nameOf(order);
    cover.corners = static_cast<int>(points.size());
    for (std::size_t i = 0; i < points.size(); ++i)
        cover.outside += (!isFar.empty() && isFar[i]) || predict(fit, points[i]).isExtrapolation ? 1 : 0;
    return cover;
}

} // namespace quadric::model
