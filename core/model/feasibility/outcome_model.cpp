// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/feasibility/outcome_model.h"

#include "core/algebra/products.h"
#include "core/model/base/term.h"

#include <algorithm>
#include <cmath>
#include <numbers>

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

constexpr int kMostSweeps = 40;
constexpr double kSmallChange = 1e-6;
constexpr double kIntercept = 16.0; ///< variance of the latent plane at the center
/// Of the standard deviations of surface and slopes before any run, on the log scale: far above the 1 of the
/// outcome itself, because what goes out of memory at a setting does so every time.
const double kMeanLogSurface = std::log(8.0);
const double kMeanLogSlope = std::log(4.0);
constexpr double kLogDeviation = 0.8;
constexpr double kReach = 2.5;

double lowerTail(double z)
{
    return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}

/// log Φ(z), also far below 0.
double logLowerTail(double z)
{
    if (z > -30.0)
        return std::log(lowerTail(z));
    return -0.5 * z * z - std::log(-z) - 0.5 * std::log(2.0 * std::numbers::pi);
}

/// φ(z)/Φ(z).
double hazard(double z)
{
    return std::exp(-0.5 * z * z - 0.5 * std::log(2.0 * std::numbers::pi) - logLowerTail(z));
}

/// Covariance of the latent plane over its slopes' variance: products of coded values, 1 for equal levels.
double planeBetween(const Correlation& correlation, const Eigen::VectorXd& a, const Eigen::VectorXd& b)
{
    double sum = 0.0;
    for (Eigen::Index i = 0; i < a.size(); ++i)
        sum += correlation.isNumeric(i) ? a[i] * b[i] : (a[i] == b[i] ? 1.0 : 0.0);
    return sum;
}

struct Latent {
    Eigen::MatrixXd surface, plane; ///< parts of the covariance
    Eigen::MatrixXd covariance;

    Latent(const Correlation& correlation, const Eigen::MatrixXd& points, const Eigen::VectorXd& parameters)
    {
        const Eigen::Index factors = correlation.parameters();
        const double ofSurface = std::exp(2.0 * parameters[factors]);
        const double ofSlopes = std::exp(2.0 * parameters[factors + 1]);
        surface = ofSurface * correlation.matrix(points, parameters.head(factors));
        plane.resize(points.rows(), points.rows());
        for (Eigen::Index i = 0; i < points.rows(); ++i) {
            for (Eigen::Index j = 0; j <= i; ++j)
                plane(i, j) = plane(j, i) = ofSlopes * planeBetween(correlation, points.row(i).transpose(),
                                                                    points.row(j).transpose());
        }
        covariance = surface + plane;
        covariance.array() += kIntercept;
    }
};

/// Expectation propagation (Rasmussen & Williams 2006, algorithm 3.5).
struct Propagation {
    Eigen::VectorXd precision, shift; ///< of the sites
    Eigen::VectorXd rootPrecision;
    Eigen::VectorXd cavityMean, cavityVariance;
    Eigen::VectorXd mean;
    Eigen::MatrixXd posterior;
    algebra::Cholesky factor; ///< of B = I + S½ K S½

    Propagation(const Eigen::MatrixXd& covariance, const Eigen::VectorXd& signs)
        : precision(Eigen::VectorXd::Zero(signs.size()))
        , shift(precision)
        , cavityMean(precision)
        , cavityVariance(precision)
        , mean(precision)
        , posterior(covariance)
    {
        for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
            const Eigen::VectorXd before = shift;
            for (Eigen::Index i = 0; i < signs.size(); ++i)
                takeSite(i, signs[i]);
            refactor(covariance);
            if ((shift - before).cwiseAbs().maxCoeff() < kSmallChange * (1.0 + before.cwiseAbs().maxCoeff()))
                break;
        }
        for (Eigen::Index i = 0; i < signs.size(); ++i)
            setCavity(i);
    }

    void setCavity(Eigen::Index i)
    {
        const double variance = posterior(i, i);
        cavityVariance[i] = 1.0 / std::max(1e-10, 1.0 / variance - precision[i]);
        cavityMean[i] = cavityVariance[i] * (mean[i] / variance - shift[i]);
    }

    void takeSite(Eigen::Index i, double sign)
    {
        setCavity(i);
        const double v = cavityVariance[i];
        const double z = sign * cavityMean[i] / std::sqrt(1.0 + v);
        const double ratio = hazard(z);
        const double tiltedMean = cavityMean[i] + sign * v * ratio / std::sqrt(1.0 + v);
        const double tiltedVariance = v - v * v * ratio / (1.0 + v) * (z + ratio);
        const double newPrecision = std::max(1e-10, 1.0 / tiltedVariance - 1.0 / v);
        const double change = newPrecision - precision[i];
        precision[i] = newPrecision;
        shift[i] = tiltedMean / tiltedVariance - cavityMean[i] / v;
        const Eigen::VectorXd column = posterior.col(i);
        posterior -= change / (1.0 + change * column[i]) * column * column.transpose();
        mean = posterior * shift;
    }

    void refactor(const Eigen::MatrixXd& covariance)
    {
        rootPrecision = precision.cwiseSqrt();
        Eigen::MatrixXd b = rootPrecision.asDiagonal() * covariance * rootPrecision.asDiagonal();
        b.diagonal().array() += 1.0;
        factor = algebra::Cholesky(b);
        const Eigen::MatrixXd weighted = rootPrecision.asDiagonal() * covariance;
        posterior = covariance - algebra::cross(factor.solveLower(weighted));
        mean = posterior * shift;
    }

    /// a of mean = k'a.
    Eigen::VectorXd weights(const Eigen::MatrixXd& covariance) const
    {
        const Eigen::VectorXd inner = rootPrecision.cwiseProduct(covariance * shift);
        return shift - rootPrecision.cwiseProduct(factor.solve(inner));
    }

    double logEvidence(const Eigen::VectorXd& signs) const
    {
        double sum = -0.5 * factor.logDeterminant() + 0.5 * shift.dot(mean);
        for (Eigen::Index i = 0; i < signs.size(); ++i) {
            const double t = 1.0 / cavityVariance[i];
            const double z = signs[i] * cavityMean[i] / std::sqrt(1.0 + cavityVariance[i]);
            sum += logLowerTail(z) + 0.5 * std::log1p(precision[i] / t);
            sum +=
                0.5 *
                (cavityMean[i] * t * (precision[i] * cavityMean[i] - 2.0 * shift[i]) - shift[i] * shift[i]) /
                (t + precision[i]);
        }
        return sum;
    }
};

Eigen::VectorXd withDeviations(const Eigen::VectorXd& ofCorrelation, double surface, double slope)
{
    Eigen::VectorXd all(ofCorrelation.size() + 2);
    all << ofCorrelation, surface, slope;
    return all;
}

Eigen::VectorXd signsOf(const std::vector<bool>& hasOutcome)
{
    Eigen::VectorXd signs(std::ssize(hasOutcome));
    for (std::size_t i = 0; i < hasOutcome.size(); ++i)
        signs[static_cast<Eigen::Index>(i)] = hasOutcome[i] ? 1.0 : -1.0;
    return signs;
}

Eigen::VectorXd outcomesAsNumbers(const RunOutcomes& outcomes)
{
    Eigen::VectorXd y(std::ssize(outcomes.hasRun));
    for (std::size_t i = 0; i < outcomes.size(); ++i)
        y[static_cast<Eigen::Index>(i)] = outcomes.hasRun[i] ? 1.0 : 0.0;
    return y;
}

/// Rows of the model matrix and outcomes without one of them.
std::optional<FirthLogistic> fitWithout(Eigen::Index left, const Eigen::MatrixXd& x, const Eigen::VectorXd& y)
{
    std::vector<Eigen::Index> others;
    for (Eigen::Index i = 0; i < y.size(); ++i) {
        if (i != left)
            others.push_back(i);
    }
    return fitFirth(x(others, Eigen::all), y(others));
}

Eigen::VectorXd leftOutBy(const Eigen::MatrixXd& x, const Eigen::VectorXd& y)
{
    Eigen::VectorXd left = Eigen::VectorXd::Constant(y.size(), 0.5);
    for (Eigen::Index i = 0; i < y.size(); ++i) {
        if (const std::optional<FirthLogistic> model = fitWithout(i, x, y))
            left[i] = model->probabilityAt(x.row(i).transpose());
    }
    return left;
}

} // namespace

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

double LatentValue::probability() const
{
    return lowerTail(mean / std::sqrt(1.0 + variance));
}

double ProbitProcess::evidence(const Correlation& correlation, const Eigen::MatrixXd& points,
                               const Eigen::VectorXd& signs, const Eigen::VectorXd& parameters,
                               Eigen::VectorXd* slopes)
{
    const Latent latent(correlation, points, parameters);
    const Propagation propagation(latent.covariance, signs);
    if (slopes != nullptr) {
        const Eigen::VectorXd a = propagation.weights(latent.covariance);
        const Eigen::MatrixXd scaled =
            propagation.factor.solve(Eigen::MatrixXd(propagation.rootPrecision.asDiagonal()));
        const Eigen::MatrixXd weights =
            0.5 * (a * a.transpose() - propagation.rootPrecision.asDiagonal() * scaled);
        const Eigen::Index factors = correlation.parameters();
        const Eigen::VectorXd ofCorrelation = parameters.head(factors);
        slopes->head(factors) =
            std::exp(2.0 * parameters[factors]) * correlation.slopes(points, ofCorrelation, weights);
        (*slopes)[factors] = 2.0 * weights.cwiseProduct(latent.surface).sum();
        (*slopes)[factors + 1] = 2.0 * weights.cwiseProduct(latent.plane).sum();
    }
    return propagation.logEvidence(signs);
}

std::optional<ProbitProcess> ProbitProcess::fit(const std::vector<study::Factor>& factors,
                                                const Eigen::MatrixXd& points,
                                                const std::vector<bool>& hasOutcome)
{
    const Correlation correlation(factors);
    const Eigen::VectorXd signs = signsOf(hasOutcome);
    const Eigen::VectorXd mean = withDeviations(correlation.priorMean(), kMeanLogSurface, kMeanLogSlope);
    const Eigen::VectorXd deviation =
        withDeviations(correlation.priorDeviation(), kLogDeviation, kLogDeviation);
    const SmoothFunction posterior = [&](const Eigen::VectorXd& at, Eigen::VectorXd& gradient) {
        const double value = evidence(correlation, points, signs, at, &gradient);
        const Eigen::ArrayXd away = (at - mean).array() / deviation.array();
        gradient.array() -= away / deviation.array();
        return value - 0.5 * away.square().sum();
    };
    const Maximum best = maximize(posterior, {mean}, mean, kReach * deviation);
    if (best.at.size() == 0)
        return std::nullopt;
    const Latent latent(correlation, points, best.at);
    const Propagation propagation(latent.covariance, signs);
    ProbitProcess process;
    process.m_correlation = correlation;
    process.m_points = points;
    process.m_parameters = best.at;
    process.m_rootPrecision = propagation.rootPrecision;
    process.m_weights = propagation.weights(latent.covariance);
    process.m_factor = propagation.factor;
    process.m_logEvidence = propagation.logEvidence(signs);
    process.m_leftOut.resize(signs.size());
    for (Eigen::Index i = 0; i < signs.size(); ++i)
        process.m_leftOut[i] =
            LatentValue{propagation.cavityMean[i], propagation.cavityVariance[i]}.probability();
    return process;
}

LatentValue ProbitProcess::at(const Eigen::VectorXd& x) const
{
    const Eigen::Index factors = m_correlation.parameters();
    const double ofSurface = std::exp(2.0 * m_parameters[factors]);
    const double ofSlopes = std::exp(2.0 * m_parameters[factors + 1]);
    Eigen::VectorXd covariances = ofSurface * m_correlation.with(m_points, x, m_parameters.head(factors));
    for (Eigen::Index i = 0; i < m_points.rows(); ++i)
        covariances[i] += kIntercept + ofSlopes * planeBetween(m_correlation, m_points.row(i).transpose(), x);
    const Eigen::VectorXd weighted = m_rootPrecision.cwiseProduct(covariances);
    const Eigen::VectorXd half = m_factor.solveLower(weighted);
    const double own = ofSurface + kIntercept + ofSlopes * planeBetween(m_correlation, x, x);
    return {covariances.dot(m_weights), std::max(0.0, own - half.squaredNorm())};
}

std::optional<OutcomeModel> logisticModel(const study::Study& study, const RunOutcomes& outcomes)
{
    const std::vector<study::Factor>& factors = study.factors;
    const std::vector<Column> columns = columnsOf(termsOf(Order::Linear, factors), factors);
    Eigen::MatrixXd x(outcomes.points.rows(), std::ssize(columns));
    for (Eigen::Index i = 0; i < x.rows(); ++i)
        x.row(i) = rowAt(columns, study::CodedPoint(outcomes.points.row(i).transpose()), factors).transpose();
    const Eigen::VectorXd y = outcomesAsNumbers(outcomes);
    const std::optional<FirthLogistic> model = fitFirth(x, y);
    if (!model)
        return std::nullopt;
    const auto at = [columns, factors, model = *model](const Eigen::VectorXd& point) {
        const Eigen::VectorXd row = rowAt(columns, study::CodedPoint(point), factors);
        const double half = kNormalLimit * model.errorAt(row);
        return RunProbability{model.probabilityAt(row), logisticOf(model.logOddsAt(row) - half),
                              logisticOf(model.logOddsAt(row) + half)};
    };
    return OutcomeModel{.method = FeasibilityMethod::Logistic, .at = at, .leftOut = leftOutBy(x, y)};
}

std::optional<OutcomeModel> processModel(const study::Study& study, const RunOutcomes& outcomes)
{
    const std::optional<ProbitProcess> process =
        ProbitProcess::fit(study.factors, outcomes.points, outcomes.hasRun);
    if (!process)
        return std::nullopt;
    const auto at = [process = *process](const Eigen::VectorXd& x) {
        const LatentValue latent = process.at(x);
        const double half = kNormalLimit * std::sqrt(latent.variance);
        return RunProbability{latent.probability(), LatentValue{latent.mean - half, 0.0}.probability(),
                              LatentValue{latent.mean + half, 0.0}.probability()};
    };
    return OutcomeModel{.method = FeasibilityMethod::Process, .at = at, .leftOut = process->leftOut()};
}

} // namespace quadric::model
