// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fit/tables.h"

#include <algorithm>
#include <cmath>

namespace quadric::model {

namespace {

/// A run whose 1 − h is smaller than this alone decides its own fitted value.
constexpr double kLeverageOfOne = 1e-10;

bool isLeverageOne(double leverage)
{
    return 1 - leverage < kLeverageOfOne;
}

Diagnostic diagnosticOf(const Regression& regression, Eigen::Index i, int run)
{
    const LeastSquares& solution = regression.solution;
    const double root = regression.rootWeights.size() > 0 ? regression.rootWeights[i] : 1.0;
    Diagnostic d;
    d.run = run;
    d.observed = regression.z[i] / root;
    d.fitted = solution.fitted[i] / root;
    d.residual = solution.residuals[i] / root;
    d.leverage = solution.leverage[i];
    const double variance = regression.variance().value_or(0.0);
    if (variance <= 0 || isLeverageOne(d.leverage))
        return d;
    const double r = solution.residuals[i] / std::sqrt(variance * (1 - d.leverage));
    d.internallyStudentized = r;
    d.cooksDistance = r * r * d.leverage / ((1 - d.leverage) * regression.parameters);
    const double rest = regression.df - r * r;
    if (regression.df > 1 && rest > kLeverageOfOne * regression.df) {
        d.externallyStudentized = r * std::sqrt((regression.df - 1) / rest);
        d.dffits = *d.externallyStudentized * std::sqrt(d.leverage / (1 - d.leverage));
    }
    return d;
}

/// Of predictions at the settings of the runs: x'(X'WX)⁻¹x, whatever the run there weighs.
double largestLeverage(const Regression& regression)
{
    const Eigen::VectorXd& leverage = regression.solution.leverage;
    if (regression.rootWeights.size() == 0)
        return leverage.maxCoeff();
    return (leverage.array() / regression.rootWeights.array().square()).maxCoeff();
}

} // namespace

std::optional<double> pressOf(const Eigen::VectorXd& residuals, const Eigen::VectorXd& leverage)
{
    double press = 0.0;
    for (Eigen::Index i = 0; i < residuals.size(); ++i) {
        if (isLeverageOne(leverage[i]))
            return std::nullopt;
        const double deleted = residuals[i] / (1 - leverage[i]);
        press += deleted * deleted;
    }
    return press;
}

std::optional<double> correctedAkaike(int n, int parameters, double sse)
{
    const double runs = n;
    const double k = parameters + 1;
    if (runs - k - 1 <= 0 || sse <= 0)
        return std::nullopt;
    const double twoLogLikelihood = -runs * (std::log(2 * M_PI) + std::log(sse / runs) + 1);
    return -twoLogLikelihood + 2 * k + 2 * k * (k + 1) / (runs - k - 1);
}

std::vector<Diagnostic> diagnosticsOf(const Regression& regression, const Observations& data)
{
    std::vector<Diagnostic> diagnostics;
    diagnostics.reserve(data.runs.size());
    for (std::size_t i = 0; i < data.runs.size(); ++i) {
        diagnostics.push_back(diagnosticOf(regression, static_cast<Eigen::Index>(i), data.runs[i]));
        diagnostics.back().order = data.orders[i];
        diagnostics.back().block = data.blocks[i];
    }
    return diagnostics;
}

void summarize(const Regression& regression, Fit& fit)
{
    fit.maxLeverage = largestLeverage(regression);
    fit.press = pressOf(regression.solution.residuals, regression.solution.leverage);
    if (fit.press && regression.sse <= 0)
        fit.press = 0.0;
    fit.aicc = correctedAkaike(regression.n, regression.parameters, regression.sse);
    if (regression.df > 0)
        fit.sigma = std::sqrt(*regression.variance());
    if (fit.sigma > 0) {
        const auto [low, high] = std::ranges::minmax(fit.diagnostics, {}, &Diagnostic::fitted);
        const double range = high.fitted - low.fitted;
        fit.adequatePrecision = range / (fit.sigma * std::sqrt(static_cast<double>(fit.parameters) / fit.n));
    }
    if (regression.sstInBlocks <= 0)
        return;
    const auto df = static_cast<double>(regression.n - 1 - regression.blockColumns());
    fit.r2 = 1 - regression.sse / regression.sstInBlocks;
    if (regression.df > 0)
        fit.r2Adjusted = 1 - *regression.variance() / (regression.sstInBlocks / df);
    if (fit.press)
        fit.r2Predicted = 1 - *fit.press / regression.sstInBlocks;
}

} // namespace quadric::model
