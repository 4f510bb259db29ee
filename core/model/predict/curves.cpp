// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/predict/curves.h"
#include "core/model/fit/distributions.h"
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

void appendPoint(const Fit& fit, const study::CodedPoint& point, EffectCurve& curve)
{
    const Prediction prediction = predict(fit, point);
    curve.mean.push_back(prediction.mean);
    curve.isExtrapolation.push_back(prediction.isExtrapolation);
    if (prediction.confidence) {
        curve.low.push_back(prediction.confidence->low);
        curve.high.push_back(prediction.confidence->high);
    }
}

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
    const study::Factor& x = fit.factors.at(xFactor);
    const study::Factor& y = fit.factors.at(yFactor);
    SurfaceGrid grid;
    grid.xName = x.name;
    grid.xUnit = x.unit;
    grid.yName = y.name;
    grid.yUnit = y.unit;
    grid.response = fit.response;
    grid.responseUnit = fit.unit;
    grid.xIsLog2 = x.scale == study::Scale::Log2;
    grid.yIsLog2 = y.scale == study::Scale::Log2;
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

} // namespace

std::vector<double> positionsAlong(const Fit& fit, std::size_t factor, int points, Span span)
{
    const study::Factor& varied = fit.factors[factor];
    const int count = varied.isNumeric() ? std::max(points, 2) : static_cast<int>(varied.categories.size());
    double low = -1.0, high = 1.0;
    if (span == Span::Runs && factor < fit.reach.size()) {
        low = std::min(low, fit.reach[factor].first);
        high = std::max(high, fit.reach[factor].second);
    }
    std::vector<double> positions;
    positions.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i)
        positions.push_back(varied.isNumeric() ? low + (high - low) * i / (count - 1)
                                               : static_cast<double>(i));
    return positions;
}

double actualAt(const study::Coding& coding, std::size_t factor, double coded)
{
    return coding.factors()[factor].isNumeric() ? coding.toActual(factor, coded) : coded;
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
    const study::Factor& varied = fit.factors.at(factor);
    const study::Coding coding(fit.factors);
    EffectCurve curve;
    curve.factor = varied.name;
    curve.unit = varied.unit;
    curve.response = fit.response;
    curve.responseUnit = fit.unit;
    curve.isLog2 = varied.scale == study::Scale::Log2;
    curve.categories = varied.categories;
    if (!fit.isOk())
        return curve;
    study::CodedPoint point = at;
    for (const double coded : positionsAlong(fit, factor, points, span)) {
        point[static_cast<Eigen::Index>(factor)] = coded;
        curve.actual.push_back(actualAt(coding, factor, coded));
        appendPoint(fit, point, curve);
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
    fillHeights(fit, gridPoints(at, xFactor, x, yFactor, y), grid);
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
