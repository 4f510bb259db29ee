// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/predict/curves.h"

#include "core/model/base/distributions.h"
#include "core/model/fit/observations.h"
#include "core/model/fit/regression.h"
#include "core/study/run.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace quadric::model {

std::vector<double> positionsAlong(const study::Factor& factor, int points, double low, double high)
{
    const int count = factor.isNumeric() ? std::max(points, 2) : static_cast<int>(factor.categories.size());
    std::vector<double> positions;
    positions.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i)
        positions.push_back(factor.isNumeric() ? low + (high - low) * i / (count - 1)
                                               : static_cast<double>(i));
    return positions;
}

double actualAt(const study::Coding& coding, std::size_t factor, double coded)
{
    return coding.factors()[factor].isNumeric() ? coding.toActual(factor, coded) : coded;
}

EffectCurve emptyCurve(const study::Factor& factor, const std::string& response, const std::string& unit)
{
    EffectCurve curve;
    curve.factor = factor.name;
    curve.unit = factor.unit;
    curve.response = response;
    curve.responseUnit = unit;
    curve.isLog2 = factor.scale == study::Scale::Log2;
    curve.categories = factor.categories;
    return curve;
}

void appendPoint(const Prediction& prediction, double actual, EffectCurve& curve)
{
    curve.actual.push_back(actual);
    curve.mean.push_back(prediction.mean);
    curve.isExtrapolation.push_back(prediction.isExtrapolation);
    if (!prediction.isEstimable) { // both are as long as the others
        curve.low.push_back(prediction.mean);
        curve.high.push_back(prediction.mean);
    }
    if (prediction.confidence) {
        curve.low.push_back(prediction.confidence->low);
        curve.high.push_back(prediction.confidence->high);
    }
}

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
        const study::CodedPoint& point = points[static_cast<std::size_t>(k)];
        grid.isExtrapolation(k) = isExtrapolation(fit, point, leverage[k]) || !isEstimable(fit, point) ||
                                  !isInvertible(fit.transform, z[k]);
        if (fit.dfResidual > 0)
            fillCell(fit, z[k], error[k], t, k, grid);
    }
}

constexpr double kWhiskerReach = 1.5; ///< interquartile ranges
constexpr double kLevelApart = 1e-9;  ///< coded settings nearer than this are one level
constexpr int kSettingDigits = 6;

/// A run with its place along the factor.
struct PlacedRun {
    double coded = 0.0, actual = 0.0, value = 0.0;
    int run = 0;
};

std::vector<PlacedRun> placeRuns(const study::Study& study, const Observations& data, std::size_t factor)
{
    const study::Coding coding(study.factors);
    const auto index = static_cast<Eigen::Index>(factor);
    std::vector<PlacedRun> placed;
    for (std::size_t i = 0; i < data.runs.size(); ++i) {
        const double coded = data.points[i][index];
        const double actual = study.factors[factor].isNumeric() ? coding.toActual(factor, coded) : coded;
        placed.push_back({coded, actual, data.y[static_cast<Eigen::Index>(i)], data.runs[i]});
    }
    std::ranges::stable_sort(placed, {}, &PlacedRun::coded);
    return placed;
}

using RunGroups = std::vector<std::vector<PlacedRun>>;

RunGroups groupByLevel(const std::vector<PlacedRun>& ascending)
{
    RunGroups levels;
    for (const PlacedRun& run : ascending) {
        if (levels.empty() || run.coded - levels.back().front().coded > kLevelApart)
            levels.emplace_back();
        levels.back().push_back(run);
    }
    return levels;
}

/// Neighboring levels joined into ranges; each run falls into the range that its level's middle rank asks
/// for, so that runs of one level stay together.
RunGroups joinLevels(const RunGroups& levels, std::size_t runs)
{
    RunGroups ranges(kMostRanges);
    std::size_t before = 0;
    for (const auto& level : levels) {
        const double middle = (static_cast<double>(before) + static_cast<double>(level.size()) / 2.0) /
                              static_cast<double>(runs);
        const auto range =
            std::min<std::size_t>(static_cast<std::size_t>(middle * kMostRanges), kMostRanges - 1);
        ranges[range].insert(ranges[range].end(), level.begin(), level.end());
        before += level.size();
    }
    std::erase_if(ranges, [](const auto& range) { return range.empty(); });
    return ranges;
}

std::string nameOfGroup(const study::Factor& factor, const LevelGroup& group)
{
    if (!factor.isNumeric())
        return factor.categories.at(static_cast<std::size_t>(group.low));
    const std::string low = text::formatDigits(group.low, kSettingDigits);
    const std::string high = text::formatDigits(group.high, kSettingDigits);
    return low == high ? low : low + "–" + high;
}

/// `ascending` has at least one value.
BoxStatistics computeBox(const std::vector<double>& ascending)
{
    BoxStatistics box;
    box.lowerQuartile = computeQuantile(ascending, 0.25);
    box.median = computeQuantile(ascending, 0.5);
    box.upperQuartile = computeQuantile(ascending, 0.75);
    const double reach = kWhiskerReach * (box.upperQuartile - box.lowerQuartile);
    box.lowerWhisker = *std::ranges::lower_bound(ascending, box.lowerQuartile - reach);
    box.upperWhisker = *std::prev(std::ranges::upper_bound(ascending, box.upperQuartile + reach));
    return box;
}

void summarizeValues(LevelGroup& group)
{
    std::vector<double> ascending = group.values;
    std::ranges::sort(ascending);
    const auto count = static_cast<double>(ascending.size());
    group.box = computeBox(ascending);
    group.smallest = ascending.front();
    group.largest = ascending.back();
    group.mean = std::accumulate(ascending.begin(), ascending.end(), 0.0) / count;
    if (ascending.size() < 2)
        return;
    double squares = 0.0;
    for (const double value : ascending)
        squares += (value - group.mean) * (value - group.mean);
    group.sd = std::sqrt(squares / (count - 1.0));
}

LevelGroup makeGroup(const study::Study& study, const study::Factor& factor,
                     const std::vector<PlacedRun>& runs)
{
    LevelGroup group;
    group.low = runs.front().actual;
    group.high = runs.back().actual;
    for (const PlacedRun& each : runs) {
        group.runs.push_back(each.run);
        group.values.push_back(each.value);
        const study::Run* run = study::findRun(study, each.run);
        group.isDisturbed.push_back(run != nullptr && study::isDisturbed(*run));
    }
    group.level = nameOfGroup(factor, group);
    summarizeValues(group);
    return group;
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

double computeQuantile(const std::vector<double>& ascending, double share)
{
    const double place = share * static_cast<double>(ascending.size() - 1);
    const auto below = static_cast<std::size_t>(std::floor(place));
    const std::size_t above = std::min(below + 1, ascending.size() - 1);
    return ascending[below] + (place - std::floor(place)) * (ascending[above] - ascending[below]);
}

LevelSummary summarizeLevels(const study::Study& study, const study::Response& response, std::size_t factor)
{
    const study::Factor& along = study.factors.at(factor);
    LevelSummary summary{along.name, along.unit, response.name, response.unit, {}, 0, false};
    const std::vector<PlacedRun> placed = placeRuns(study, collect(study, response.name), factor);
    RunGroups groups = groupByLevel(placed);
    summary.testedLevels = static_cast<int>(groups.size());
    summary.isGrouped = along.isNumeric() && summary.testedLevels > kMostLevels;
    if (summary.isGrouped)
        groups = joinLevels(groups, placed.size());
    for (const auto& group : groups)
        summary.groups.push_back(makeGroup(study, along, group));
    return summary;
}

std::vector<LevelSummary> summarizeLevels(const study::Study& study, std::string_view response)
{
    std::vector<LevelSummary> summaries;
    if (const study::Response* found = study::findResponse(study, response)) {
        for (std::size_t factor = 0; factor < study.factors.size(); ++factor)
            summaries.push_back(summarizeLevels(study, *found, factor));
    }
    return summaries;
}

} // namespace quadric::model
