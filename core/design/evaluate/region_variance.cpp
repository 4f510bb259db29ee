// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/base/information.h"
#include "core/design/base/prediction_variance.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace quadric::design {

namespace {

/// Grid points of the cube that are looked at for the largest variance, at most.
constexpr double kMostGridPoints = 20000.0;

constexpr int kCurvePoints = 101;

/// Points that climb to the largest variance near them, and the levels at which a factor is tried.
constexpr Eigen::Index kClimbers = 5;
constexpr Eigen::Index kClimbLevels = 21;

/// Levels of all factors times squared coefficients times climbers: a second at the most.
constexpr double kMostClimbWork = 1e9;

std::vector<double> levelsOf(const study::Factor& factor, const std::vector<double>& numeric)
{
    if (factor.isNumeric())
        return numeric;
    std::vector<double> levels(factor.categories.size());
    std::iota(levels.begin(), levels.end(), 0.0);
    return levels;
}

/// All combinations of levels, as many for each factor as stay below the limit; no rows where even two are
/// too many.
Eigen::MatrixXd gridOf(const std::vector<study::Factor>& factors)
{
    static const std::vector<std::vector<double>> kLevels = {
        {-1.0, -0.5, 0.0, 0.5, 1.0}, {-1.0, 0.0, 1.0}, {-1.0, 1.0}};
    const auto columns = static_cast<Eigen::Index>(factors.size());
    for (const std::vector<double>& numeric : kLevels) {
        double points = 1.0;
        for (const study::Factor& factor : factors)
            points *= static_cast<double>(levelsOf(factor, numeric).size());
        if (points > kMostGridPoints)
            continue;
        Eigen::MatrixXd grid(static_cast<Eigen::Index>(points), columns);
        Eigen::Index repeat = 1;
        for (Eigen::Index i = 0; i < columns; ++i) {
            const std::vector<double> levels = levelsOf(factors[static_cast<std::size_t>(i)], numeric);
            const auto count = static_cast<Eigen::Index>(levels.size());
            for (Eigen::Index row = 0; row < grid.rows(); ++row)
                grid(row, i) = levels[static_cast<std::size_t>(row / repeat % count)];
            repeat *= count;
        }
        return grid;
    }
    return Eigen::MatrixXd(0, columns);
}

/// The largest variance that changing one factor after another reaches from `point`.
double climb(const PredictionVariance& variance, const std::vector<study::Factor>& factors,
             Eigen::RowVectorXd point, double reached)
{
    std::vector<double> numeric;
    for (Eigen::Index level = 0; level < kClimbLevels; ++level)
        numeric.push_back(-1.0 + 2.0 * static_cast<double>(level) / static_cast<double>(kClimbLevels - 1));
    Eigen::MatrixXd tried; // the point, once for each level of one factor
    for (bool isHigher = true; isHigher;) {
        isHigher = false;
        for (Eigen::Index i = 0; i < point.size(); ++i) {
            const std::vector<double> levels = levelsOf(factors[static_cast<std::size_t>(i)], numeric);
            const auto count = static_cast<Eigen::Index>(levels.size());
            if (tried.rows() != count)
                tried = point.replicate(count, 1);
            tried.col(i) = Eigen::Map<const Eigen::VectorXd>(levels.data(), count);
            Eigen::Index best = 0;
            const double highest = variance.at(tried).maxCoeff(&best);
            if (highest > reached * (1.0 + 1e-12)) {
                reached = highest;
                point[i] = tried(best, i);
                isHigher = true;
            }
            tried.col(i).setConstant(point[i]);
        }
    }
    return reached;
}

/// Fewer for large models, none for the largest.
Eigen::Index climbersFor(const Information& information)
{
    const auto p = static_cast<double>(information.p());
    double levels = 0.0;
    for (const study::Factor& factor : information.factors)
        levels += static_cast<double>(factor.isNumeric() ? kClimbLevels : std::ssize(factor.categories));
    return std::min(kClimbers, static_cast<Eigen::Index>(kMostClimbWork / (levels * p * p)));
}

/// Where the points have their largest variances, and how large they are after climbing.
double climbFromBest(const PredictionVariance& variance, const Information& information,
                     const Eigen::MatrixXd& points, const Eigen::VectorXd& values)
{
    if (values.size() == 0)
        return 0.0;
    std::vector<Eigen::Index> order(static_cast<std::size_t>(values.size()));
    std::iota(order.begin(), order.end(), Eigen::Index{0});
    const auto best = order.begin() + std::min(climbersFor(information), values.size());
    std::partial_sort(order.begin(), best, order.end(),
                      [&](Eigen::Index a, Eigen::Index b) { return values[a] > values[b]; });
    double largest = values.maxCoeff();
    std::for_each(order.begin(), best, [&](Eigen::Index i) {
        largest = std::max(largest, climb(variance, information.factors, points.row(i), values[i]));
    });
    return largest;
}

std::vector<FdsPoint> curveOf(Eigen::VectorXd values)
{
    std::vector<FdsPoint> curve;
    if (values.size() == 0)
        return curve;
    std::sort(values.begin(), values.end());
    for (int i = 0; i < kCurvePoints; ++i) {
        const double fraction = static_cast<double>(i) / (kCurvePoints - 1);
        const auto rank =
            static_cast<Eigen::Index>(std::lround(fraction * static_cast<double>(values.size() - 1)));
        curve.push_back({fraction, std::sqrt(values[rank])});
    }
    return curve;
}

} // namespace

RegionVariance regionVariance(const Information& information, const DesignSpace& space)
{
    const PredictionVariance variance(information.columns, information.factors, information.covariance);
    Eigen::MatrixXd runs(information.n(), static_cast<Eigen::Index>(information.factors.size()));
    for (Eigen::Index i = 0; i < runs.rows(); ++i)
        runs.row(i) = information.points[static_cast<std::size_t>(i)].x;
    const Eigen::VectorXd values = variance.at(space.points);

    RegionVariance result;
    result.largest = variance.at(runs).maxCoeff();
    result.curve = curveOf(values);
    if (space.isConstrained && values.size() > 0) {
        result.average = values.mean();
        result.largest = std::max(result.largest, values.maxCoeff());
        return result;
    }
    result.average =
        (information.covariance * momentMatrix(information.columns, information.factors)).trace();
    const Eigen::MatrixXd grid = gridOf(information.factors);
    result.largest = std::max({result.largest, climbFromBest(variance, information, grid, variance.at(grid)),
                               climbFromBest(variance, information, space.points, values)});
    return result;
}

} // namespace quadric::design
