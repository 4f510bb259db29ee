// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/predict/corner_cover.h"

#include "core/algebra/cholesky.h"
#include "core/algebra/products.h"
#include "core/model/base/model_size.h"
#include "core/model/fit/regression.h"
#include "core/model/predict/predict.h"

#include <algorithm>

namespace quadric::model {

namespace {

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
