// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/scaling_law.h"

#include "core/algebra/factorizations.h"
#include "core/plan/jobs.h"
#include "core/text/numbers.h"
#include "core/text/typed_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace quadric::plan {

namespace {

constexpr double kDayToDay = 0.01;
constexpr int kSteps = 60;
constexpr double kSmallestStep = 1e-9;
/// Logarithms of parameters stay here: below, a parameter is 0 for all purposes.
constexpr double kSmallest = -30.0;
constexpr double kLargest = 30.0;
/// Starts of shares and costs, relative to one GPU.
constexpr std::array kStarts = {0.3, 0.02, 0.001};

bool isOverlapped(LawKind kind)
{
    return kind == LawKind::RingOverlapped || kind == LawKind::TreeOverlapped;
}

bool isExchange(LawKind kind)
{
    return kind == LawKind::Ring || kind == LawKind::Tree || isOverlapped(kind);
}

double ringShare(double members)
{
    return 2.0 * (members - 1.0) / members;
}

/// What the parameters of a law are multiplied by at a count.
struct Place {
    double count, others, messages, betweenNodes, inNode;
};

Place placeOf(LawKind kind, int perNode, double count)
{
    const double nodes = std::max(1.0, count / perNode);
    const bool isTree = kind == LawKind::Tree || kind == LawKind::TreeOverlapped;
    return {count, count - 1.0, isTree ? 2.0 * std::ceil(std::log2(nodes) - 1e-9) : 2.0 * (nodes - 1.0),
            ringShare(nodes), ringShare(std::min<double>(count, perNode))};
}

/// A speed, and what its logarithm gains with those of the parameters.
struct SpeedWithSlopes {
    double speed;
    LawParameters slopes;
};

/// Parameters t, A, B, then D with two levels, then H.
SpeedWithSlopes speedOfExchange(LawKind kind, const LawParameters& p, const Place& at)
{
    LawParameters factors(p.size()); // of the parameters in the time of a step of one GPU
    factors[0] = 1.0;
    factors[1] = at.messages;
    factors[2] = at.betweenNodes;
    if (p.size() > 3)
        factors[3] = at.inNode;
    if (isOverlapped(kind))
        factors[p.size() - 1] = -1.0;
    const Eigen::Index exchange = p.size() - 1;
    if (factors.tail(exchange).dot(p.tail(exchange)) < 0.0) // all of it is hidden
        factors.tail(exchange).setZero();
    const double seconds = factors.dot(p);
    return {at.count / seconds, -factors.cwiseProduct(p) / seconds};
}

/// Parameters X₁, σ, then κ; of Gustafson's law σ/(1 − σ), which is positive.
SpeedWithSlopes speedOfShares(LawKind kind, const LawParameters& p, const Place& at)
{
    SpeedWithSlopes at1{p[0], LawParameters::Ones(p.size())};
    if (kind == LawKind::Gustafson) {
        const double growth = 1.0 + at.others / (1.0 + p[1]);
        at1.slopes[1] = -at.others * p[1] / std::pow(1.0 + p[1], 2) / growth;
        at1.speed *= growth;
        return at1;
    }
    LawParameters losses = p * at.others;
    if (kind == LawKind::Usl)
        losses[2] *= at.count;
    const Eigen::Index shares = p.size() - 1;
    const double loss = 1.0 + losses.tail(shares).sum();
    at1.slopes.tail(shares) = -losses.tail(shares) / loss;
    at1.speed *= at.count / loss;
    return at1;
}

SpeedWithSlopes speedOf(LawKind kind, const LawParameters& p, const Place& at)
{
    return isExchange(kind) ? speedOfExchange(kind, p, at) : speedOfShares(kind, p, at);
}

/// A point as the fit needs it.
struct Observation {
    Place at;
    double logSpeed, weight;
};

std::vector<Observation> observationsOf(const ScalingLaw& law, const std::vector<ScalingPoint>& points)
{
    std::vector<Observation> observations;
    for (const ScalingPoint& point : points)
        observations.push_back(
            {placeOf(law.kind, law.perNode, point.count), std::log(point.speed), weightOf(point)});
    return observations;
}

/// Normal equations of Σ w (ln X − ln X̂)².
struct Equations {
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMostParameters, kMostParameters> lower;
    LawParameters right;
    double squares = 0.0;
};

Equations equationsOf(const ScalingLaw& law, const std::vector<Observation>& observations)
{
    const LawParameters p = law.logParameters.array().exp();
    Equations sums{.lower = decltype(Equations::lower)::Zero(p.size(), p.size()),
                   .right = LawParameters::Zero(p.size())};
    for (const Observation& each : observations) {
        const SpeedWithSlopes model = speedOf(law.kind, p, each.at);
        const double residual = each.logSpeed - std::log(model.speed);
        for (Eigen::Index j = 0; j < p.size(); ++j) {
            sums.right[j] += each.weight * residual * model.slopes[j];
            for (Eigen::Index i = j; i < p.size(); ++i)
                sums.lower(i, j) += each.weight * model.slopes[i] * model.slopes[j];
        }
        sums.squares += each.weight * residual * residual;
    }
    return sums;
}

/// Levenberg–Marquardt (Marquardt 1963); returns the sum of squares.
double descend(ScalingLaw& law, const std::vector<Observation>& observations)
{
    Equations here = equationsOf(law, observations);
    double damping = 1e-2;
    for (int step = 0; step < kSteps && damping < 1e10; ++step) {
        auto normal = here.lower;
        normal.diagonal().array() += damping * (normal.diagonal().array() + 1e-9);
        ScalingLaw next = law;
        LawParameters change = here.right;
        algebra::solveSymmetric(normal, change);
        next.logParameters += change;
        next.logParameters = next.logParameters.cwiseMax(kSmallest).cwiseMin(kLargest);
        if ((next.logParameters - law.logParameters).norm() < kSmallestStep)
            break;
        const Equations there = equationsOf(next, observations);
        if (!(there.squares < here.squares)) {
            damping *= 10.0;
            continue;
        }
        const bool isDone = here.squares - there.squares < 1e-12 * there.squares;
        law = next;
        here = there;
        damping = std::max(damping / 10.0, 1e-12);
        if (isDone)
            break;
    }
    return here.squares;
}

/// First parameter: the speed of one GPU, or the time of its step.
ScalingLaw startOf(LawKind kind, int perNode, const ScalingPoint& smallest, double share)
{
    ScalingLaw law{kind, perNode, LawParameters::Constant(parametersOf(kind, perNode), std::log(share))};
    const double speed = smallest.speed / smallest.count;
    if (isExchange(kind)) {
        law.logParameters.array() -= std::log(speed);
        law.logParameters[0] = -std::log(speed);
    } else {
        law.logParameters[0] = std::log(speed);
    }
    if (kind == LawKind::Usl)
        law.logParameters[2] = 2.0 * std::log(share);
    return law;
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

/// A number of `least` or more.
double requireNumber(const std::string& column, std::size_t row, const std::string& cell, double least)
{
    const auto number = text::readNumber(cell, '.');
    if (!number || *number < least)
        refuseCell(column, row, cell, "a number of " + text::formatExactly(least) + " or more");
    return *number;
}

} // namespace

std::string_view nameOf(LawKind kind)
{
    constexpr std::array<std::string_view, kLaws.size()> kNames = {
        "amdahl", "gustafson", "usl", "ring", "tree", "ring-overlap", "tree-overlap"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::vector<std::string> listLawAssumptions(LawKind kind)
{
    std::vector<std::string> words = {
        "Each GPU has as much work in every step as in the runs, and the data arrive as fast as they are "
        "used.",
        "The network between more nodes is as fast for each GPU as between those that were measured."};
    if (kind == LawKind::Amdahl || kind == LawKind::Gustafson)
        words.emplace_back(
            "The share of the work that is not divided stays the same, and the exchange costs no more.");
    if (kind == LawKind::Usl)
        words.emplace_back(
            "Waiting for shared resources and pairwise exchange grow as they did in the runs.");
    if (isExchange(kind))
        words.emplace_back(
            "The exchange uses the same algorithm for all counts, with the same latency and bandwidth.");
    if (isOverlapped(kind))
        words.emplace_back("The computing hides as much of the exchange as in the runs.");
    return words;
}

int parametersOf(LawKind kind, int perNode)
{
    if (!isExchange(kind))
        return kind == LawKind::Usl ? 3 : 2;
    return 3 + (perNode > 1 ? 1 : 0) + (isOverlapped(kind) ? 1 : 0);
}

double ScalingLaw::speedAt(double count) const
{
    return speedOf(kind, logParameters.array().exp(), placeOf(kind, perNode, count)).speed;
}

std::vector<double> ScalingLaw::speedsAt(const std::vector<int>& counts) const
{
    const LawParameters p = logParameters.array().exp();
    std::vector<double> speeds;
    speeds.reserve(counts.size());
    for (const int count : counts)
        speeds.push_back(speedOf(kind, p, placeOf(kind, perNode, count)).speed);
    return speeds;
}

ScalingLaw fitLaw(LawKind kind, int perNode, const std::vector<ScalingPoint>& points)
{
    if (std::ssize(points) < parametersOf(kind, perNode))
        throw std::invalid_argument("expected at least as many points as the law has parameters");
    const ScalingPoint& smallest = *std::ranges::min_element(points, {}, &ScalingPoint::count);
    ScalingLaw best;
    double least = std::numeric_limits<double>::infinity();
    for (const double share : kStarts) {
        ScalingLaw law = startOf(kind, perNode, smallest, share);
        if (const double squares = descend(law, observationsOf(law, points)); squares < least) {
            least = squares;
            best = law;
        }
    }
    return best;
}

void refit(ScalingLaw& law, const std::vector<ScalingPoint>& points)
{
    descend(law, observationsOf(law, points));
}

double weightOf(const ScalingPoint& point)
{
    return 1.0 / (point.error * point.error + kDayToDay * kDayToDay);
}

double residualSd(const ScalingLaw& law, const std::vector<ScalingPoint>& points)
{
    const auto df = static_cast<double>(std::ssize(points) - law.logParameters.size());
    double weights = 0.0;
    for (const ScalingPoint& point : points)
        weights += weightOf(point) / static_cast<double>(points.size());
    const double scale =
        df > 0.0 ? std::sqrt(equationsOf(law, observationsOf(law, points)).squares / df) : 1.0;
    return std::max(scale, 1.0) / std::sqrt(weights);
}

std::vector<ScalingPoint> makeScalingPoints(const model::Fit& fit, const study::Study& study,
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
            refuseCell(headers[*count], i, rows[i][*count], "a whole number of GPUs up to 1000000");
        const double measured = number(*speed, 0.0);
        if (!(measured > 0.0))
            refuseCell(headers[*speed], i, rows[i][*speed], "a speed above 0");
        points.push_back({static_cast<int>(machines), measured, error ? number(*error, 0.0) : 0.0});
    }
    return points;
}

} // namespace quadric::plan
