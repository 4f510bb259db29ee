// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/predict/curves.h"
#include "core/model/base/distributions.h"
#include "core/model/fit/prediction_error.h"
#include "core/model/fit/prediction_scale.h"
#include "core/model/fit/transform.h"
#include "core/model/predict/observed_runs.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace quadric::model {

namespace {

/// Coded values this near are one level.
constexpr double kSameLevel = 1e-9;

/// The prediction of one cell, as predict() gives it.
void fillCell(const Fit& fit, double z, double error, double t, Eigen::Index k, SurfaceGrid& grid)
{
    grid.se(k) = error * std::abs(inverseSlope(fit.transform, z));
    const double a = toResponseUnit(fit, z - t * error), b = toResponseUnit(fit, z + t * error);
    grid.low(k) = std::min(a, b);
    grid.high(k) = std::max(a, b);
}

SurfaceGrid emptyGrid(const Fit& fit, std::size_t xFactor, std::size_t yFactor)
{
    SurfaceGrid grid;
    nameAxes(fit.factors.at(xFactor), fit.factors.at(yFactor), grid);
    grid.response = fit.response;
    grid.responseUnit = fit.unit;
    return grid;
}

/// All points of the grid, x fastest, as the columns of z are stored.
std::vector<study::CodedPoint> gridPoints(const study::CodedPoint& at, std::size_t xFactor,
                                          const std::vector<double>& x, std::size_t yFactor,
                                          const std::vector<double>& y)
{
    std::vector<study::CodedPoint> points;
    points.reserve(x.size() * y.size());
    for (const double yCoded : y) {
        for (const double xCoded : x) {
            points.push_back(at);
            points.back()[static_cast<Eigen::Index>(xFactor)] = xCoded;
            points.back()[static_cast<Eigen::Index>(yFactor)] = yCoded;
        }
    }
    return points;
}

/// x'Cx of every row x.
Eigen::VectorXd computeQuadraticForms(const Eigen::MatrixXd& rows, const Eigen::MatrixXd& c)
{
    return (rows * c).cwiseProduct(rows).rowwise().sum().cwiseMax(0.0);
}

void fillHeights(const Fit& fit, const std::vector<study::CodedPoint>& points, SurfaceGrid& grid)
{
    const Eigen::MatrixXd rows = modelMatrix(fit.columns, points, fit.factors);
    const Eigen::VectorXd z = rows * fit.beta;
    const Eigen::VectorXd leverage = computeQuadraticForms(rows, fit.unscaledCovariance);
    const PredictionError source(fit);
    const Eigen::VectorXd error =
        source.sigma() *
        computeQuadraticForms(modelMatrix(source.columns(), points, fit.factors), source.unscaledCovariance())
            .cwiseSqrt();
    const double t = fit.dfResidual > 0 ? tLimit(1 - fit.confidence, source.df()) : 0.0;
    if (fit.dfResidual > 0) {
        for (Eigen::MatrixXd* values : {&grid.se, &grid.low, &grid.high})
            values->resize(grid.z.rows(), grid.z.cols());
    }
    for (Eigen::Index k = 0; k < z.size(); ++k) {
        grid.z(k) = toResponseUnit(fit, z[k]);
        grid.isExtrapolation(k) = isExtrapolation(fit, points[static_cast<std::size_t>(k)], leverage[k]) ||
                                  !isInvertible(fit.transform, z[k]);
        if (fit.dfResidual > 0)
            fillCell(fit, z[k], error[k], t, k, grid);
    }
}

/// The same where no polynomial predicts.
void fillPredicted(const Fit& fit, const std::vector<study::CodedPoint>& points, SurfaceGrid& grid)
{
    for (Eigen::MatrixXd* values : {&grid.se, &grid.low, &grid.high})
        values->resize(grid.z.rows(), grid.z.cols());
    for (Eigen::Index k = 0; k < grid.z.size(); ++k) {
        const Prediction prediction = predict(fit, points[static_cast<std::size_t>(k)]);
        const Interval interval = prediction.confidence.value_or(Interval{prediction.mean, prediction.mean});
        grid.z(k) = prediction.mean;
        grid.se(k) = prediction.se.value_or(0.0);
        grid.low(k) = interval.low;
        grid.high(k) = interval.high;
        grid.isExtrapolation(k) = prediction.isExtrapolation;
    }
}

} // namespace

std::vector<double> positionsAlong(const Fit& fit, std::size_t factor, int points, Span span)
{
    double low = -1.0, high = 1.0;
    if (span == Span::Runs && factor < fit.reach.size()) {
        low = std::min(low, fit.reach[factor].first);
        high = std::max(high, fit.reach[factor].second);
    }
    return positionsAlong(fit.factors[factor], points, low, high);
}

std::vector<ObservedRun> observedRuns(const Fit& fit, const study::Study& study)
{
    const study::Coding coding(fit.factors);
    const study::RunIndex index(study);
    std::vector<ObservedRun> observed;
    for (const Diagnostic& diagnostic : fit.diagnostics) {
        const study::Run* run = index.find(diagnostic.run);
        if (run == nullptr)
            continue;
        const auto result = run->results.find(fit.response);
        if (result != run->results.end())
            observed.push_back({run, coding.toCoded(run->settings), result->second, diagnostic.residual});
    }
    return observed;
}

double adjustedMean(const Fit& fit, const study::CodedPoint& point, const std::vector<double>& residuals)
{
    const double sum = std::accumulate(residuals.begin(), residuals.end(), 0.0);
    return toResponseUnit(fit, predictOnModelScale(fit, point) + sum / static_cast<double>(residuals.size()));
}

void addAdjustedMeans(const Fit& fit, const std::vector<ObservedRun>& runs, std::size_t factor,
                      const study::CodedPoint& at, EffectCurve& curve)
{
    const auto index = static_cast<Eigen::Index>(factor);
    const study::Coding coding(fit.factors);
    std::map<long long, std::vector<double>> levels;
    for (const ObservedRun& run : runs)
        levels[std::llround(run.point[index] / kSameLevel)].push_back(run.residual);
    study::CodedPoint point = at;
    for (const auto& [level, residuals] : levels) {
        point[index] = static_cast<double>(level) * kSameLevel;
        curve.adjustedAt.push_back(actualAt(coding, factor, point[index]));
        curve.adjustedMean.push_back(adjustedMean(fit, point, residuals));
        curve.adjustedRuns.push_back(static_cast<int>(residuals.size()));
    }
}

EffectCurve effectCurve(const Fit& fit, std::size_t factor, const study::CodedPoint& at, int points,
                        Span span)
{
    EffectCurve curve = emptyCurve(fit.factors.at(factor), fit.response, fit.unit);
    if (!fit.isOk())
        return curve;
    const study::Coding coding(fit.factors);
    study::CodedPoint point = at;
    for (const double coded : positionsAlong(fit, factor, points, span)) {
        point[static_cast<Eigen::Index>(factor)] = coded;
        appendPoint(predict(fit, point), actualAt(coding, factor, coded), curve);
    }
    if (curve.low.size() != curve.mean.size()) {
        curve.low.clear();
        curve.high.clear();
    }
    return curve;
}

EffectCurve effectCurve(const Fit& fit, const study::Study& study, std::size_t factor,
                        const study::CodedPoint& at, int points, Span span)
{
    EffectCurve curve = effectCurve(fit, factor, at, points, span);
    addAdjustedMeans(fit, observedRuns(fit, study), factor, at, curve);
    return curve;
}

SurfaceGrid surfaceGrid(const Fit& fit, const study::Study& study, std::size_t xFactor, std::size_t yFactor,
                        const study::CodedPoint& at, int points, Span span)
{
    SurfaceGrid grid = emptyGrid(fit, xFactor, yFactor);
    if (!fit.isOk())
        return grid;
    const study::Coding coding(fit.factors);
    const std::vector<double> x = positionsAlong(fit, xFactor, points, span);
    const std::vector<double> y = positionsAlong(fit, yFactor, points, span);
    for (const double coded : x)
        grid.x.push_back(actualAt(coding, xFactor, coded));
    for (const double coded : y)
        grid.y.push_back(actualAt(coding, yFactor, coded));
    grid.z.resize(std::ssize(x), std::ssize(y));
    grid.isExtrapolation.resize(std::ssize(x), std::ssize(y));
    const std::vector<study::CodedPoint> cells = gridPoints(at, xFactor, x, yFactor, y);
    fit.predictor ? fillPredicted(fit, cells, grid) : fillHeights(fit, cells, grid);
    grid.feasible =
        study::feasibleGrid(study, {xFactor, grid.x}, {yFactor, grid.y}, study::programValues(coding, at));
    for (const ObservedRun& observed : observedRuns(fit, study))
        grid.observed.push_back(
            {observed.run->id, actualAt(coding, xFactor, observed.point[static_cast<Eigen::Index>(xFactor)]),
             actualAt(coding, yFactor, observed.point[static_cast<Eigen::Index>(yFactor)]), observed.value,
             predictMean(fit, observed.point)});
    return grid;
}

} // namespace quadric::model
