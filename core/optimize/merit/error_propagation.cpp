// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/merit/error_propagation.h"

#include "core/algebra/factorizations.h"
#include "core/model/base/distributions.h"
#include "core/model/fit/observations.h"
#include "core/model/fit/regression.h"

#include <algorithm>
#include <stdexcept>

namespace quadric::optimize {

namespace {

/// Share by which a correlation matrix is drawn towards independence until it can be factored.
constexpr double kShrinkage = 1e-6;

Eigen::MatrixXd factorOf(const Eigen::MatrixXd& correlation)
{
    double shrinkage = kShrinkage;
    algebra::Cholesky factor(correlation);
    while (!factor.isPositiveDefinite()) {
        Eigen::MatrixXd matrix = correlation * (1.0 - shrinkage);
        matrix.diagonal().setOnes();
        factor = algebra::Cholesky(matrix);
        shrinkage = std::min(1.0, shrinkage * 10.0);
    }
    return factor.lower();
}

double share(double value)
{
    return value - std::floor(value);
}

/// Coded step of the difference quotients of the gradient; exact for quadratics whatever it is.
constexpr double kDifference = 1e-3;

/// Derivative of the coded value by the actual one.
double codedSlope(const study::Factor& factor, double actual)
{
    if (factor.scale == study::Scale::Log2)
        return 2.0 / (std::log2(factor.high) - std::log2(factor.low)) / (actual * std::log(2.0));
    return 2.0 / (factor.high - factor.low);
}

/// Gradient by the actual settings of the factors that vary.
Eigen::VectorXd gradientAt(const model::Fit& fit, const std::vector<VaryingFactor>& varying,
                           const study::CodedPoint& point)
{
    const study::Coding coding(fit.factors);
    const Eigen::VectorXd coded = model::predictGradient(fit, point);
    Eigen::VectorXd gradient(std::ssize(varying));
    for (std::size_t i = 0; i < varying.size(); ++i) {
        const auto axis = static_cast<Eigen::Index>(varying[i].factor);
        const double actual = coding.toActual(varying[i].factor, point[axis]);
        gradient[static_cast<Eigen::Index>(i)] =
            coded[axis] * codedSlope(fit.factors[varying[i].factor], actual);
    }
    return gradient;
}

Eigen::MatrixXd hessianAt(const model::Fit& fit, const std::vector<VaryingFactor>& varying,
                          const study::CodedPoint& point)
{
    const study::Coding coding(fit.factors);
    Eigen::MatrixXd hessian(std::ssize(varying), std::ssize(varying));
    for (std::size_t i = 0; i < varying.size(); ++i) {
        const auto axis = static_cast<Eigen::Index>(varying[i].factor);
        study::CodedPoint above = point;
        study::CodedPoint below = point;
        above[axis] += kDifference;
        below[axis] -= kDifference;
        const double width =
            coding.toActual(varying[i].factor, above[axis]) - coding.toActual(varying[i].factor, below[axis]);
        hessian.col(static_cast<Eigen::Index>(i)) =
            (gradientAt(fit, varying, above) - gradientAt(fit, varying, below)) / width;
    }
    return 0.5 * (hessian + hessian.transpose());
}

TransmittedError transmitted(const model::Fit& fit, const std::vector<VaryingFactor>& varying,
                             const study::CodedPoint& point)
{
    TransmittedError result;
    result.response = fit.response;
    const Eigen::VectorXd gradient = gradientAt(fit, varying, point);
    const Eigen::MatrixXd hessian = hessianAt(fit, varying, point);
    double variance = 0.0;
    for (std::size_t i = 0; i < varying.size(); ++i) {
        const auto row = static_cast<Eigen::Index>(i);
        const double own = varying[i].sd * varying[i].sd;
        double part = gradient[row] * gradient[row] * own;
        for (std::size_t j = 0; j < varying.size(); ++j) {
            const double h = hessian(row, static_cast<Eigen::Index>(j));
            variance += 0.5 * h * h * own * varying[j].sd * varying[j].sd;
        }
        variance += part;
        part += 0.5 * hessian(row, row) * hessian(row, row) * own * own;
        result.shift += 0.5 * hessian(row, row) * own;
        result.factors.emplace_back(fit.factors[varying[i].factor].name, std::sqrt(part));
    }
    result.sd = std::sqrt(variance);
    if (fit.dfResidual > 0) {
        const std::optional<double> z = model::applyTransform(fit.transform, model::predictMean(fit, point));
        const double residual =
            z ? std::sqrt(model::varianceOfNewRun(fit)) * std::abs(model::inverseSlope(fit.transform, *z))
              : 0.0;
        result.total = std::hypot(result.sd, residual);
    }
    return result;
}

} // namespace

double normalBoxProbability(const Eigen::VectorXd& low, const Eigen::VectorXd& high,
                            const Eigen::MatrixXd& correlation, int samples, std::uint64_t seed)
{
    const Eigen::Index size = low.size();
    if (size == 0)
        return 1.0;
    const Eigen::MatrixXd factor = factorOf(correlation);
    const bool isIndependent = factor.isIdentity(0.0);
    model::RandomBits generator(seed);
    std::vector<double> shift(static_cast<std::size_t>(size));
    for (double& value : shift)
        value = model::drawUnit(generator);
    const int count = isIndependent || size == 1 ? 1 : samples;
    double sum = 0.0;
    Eigen::VectorXd z = Eigen::VectorXd::Zero(size);
    for (int sample = 0; sample < count; ++sample) {
        double product = 1.0;
        for (Eigen::Index i = 0; i < size && product > 0.0; ++i) {
            const auto at = static_cast<std::size_t>(i);
            const double known = factor.row(i).head(i).dot(z.head(i));
            const double from = model::normalBelow((low[i] - known) / factor(i, i));
            const double to = model::normalBelow((high[i] - known) / factor(i, i));
            product *= std::max(0.0, to - from);
            const double step = share((sample + 1) * kroneckerStep(at) + shift[at]);
            const double folded = std::abs(2.0 * step - 1.0); // a tent makes the points periodic
            z[i] = isIndependent
                       ? 0.0
                       : model::normalQuantile(std::clamp(from + folded * (to - from), 1e-16, 1.0 - 1e-16));
        }
        sum += product;
    }
    return sum / count;
}

std::vector<VaryingFactor> findVarying(const study::Coding& coding, const Variation& sds)
{
    std::vector<VaryingFactor> varying;
    for (const auto& [name, sd] : sds) {
        const int index = coding.indexOf(name);
        if (index < 0 || !coding.factors()[static_cast<std::size_t>(index)].isNumeric())
            throw std::invalid_argument("'" + name + "' is no numeric factor, so its setting cannot vary");
        if (!(sd >= 0.0) || !std::isfinite(sd))
            throw std::invalid_argument("the standard deviation of " + name + " is " + study::toText(sd) +
                                        ", expected a number of 0 or more");
        if (sd > 0.0)
            varying.push_back({static_cast<std::size_t>(index), sd});
    }
    return varying;
}

std::vector<TransmittedError> propagateError(const study::Study& study, const std::vector<model::Fit>& fits,
                                             const study::Settings& settings, const Variation& sds)
{
    const study::Coding coding(study.factors);
    const study::CodedPoint point = coding.toCoded(settings);
    const std::vector<VaryingFactor> varying = findVarying(coding, sds);
    std::vector<TransmittedError> result;
    for (const model::Fit& fit : fits) {
        if (fit.isOk() && fit.factors == study.factors)
            result.push_back(transmitted(fit, varying, point));
    }
    return result;
}

} // namespace quadric::optimize
