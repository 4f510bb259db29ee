// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/feasibility/firth_logistic.h"

#include "core/algebra/cholesky.h"
#include "core/algebra/products.h"

#include <cmath>

namespace quadric::model {

namespace {

constexpr int kMostIterations = 100;
constexpr int kMostHalvings = 10;
constexpr double kLargestStep = 5.0;
constexpr double kSmallStep = 1e-9;
constexpr double kLargestLogOdds = 30.0;

/// The penalized likelihood at some coefficients, with what a step needs.
struct Place {
    Eigen::VectorXd probability, weight;
    algebra::Cholesky information;
    double logLikelihood = -HUGE_VAL;

    Place(const Eigen::MatrixXd& x, const Eigen::VectorXd& y, const Eigen::VectorXd& beta)
    {
        const Eigen::ArrayXd eta = (x * beta).array().max(-kLargestLogOdds).min(kLargestLogOdds);
        probability = eta.unaryExpr(&logisticOf).matrix();
        weight = (probability.array() * (1.0 - probability.array())).matrix();
        information = algebra::Cholesky(algebra::weightedCross(x, weight));
        if (information.isPositiveDefinite())
            logLikelihood = (y.array() * eta - eta.exp().log1p()).sum() + 0.5 * information.logDeterminant();
    }
};

/// Newton step for the modified score X'(y − π + h(½ − π)), h the leverages.
Eigen::VectorXd stepAt(const Place& place, const Eigen::MatrixXd& x, const Eigen::VectorXd& y)
{
    const Eigen::MatrixXd weighted = x.transpose() * place.weight.cwiseSqrt().asDiagonal();
    const Eigen::MatrixXd half = place.information.solveLower(weighted);
    const Eigen::ArrayXd leverage = half.colwise().squaredNorm().transpose().array();
    const Eigen::ArrayXd p = place.probability.array();
    const Eigen::VectorXd score = x.transpose() * (y.array() - p + leverage * (0.5 - p)).matrix();
    Eigen::VectorXd step = place.information.solve(score);
    const double largest = step.cwiseAbs().maxCoeff();
    return largest > kLargestStep ? Eigen::VectorXd(step * (kLargestStep / largest)) : step;
}

} // namespace

double logisticOf(double logOdds)
{
    return 1.0 / (1.0 + std::exp(-logOdds));
}

double FirthLogistic::probabilityAt(const Eigen::VectorXd& row) const
{
    return logisticOf(logOddsAt(row));
}

double FirthLogistic::errorAt(const Eigen::VectorXd& row) const
{
    return std::sqrt(row.dot(covariance * row));
}

std::optional<FirthLogistic> fitFirth(const Eigen::MatrixXd& x, const Eigen::VectorXd& hasOutcome)
{
    Eigen::VectorXd beta = Eigen::VectorXd::Zero(x.cols());
    Place place(x, hasOutcome, beta);
    if (!std::isfinite(place.logLikelihood))
        return std::nullopt;
    for (int i = 0; i < kMostIterations; ++i) {
        Eigen::VectorXd step = stepAt(place, x, hasOutcome);
        Place next(x, hasOutcome, beta + step);
        for (int j = 0; j < kMostHalvings && next.logLikelihood < place.logLikelihood; ++j) {
            step /= 2.0;
            next = Place(x, hasOutcome, beta + step);
        }
        beta += step;
        place = next;
        if (step.cwiseAbs().maxCoeff() < kSmallStep)
            return FirthLogistic{beta, place.information.inverse(), place.logLikelihood};
    }
    return std::nullopt;
}

} // namespace quadric::model
