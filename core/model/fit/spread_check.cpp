// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fit/spread_check.h"

#include "core/algebra/products.h"
#include "core/model/base/residual_ratio.h"
#include "core/model/fit/regression.h"

namespace quadric::model {

std::optional<SpreadCheck> checkSpread(const Fit& fit)
{
    if (!fit.isOk() || fit.data == nullptr || fit.dfResidual < 2 || fit.sigma <= 0 || fit.r2.value_or(0) <= 0)
        return std::nullopt;
    const LeastSquares& solution = fit.data->regression.solution;
    const Eigen::VectorXd weights = solution.fitted.array() - solution.fitted.mean();
    if (weights.cwiseAbs().maxCoeff() <= 0)
        return std::nullopt;
    const Eigen::VectorXd squares = solution.residuals.cwiseAbs2();
    const Eigen::VectorXd leverage = solution.basis.rowwise().squaredNorm();
    const Eigen::MatrixXd inner = algebra::weightedCross(solution.basis, weights);

    ResidualRatio ratio{.df = fit.dfResidual};
    ratio.value = weights.dot(squares) / squares.sum();
    ratio.trace = weights.sum() - weights.dot(leverage);
    ratio.squareTrace = weights.squaredNorm() - 2 * weights.cwiseAbs2().dot(leverage) + inner.squaredNorm();
    ratio.low = weights.minCoeff();
    ratio.high = weights.maxCoeff();
    return SpreadCheck{ratio.value - ratio.trace / ratio.df, ratioProbability(ratio)};
}

} // namespace quadric::model
