// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/information.h"

#include <Eigen/Cholesky>
#include <Eigen/SVD>

#include <cmath>

namespace quadric::design {

namespace {

constexpr double kEffectSd = 2.0;

/// |X'X|^(1/p) / n, with X'X the information on the model after the blocks.
double dEfficiency(const Information& information)
{
    const Eigen::LLT<Eigen::MatrixXd> factor(information.covariance);
    const double logDeterminant = -2.0 * Eigen::MatrixXd(factor.matrixL()).diagonal().array().log().sum();
    return 100.0 * std::exp(logDeterminant / static_cast<double>(information.p())) /
           static_cast<double>(information.n());
}

/// p / (n · value): the average (A) or largest (G) variance against the least possible.
double efficiency(const Information& information, double value)
{
    return 100.0 * static_cast<double>(information.p()) / (static_cast<double>(information.n()) * value);
}

double conditionOf(const Eigen::MatrixXd& x)
{
    const Eigen::VectorXd singular = Eigen::JacobiSVD<Eigen::MatrixXd>(x).singularValues();
    return singular[0] / singular[singular.size() - 1];
}

/// Variance of a coefficient against the one that it would have if its column were orthogonal to all others.
std::vector<std::pair<std::string, double>> varianceInflation(const Information& information)
{
    std::vector<std::pair<std::string, double>> factors;
    for (Eigen::Index i = 0; i < information.p(); ++i) {
        const model::Column& column = information.columns[static_cast<std::size_t>(i)];
        const Eigen::ArrayXd values = information.x.col(i);
        const double spread = (values - values.mean()).square().sum();
        if (!column.term.isIntercept())
            factors.emplace_back(column.name, information.covariance(i, i) * spread);
    }
    return factors;
}

std::string listed(const std::vector<std::string>& names)
{
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : ", ") + name;
    return text;
}

std::vector<std::string> warningsOf(const study::Study& study, const Information& information)
{
    std::vector<std::string> warnings;
    const std::size_t leftOut = study.runs.size() - information.runs.size();
    if (leftOut > 0)
        warnings.push_back(std::to_string(leftOut) + " failed or excluded runs are left out");
    if (!information.aliased.empty())
        warnings.push_back("The runs cannot tell these terms from others, they are left out: " +
                           listed(information.aliased));
    if (information.dfResidual() < 1)
        warnings.emplace_back("No runs are left to estimate the error: no power, no intervals");
    if (pureErrorDf(information) < 1)
        warnings.emplace_back("No run is repeated: lack of fit cannot be told from noise");
    for (const Check& check : checksOf(study, information)) {
        if (!check.ok && check.name == "Every setting can be run")
            warnings.push_back(check.detail);
    }
    return warnings;
}

} // namespace

Evaluation evaluate(const study::Study& study, std::string_view model)
{
    const Information information = informationOf(study, model);
    Evaluation result;
    result.runs = static_cast<int>(information.n());
    result.model = model;
    result.dfModel = static_cast<int>(information.p()) - 1;
    result.dfPureError = std::min(pureErrorDf(information), information.dfResidual());
    result.dfLackOfFit = information.dfResidual() - result.dfPureError;
    result.dEfficiency = dEfficiency(information);
    result.aEfficiency = efficiency(information, information.covariance.trace());
    result.gEfficiency = efficiency(information, largestVariance(information));
    result.iValue = (information.covariance * momentMatrix(information)).trace();
    result.condition = conditionOf(information.x);
    result.maxLeverage = information.leverage.maxCoeff();
    result.vif = varianceInflation(information);
    result.power = powerOf(information, kEffectSd);
    result.checks = checksOf(study, information);
    result.warnings = warningsOf(study, information);
    return result;
}

} // namespace quadric::design
