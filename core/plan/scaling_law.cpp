// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/scaling_law.h"

#include "core/algebra/factorizations.h"
#include "core/plan/jobs.h"
#include "core/text/numbers.h"
#include "core/text/typed_text.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

namespace quadric::plan {

namespace {

/// No measurement of speed is better than that from day to day.
constexpr double kDayToDay = 0.01;
constexpr int kSteps = 60;
constexpr double kSmallestStep = 1e-9; ///< of the logarithm of a speed

double ringShare(double members)
{
    return 2.0 * (members - 1.0) / members;
}

/// What the parameters of a law are multiplied by at a count.
LawParameters factorsAt(LawKind kind, int perNode, double count)
{
    const double nodes = std::max(1.0, count / perNode);
    LawParameters factors(parametersOf(kind, perNode));
    if (kind == LawKind::Amdahl)
        factors << 1.0, count - 1.0;
    else if (kind == LawKind::Usl)
        factors << 1.0, count - 1.0, count * (count - 1.0);
    else if (perNode == 1)
        factors << 1.0, 2.0 * (nodes - 1.0), ringShare(nodes);
    else
        factors << 1.0, 2.0 * (nodes - 1.0), ringShare(nodes), ringShare(std::min<double>(count, perNode));
    return factors;
}

double weightOf(const ScalingPoint& point)
{
    return 1.0 / (point.error * point.error + kDayToDay * kDayToDay);
}

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, Eigen::Dynamic, kMostParameters>;
using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMostParameters, kMostParameters>;

/// Least squares with parameters of 0 or more: of all choices of those that are not 0, which are few, the one
/// that explains most and keeps that. The first parameter is always there.
LawParameters solveNonNegative(const Rows& rows, const Eigen::VectorXd& wanted)
{
    constexpr double kRidge = 1e-12; // of columns with length 1: no two of them are alike
    const Eigen::Index all = rows.cols();
    const LawParameters lengths = rows.colwise().norm().transpose();
    const LawParameters scales = (lengths.array() > 0.0).select(lengths, 1.0);
    const Rows unit = rows * scales.cwiseInverse().asDiagonal();
    Square normal = unit.transpose() * unit;
    normal.diagonal().array() += kRidge;
    const LawParameters right = unit.transpose() * wanted;
    LawParameters best = LawParameters::Zero(all);
    double most = 0.0;
    for (unsigned choice = 1; choice < 1U << static_cast<unsigned>(all); choice += 2) {
        Square chosen = normal;
        LawParameters solution = right;
        for (Eigen::Index i = 0; i < all; ++i)
            if ((choice >> static_cast<unsigned>(i) & 1U) == 0) { // stays 0
                chosen.row(i).setZero();
                chosen.col(i).setZero();
                chosen(i, i) = 1.0;
                solution[i] = 0.0;
            }
        algebra::solveSymmetric(chosen, solution);
        const double explained = solution.dot(right);
        if (solution.minCoeff() >= 0.0 && explained > most) {
            most = explained;
            best = solution.cwiseQuotient(scales);
        }
    }
    return best;
}

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

/// The column with this heading; blanks and case do not count.
std::optional<std::size_t> findColumn(const std::vector<std::string>& headers, std::string_view name)
{
    const auto isLetter = [](char letter, char wanted) { return (letter | 0x20) == wanted; };
    const auto found = std::ranges::find_if(headers, [&](const std::string& header) {
        return std::ranges::equal(text::withoutBlanks(header), name, isLetter);
    });
    return found == headers.end() ? std::nullopt : std::optional<std::size_t>(found - headers.begin());
}

/// A cell as a number (rows are counted from 0). Throws std::invalid_argument where it is not what is
/// expected.
double readCell(const std::string& column, std::size_t row, const std::string& cell, const char* expected,
                bool (*isRight)(double))
{
    const auto number = text::readNumber(cell, '.');
    if (!number || !isRight(*number))
        throw std::invalid_argument(column + " of row " + std::to_string(row + 1) + ": \"" + cell +
                                    "\", expected " + expected);
    return *number;
}

} // namespace

std::string_view nameOf(LawKind kind)
{
    constexpr std::array<std::string_view, kLaws.size()> kNames = {"amdahl", "usl", "ring"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::vector<std::string> listLawAssumptions(LawKind kind)
{
    constexpr std::array<const char*, kLaws.size()> kOfLaws = {
        "The share of the work that is not divided stays the same, and the exchange costs no more.",
        "Waiting for shared resources and pairwise exchange grow as they did in the runs.",
        "The exchange uses the same algorithm for all counts, with the same latency and bandwidth."};
    return {"Each GPU has as much work in every step as in the runs, and the data arrive as fast as they are "
            "used.",
            "The network between more nodes is as fast for each GPU as between those that were measured.",
            kOfLaws[static_cast<std::size_t>(kind)]};
}

int parametersOf(LawKind kind, int perNode)
{
    return kind == LawKind::Amdahl ? 2 : kind == LawKind::Ring && perNode > 1 ? 4 : 3;
}

double ScalingLaw::speedAt(double count) const
{
    return count / factorsAt(kind, perNode, count).dot(parameters);
}

ScalingLaw fitLaw(LawKind kind, int perNode, const std::vector<ScalingPoint>& points)
{
    if (std::ssize(points) < parametersOf(kind, perNode))
        throw std::invalid_argument("expected at least as many points as the law has parameters");
    const Eigen::Index count = std::ssize(points);
    Rows factors(count, parametersOf(kind, perNode));
    Eigen::VectorXd roots(count), seconds(count); // of the weights; of a step, as measured
    for (Eigen::Index i = 0; i < count; ++i) {
        const ScalingPoint& point = points[static_cast<std::size_t>(i)];
        factors.row(i) = factorsAt(kind, perNode, point.count).transpose();
        roots[i] = std::sqrt(weightOf(point));
        seconds[i] = point.count / point.speed;
    }
    ScalingLaw law{kind, perNode, {}};
    Eigen::VectorXd fitted = seconds;
    for (int step = 0; step < kSteps; ++step) {
        // ln t ≈ ln t₀ + (t − t₀)/t₀ at the times t₀ of the step before
        const Eigen::VectorXd wanted = roots.array() * (1.0 + (seconds.array() / fitted.array()).log());
        law.parameters = solveNonNegative(roots.cwiseQuotient(fitted).asDiagonal() * factors, wanted);
        const Eigen::VectorXd next = factors * law.parameters;
        const double change = (next.array() / fitted.array()).log().abs().maxCoeff();
        fitted = next;
        if (change < kSmallestStep)
            break;
    }
    return law;
}

double residualSd(const ScalingLaw& law, const std::vector<ScalingPoint>& points)
{
    const auto df = static_cast<double>(std::ssize(points) - law.parameters.size());
    double weights = 0.0, squares = 0.0;
    for (const ScalingPoint& point : points) {
        weights += weightOf(point) / static_cast<double>(points.size());
        squares += weightOf(point) * std::pow(std::log(point.speed / law.speedAt(point.count)), 2);
    }
    const double scale = df > 0.0 ? std::sqrt(squares / df) : 1.0;
    return std::max(scale, 1.0) / std::sqrt(weights);
}

std::vector<ScalingPoint> makeScalingPoints(const model::Fit& fit, const study::Study& study,
                                            std::size_t factor, const study::CodedPoint& at)
{
    if (!fit.factors[factor].isNumeric())
        throw std::invalid_argument(fit.factors[factor].name + ": expected a numeric factor");
    const model::EffectCurve curve =
        model::effectCurve(fit, study, factor, at, kCurvePoints, model::Span::Runs);
    const auto seconds = isRateUnit(fit.unit) ? std::nullopt : secondsPerUnit(fit.unit); // of a time
    const study::Coding coding(fit.factors);
    std::vector<ScalingPoint> points;
    for (std::size_t i = 0; i < curve.adjustedAt.size(); ++i) {
        const double mean = curve.adjustedMean[i];
        if (!(mean > 0.0))
            throw std::invalid_argument(fit.response + ": the model gives a value that is not above 0");
        study::CodedPoint point = at;
        point[static_cast<Eigen::Index>(factor)] = coding.toCoded(factor, curve.adjustedAt[i]);
        points.push_back({static_cast<int>(std::lround(curve.adjustedAt[i])),
                          seconds ? 1.0 / (mean * *seconds) : mean,
                          relativeSd(fit, point) / std::sqrt(curve.adjustedRuns[i])});
    }
    return points;
}

std::vector<ScalingPoint> readScalingPoints(const std::vector<std::string>& headers,
                                            const std::vector<std::vector<std::string>>& rows)
{
    const auto count = findColumn(headers, "gpus"), speed = findColumn(headers, "speed"),
               error = findColumn(headers, "error");
    if (!count || !speed)
        throw std::invalid_argument("the columns are " + text::joinWords(headers) +
                                    "; expected gpus and speed");
    std::vector<ScalingPoint> points;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto cell = [&](std::size_t column, const char* expected, bool (*isRight)(double)) {
            return readCell(headers[column], i, rows[i][column], expected, isRight);
        };
        ScalingPoint& point = points.emplace_back();
        point.count = static_cast<int>(cell(*count, "a whole number of GPUs up to 1000000", [](double gpus) {
            return gpus >= 1.0 && gpus <= kMostCount && gpus == std::floor(gpus);
        }));
        point.speed = cell(*speed, "a speed above 0", [](double value) { return value > 0.0; });
        if (error)
            point.error = cell(*error, "a number of 0 or more", [](double value) { return value >= 0.0; });
    }
    return points;
}

} // namespace quadric::plan
