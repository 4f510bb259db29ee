// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/scaling_points.h"

#include "core/model/predict/new_run.h"
#include "core/plan/job_records.h"
#include "core/plan/table_columns.h"
#include "core/text/numbers.h"
#include "core/text/read_number.h"

#include <cmath>
#include <stdexcept>

namespace quadric::plan {

namespace {

constexpr int kCurvePoints = 3;
constexpr double kMostCount = 1e6;

/// Of one run about the model there, half of the middle 68 %, relative.
double relativeSd(const model::Fit& fit, const study::CodedPoint& point)
{
    if (fit.dfResidual == 0)
        return 0.0;
    const model::NewRun run = model::predictNewRun(fit, point);
    const double low = model::invertTransform(fit.transform, run.location - run.scale);
    const double high = model::invertTransform(fit.transform, run.location + run.scale);
    const double mean = model::invertTransform(fit.transform, run.location);
    return std::abs(high - low) / 2.0 / std::abs(mean);
}

[[noreturn]] void refuse(const std::string& column, std::size_t row, const std::string& cell,
                         const std::string& expected)
{
    throw std::invalid_argument(column + " of row " + std::to_string(row + 1) + ": \"" + cell +
                                "\", expected " + expected);
}

/// A number of `least` or more.
double requireNumber(const std::string& column, std::size_t row, const std::string& cell, double least)
{
    const auto number = text::readNumber(cell, '.');
    if (!number || *number < least)
        refuse(column, row, cell, "a number of " + text::formatExactly(least) + " or more");
    return *number;
}

} // namespace

std::vector<ScalingPoint> scalingPointsOf(const model::Fit& fit, const study::Study& study,
                                          std::size_t factor, const study::CodedPoint& at)
{
    if (!fit.factors[factor].isNumeric())
        throw std::invalid_argument(fit.factors[factor].name + ": expected a numeric factor");
    const model::EffectCurve curve =
        model::effectCurve(fit, study, factor, at, kCurvePoints, model::Span::Runs);
    const auto seconds = secondsPer(fit.unit);
    const bool isTime = seconds && !fit.unit.empty();
    const study::Coding coding(fit.factors);
    std::vector<ScalingPoint> points;
    for (std::size_t i = 0; i < curve.adjustedAt.size(); ++i) {
        const double mean = curve.adjustedMean[i];
        if (!(mean > 0.0))
            throw std::invalid_argument(fit.response + ": the model gives a value that is not above 0");
        study::CodedPoint point = at;
        point[static_cast<Eigen::Index>(factor)] = coding.toCoded(factor, curve.adjustedAt[i]);
        points.push_back({static_cast<int>(std::lround(curve.adjustedAt[i])),
                          isTime ? 1.0 / (mean * *seconds) : mean,
                          relativeSd(fit, point) / std::sqrt(curve.adjustedRuns[i])});
    }
    return points;
}

std::vector<ScalingPoint> readScalingPoints(const std::vector<std::string>& headers,
                                            const std::vector<std::vector<std::string>>& rows)
{
    const auto count = findColumn(headers, {"gpus", "ranks", "nodes", "count"});
    const auto speed = findColumn(headers, {"speed", "throughput"});
    const auto error = findColumn(headers, {"error"});
    if (!count || !speed)
        throw std::invalid_argument("the columns are " + text::joinWords(headers) +
                                    "; expected gpus (or ranks, nodes, count) and speed (or throughput)");
    std::vector<ScalingPoint> points;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto number = [&](std::size_t column, double least) {
            return requireNumber(headers[column], i, rows[i][column], least);
        };
        const double machines = number(*count, 1.0);
        if (machines != std::floor(machines) || machines > kMostCount)
            refuse(headers[*count], i, rows[i][*count], "a whole number of GPUs up to 1000000");
        const double measured = number(*speed, 0.0);
        if (!(measured > 0.0))
            refuse(headers[*speed], i, rows[i][*speed], "a speed above 0");
        points.push_back({static_cast<int>(machines), measured, error ? number(*error, 0.0) : 0.0});
    }
    return points;
}

} // namespace quadric::plan
