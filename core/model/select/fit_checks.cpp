// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/select/fit_checks.h"

#include "core/algebra/products.h"
#include "core/model/base/distributions.h"
#include "core/model/base/thresholds.h"
#include "core/model/fit/observations.h"
#include "core/model/fit/regression.h"

#include <algorithm>
#include <cmath>

namespace quadric::model {

namespace {

/// The internally studentized residual of a run whose externally studentized one is t.
double toInternal(double t, double dfResidual)
{
    return t * std::sqrt(dfResidual / (dfResidual - 1 + t * t));
}

} // namespace

std::optional<OutlierTest> testOutliers(const Fit& fit)
{
    if (fit.dfResidual < 2 || std::ranges::none_of(fit.diagnostics, [](const Diagnostic& row) {
            return row.externallyStudentized.has_value();
        }))
        return std::nullopt;
    const double limit = tLimit(kSignificance / fit.n, fit.dfResidual - 1);
    OutlierTest test{.ofOneRun = toInternal(tLimit(kSignificance, fit.dfResidual - 1), fit.dfResidual),
                     .ofAllRuns = toInternal(limit, fit.dfResidual),
                     .outliers = {}};
    for (const Diagnostic& row : fit.diagnostics)
        if (row.externallyStudentized && std::abs(*row.externallyStudentized) > limit)
            test.outliers.push_back(row.run);
    return test;
}

std::optional<FarOutlier> findFarOutlier(const Fit& fit)
{
    if (fit.data == nullptr || fit.dfResidual < 2)
        return std::nullopt;
    const auto size = [](const Diagnostic& row) { return std::abs(row.externallyStudentized.value_or(0.0)); };
    const auto farthest = std::ranges::max_element(fit.diagnostics, {}, size);
    if (size(*farthest) < kFarOutlier * tLimit(kSignificance / fit.n, fit.dfResidual - 1))
        return std::nullopt;
    Observations others = fit.data->observations;
    const auto place = farthest - fit.diagnostics.begin();
    const Eigen::Index rest = others.size() - 1;
    std::vector<Eigen::Index> kept(static_cast<std::size_t>(rest));
    for (Eigen::Index i = 0; i < rest; ++i)
        kept[static_cast<std::size_t>(i)] = i < place ? i : i + 1;
    others.runs.erase(others.runs.begin() + place);
    others.blocks.erase(others.blocks.begin() + place);
    others.orders.erase(others.orders.begin() + place);
    others.points.erase(others.points.begin() + place);
    for (Eigen::VectorXd* values : {&others.y, &others.z})
        *values = (*values)(kept).eval();
    const Regression without = solveRegression(others, fit.factors, fit.terms);
    if (without.df == 0 || without.sstInBlocks <= 0)
        return std::nullopt;
    return FarOutlier{.run = farthest->run,
                      .r2Without = 1 - without.sse / without.sstInBlocks,
                      .sigmaWithout = std::sqrt(*without.variance())};
}

std::optional<double> testBlocks(const Fit& fit)
{
    if (fit.data == nullptr || fit.data->regression.blocks.empty() || fit.dfResidual == 0 || fit.sigma <= 0)
        return std::nullopt;
    Observations together = fit.data->observations;
    std::ranges::fill(together.blocks, together.blocks.front());
    const Regression without = solveRegression(together, fit.factors, fit.terms);
    const int df = without.df - fit.dfResidual;
    if (df < 1)
        return std::nullopt;
    const double explained = std::max(without.sse - fit.data->regression.sse, 0.0);
    return fProbability(explained / df / (fit.sigma * fit.sigma), df, fit.dfResidual);
}

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
