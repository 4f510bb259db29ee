// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/scaling_law.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace quadric::plan {

namespace {

constexpr double kDayToDay = 0.01;
constexpr int kSteps = 60;
constexpr double kDifference = 1e-5;
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

/// Time of a step of one GPU with the exchange of N; parameters t, A, B, then D with two levels, then H.
double stepSeconds(const ScalingLaw& law, const Eigen::VectorXd& p, double count)
{
    const double nodes = std::max(1.0, count / law.perNode);
    const bool isTree = law.kind == LawKind::Tree || law.kind == LawKind::TreeOverlapped;
    const double messages = isTree ? 2.0 * std::ceil(std::log2(nodes) - 1e-9) : 2.0 * (nodes - 1.0);
    double exchange = messages * p[1] + ringShare(nodes) * p[2];
    if (law.perNode > 1)
        exchange += ringShare(std::min<double>(count, law.perNode)) * p[3];
    const double hidden = isOverlapped(law.kind) ? p[p.size() - 1] : 0.0;
    return p[0] + std::max(0.0, exchange - hidden);
}

/// Weighted residuals ln X − ln X̂.
Eigen::VectorXd residualsOf(const ScalingLaw& law, const std::vector<ScalingPoint>& points)
{
    Eigen::VectorXd residuals(std::ssize(points));
    for (std::size_t i = 0; i < points.size(); ++i)
        residuals[static_cast<Eigen::Index>(i)] =
            std::sqrt(weightOf(points[i])) *
            (std::log(points[i].speed) - std::log(law.speedAt(points[i].count)));
    return residuals;
}

Eigen::MatrixXd slopesOf(const ScalingLaw& law, const std::vector<ScalingPoint>& points,
                         const Eigen::VectorXd& residuals)
{
    Eigen::MatrixXd slopes(residuals.size(), law.logParameters.size());
    for (Eigen::Index j = 0; j < slopes.cols(); ++j) {
        ScalingLaw moved = law;
        moved.logParameters[j] += kDifference;
        slopes.col(j) = (residualsOf(moved, points) - residuals) / kDifference;
    }
    return slopes;
}

/// Levenberg–Marquardt (Marquardt 1963); returns the sum of squares.
double descend(ScalingLaw& law, const std::vector<ScalingPoint>& points)
{
    Eigen::VectorXd residuals = residualsOf(law, points);
    double damping = 1e-2;
    for (int step = 0; step < kSteps && damping < 1e10; ++step) {
        const Eigen::MatrixXd slopes = slopesOf(law, points, residuals);
        Eigen::MatrixXd normal = slopes.transpose() * slopes;
        normal.diagonal().array() += damping * (normal.diagonal().array() + 1e-9);
        ScalingLaw next = law;
        next.logParameters -= normal.ldlt().solve(slopes.transpose() * residuals);
        next.logParameters = next.logParameters.cwiseMax(kSmallest).cwiseMin(kLargest);
        const Eigen::VectorXd there = residualsOf(next, points);
        if (!(there.squaredNorm() < residuals.squaredNorm())) {
            damping *= 10.0;
            continue;
        }
        const bool isDone = residuals.squaredNorm() - there.squaredNorm() < 1e-12 * there.squaredNorm();
        law = std::move(next);
        residuals = there;
        damping = std::max(damping / 10.0, 1e-12);
        if (isDone)
            break;
    }
    return residuals.squaredNorm();
}

/// First parameter: the speed of one GPU, or the time of its step.
ScalingLaw startOf(LawKind kind, int perNode, const ScalingPoint& smallest, double share)
{
    ScalingLaw law{kind, perNode, Eigen::VectorXd::Constant(parametersOf(kind, perNode), std::log(share))};
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

} // namespace

std::string_view nameOf(LawKind kind)
{
    constexpr std::array<std::string_view, kLaws.size()> kNames = {
        "amdahl", "gustafson", "usl", "ring", "tree", "ring-overlap", "tree-overlap"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::vector<std::string> assumptionsOf(LawKind kind)
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
    const Eigen::VectorXd p = logParameters.array().exp();
    if (isExchange(kind))
        return count / stepSeconds(*this, p, count);
    const double others = count - 1.0;
    if (kind == LawKind::Gustafson)
        return p[0] * (1.0 + others / (1.0 + p[1])); // σ/(1 − σ) is the positive parameter
    return p[0] * count / (1.0 + p[1] * others + (kind == LawKind::Usl ? p[2] * count * others : 0.0));
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
        if (const double squares = descend(law, points); squares < least) {
            least = squares;
            best = law;
        }
    }
    return best;
}

void refit(ScalingLaw& law, const std::vector<ScalingPoint>& points)
{
    descend(law, points);
}

double weightOf(const ScalingPoint& point)
{
    return 1.0 / (point.error * point.error + kDayToDay * kDayToDay);
}

double residualSd(const ScalingLaw& law, const std::vector<ScalingPoint>& points)
{
    const Eigen::VectorXd residuals = residualsOf(law, points);
    const auto df = static_cast<double>(residuals.size() - law.logParameters.size());
    double weights = 0.0;
    for (const ScalingPoint& point : points)
        weights += weightOf(point) / static_cast<double>(points.size());
    const double scale = df > 0.0 ? std::sqrt(residuals.squaredNorm() / df) : 1.0;
    return std::max(scale, 1.0) / std::sqrt(weights);
}

} // namespace quadric::plan
