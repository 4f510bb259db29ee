// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/feasibility/outcome_model.h"

#include "core/algebra/factorizations.h"
#include "core/algebra/products.h"
#include "core/model/base/term.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace quadric::model {

namespace {

constexpr int kMostIterations = 100;
constexpr int kMostHalvings = 10;
constexpr double kLargestStep = 5.0;
constexpr double kSmallStep = 1e-9;
constexpr double kLargestLogOdds = 30.0;

/// The probability with these log odds.
double logisticOf(double logOdds)
{
    return 1.0 / (1.0 + std::exp(-logOdds));
}

/// The penalized likelihood at some coefficients, with what a step needs.
struct Place {
    Eigen::VectorXd probability, weight;
    algebra::Cholesky information;
    double logLikelihood = -HUGE_VAL;

    Place(const Eigen::MatrixXd& x, const Eigen::VectorXd& y, double ridge, const Eigen::VectorXd& beta)
    {
        const Eigen::ArrayXd eta = (x * beta).array().max(-kLargestLogOdds).min(kLargestLogOdds);
        probability = eta.unaryExpr(&logisticOf).matrix();
        weight = (probability.array() * (1.0 - probability.array())).matrix();
        Eigen::MatrixXd precision = algebra::weightedCross(x, weight);
        precision.diagonal().array() += ridge;
        information = algebra::Cholesky(precision);
        if (information.isPositiveDefinite())
            logLikelihood = (y.array() * eta - eta.exp().log1p()).sum() + 0.5 * information.logDeterminant() -
                            0.5 * ridge * beta.squaredNorm();
    }
};

/// Newton step for the modified score X'(y − π + h(½ − π)), h the leverages.
Eigen::VectorXd stepAt(const Place& place, const Eigen::MatrixXd& x, const Eigen::VectorXd& y, double ridge,
                       const Eigen::VectorXd& beta)
{
    const Eigen::MatrixXd weighted = x.transpose() * place.weight.cwiseSqrt().asDiagonal();
    const Eigen::MatrixXd half = place.information.solveLower(weighted);
    const Eigen::ArrayXd leverage = half.colwise().squaredNorm().transpose().array();
    const Eigen::ArrayXd p = place.probability.array();
    const Eigen::VectorXd score =
        x.transpose() * (y.array() - p + leverage * (0.5 - p)).matrix() - ridge * beta;
    Eigen::VectorXd step = place.information.solve(score);
    const double largest = step.cwiseAbs().maxCoeff();
    return largest > kLargestStep ? Eigen::VectorXd(step * (kLargestStep / largest)) : step;
}

/// Log odds hardly change by more than 10 over half a range; where the runs say nothing of a factor, as one
/// that all of them have at the same value, this is all that is known of it.
constexpr double kRidge = 0.01;

/// Added to all log odds so that the probabilities of the runs add up to the outcomes, which Firth's
/// correction draws towards a half (FLIC: Puhr et al. 2017).
double shiftOfIntercept(const Eigen::ArrayXd& logOdds, const Eigen::ArrayXd& y)
{
    constexpr double kLargestShift = 1.0; // of a step
    constexpr double kLeastWeight = 1e-12;
    double shift = 0.0;
    for (int i = 0; i < kMostIterations; ++i) {
        const Eigen::ArrayXd p = (logOdds + shift).unaryExpr(&logisticOf);
        const double weight = std::max(kLeastWeight, (p * (1.0 - p)).sum());
        const double step = std::clamp((y - p).sum() / weight, -kLargestShift, kLargestShift);
        shift += step;
        if (std::abs(step) < kSmallStep)
            break;
    }
    return shift;
}

/// Firth's regression on some terms.
struct FeasibleOdds {
    std::vector<study::Factor> factors;
    std::vector<Column> columns;
    FirthLogistic model;
    double aic = 0.0; ///< by the likelihood without its penalty, which differs from model to model

    RunProbability at(const Eigen::VectorXd& x) const
    {
        const Eigen::VectorXd row = rowAt(columns, study::CodedPoint(x), factors);
        const double logOdds = row.dot(model.beta);
        const double half = kNormalLimit * model.errorAt(row);
        return {logisticOf(logOdds), logisticOf(logOdds - half), logisticOf(logOdds + half)};
    }
};

std::optional<FeasibleOdds> fitOdds(const std::vector<study::Factor>& factors, const RunOutcomes& outcomes,
                                    const std::vector<Term>& terms)
{
    std::vector<Column> columns = columnsOf(terms, factors);
    std::vector<study::CodedPoint> points;
    Eigen::VectorXd y(outcomes.points.rows());
    for (Eigen::Index i = 0; i < y.size(); ++i) {
        points.emplace_back(outcomes.points.row(i).transpose());
        y[i] = outcomes.hasRun[static_cast<std::size_t>(i)] ? 1.0 : 0.0;
    }
    const Eigen::MatrixXd x = modelMatrix(columns, points, factors);
    std::optional<FirthLogistic> model = fitFirth(x, y, kRidge);
    if (!model)
        return std::nullopt;
    const Eigen::ArrayXd logOdds = x * model->beta;
    const double logLikelihood = (y.array() * logOdds - logOdds.exp().log1p()).sum();
    if (y.maxCoeff() > 0.0)
        model->beta[0] += shiftOfIntercept(logOdds, y);
    return FeasibleOdds{factors, std::move(columns), *std::move(model),
                        2.0 * (static_cast<double>(x.cols()) - logLikelihood)};
}

} // namespace

std::optional<FirthLogistic> fitFirth(const Eigen::MatrixXd& x, const Eigen::VectorXd& hasOutcome,
                                      double ridge)
{
    Eigen::VectorXd beta = Eigen::VectorXd::Zero(x.cols());
    Place place(x, hasOutcome, ridge, beta);
    if (!std::isfinite(place.logLikelihood))
        return std::nullopt;
    for (int i = 0; i < kMostIterations; ++i) {
        Eigen::VectorXd step = stepAt(place, x, hasOutcome, ridge, beta);
        Place next(x, hasOutcome, ridge, beta + step);
        for (int j = 0; j < kMostHalvings && next.logLikelihood < place.logLikelihood; ++j) {
            step /= 2.0;
            next = Place(x, hasOutcome, ridge, beta + step);
        }
        beta += step;
        place = next;
        if (step.cwiseAbs().maxCoeff() < kSmallStep)
            return FirthLogistic{beta, place.information.inverse(), place.logLikelihood};
    }
    return std::nullopt;
}

OutcomeModel logisticModel(const study::Study& study, const RunOutcomes& outcomes)
{
    std::vector<Term> terms = termsOf(Order::Linear, study.factors);
    std::optional<FeasibleOdds> best = fitOdds(study.factors, outcomes, terms);
    if (!best) // the share that runs, whatever the settings, which always converges
        best = fitOdds(study.factors, outcomes, termsOf(Order::Mean, study.factors));
    for (std::size_t before = 0; before < terms.size();) {
        before = terms.size();
        const std::vector<Term> known = terms;
        for (const Term& term : termsOf(Order::Quadratic, study.factors)) {
            std::vector<Term> more = known;
            more.push_back(term);
            const bool isKnown = std::ranges::find(known, term) != known.end();
            std::optional<FeasibleOdds> odds =
                isKnown ? std::nullopt : fitOdds(study.factors, outcomes, more);
            if (odds && odds->aic < best->aic) {
                best = std::move(odds);
                terms = std::move(more);
            }
        }
    }
    const auto kept = std::make_shared<const FeasibleOdds>(*std::move(best));
    return [kept](const Eigen::VectorXd& point) { return kept->at(point); };
}

} // namespace quadric::model
