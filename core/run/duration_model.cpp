// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/duration_model.h"

#include <Eigen/Cholesky>

#include <array>
#include <cmath>
#include <limits>

namespace quadric::run {

namespace {

constexpr double kNoiseSd = 0.05; ///< of log seconds at equal settings
/// Runs that are remembered, the latest: the work grows with their cube, and is done while runs are measured.
constexpr std::size_t kMostRuns = 64;
constexpr double kLevelVariance = 100; ///< of the mean of log seconds: nothing is known about it before
/// Standard deviations of a slope per coded unit that are tried; 0: durations do not depend on the settings.
constexpr std::array kSlopeSds = {0.0, 0.1, 0.2, 0.4, 0.8};

/// What the known runs say under one assumption on the slopes; rows of `x` are 1 and the features of a run.
struct Posterior {
    Eigen::VectorXd prior; ///< variances of level and slopes
    Eigen::LLT<Eigen::MatrixXd> factor;
    Eigen::VectorXd weights; ///< inverse covariance × deviations
    double logLikelihood = -std::numeric_limits<double>::infinity();
};

Posterior posteriorFor(const Eigen::MatrixXd& x, const Eigen::VectorXd& deviations, double slopeSd)
{
    Posterior posterior{
        .prior = Eigen::VectorXd::Constant(x.cols(), slopeSd * slopeSd), .factor = {}, .weights = {}};
    posterior.prior[0] = kLevelVariance;
    Eigen::MatrixXd known = x * posterior.prior.asDiagonal() * x.transpose();
    known.diagonal().array() += kNoiseSd * kNoiseSd;
    posterior.factor.compute(known);
    posterior.weights = posterior.factor.solve(deviations);
    const Eigen::MatrixXd lower = posterior.factor.matrixL();
    posterior.logLikelihood = -0.5 * deviations.dot(posterior.weights) - lower.diagonal().array().log().sum();
    return posterior;
}

Posterior likeliestPosterior(const Eigen::MatrixXd& x, const Eigen::VectorXd& deviations)
{
    Posterior best;
    for (const double slopeSd : kSlopeSds) {
        Posterior next = posteriorFor(x, deviations, slopeSd);
        if (next.logLikelihood > best.logLikelihood)
            best = std::move(next);
    }
    return best;
}

Eigen::MatrixXd asRows(const std::vector<Eigen::VectorXd>& points)
{
    Eigen::MatrixXd rows(std::ssize(points), points.empty() ? 0 : points.front().size());
    for (std::size_t i = 0; i < points.size(); ++i)
        rows.row(static_cast<Eigen::Index>(i)) = points[i];
    return rows;
}

} // namespace

DurationModel::DurationModel(const std::vector<study::Factor>& factors)
    : m_coding(factors)
{
}

/// 1 for the level, then coded values of numeric factors, one column of 0 and 1 per level of the others.
Eigen::VectorXd DurationModel::features(const study::Settings& settings) const
{
    const study::CodedPoint point = m_coding.toCoded(settings);
    std::vector<double> values = {1.0};
    for (std::size_t i = 0; i < m_coding.factors().size(); ++i) {
        const study::Factor& factor = m_coding.factors()[i];
        const double coded = point[static_cast<Eigen::Index>(i)];
        if (factor.isNumeric())
            values.push_back(coded);
        for (std::size_t level = 0; !factor.isNumeric() && level < factor.categories.size(); ++level)
            values.push_back(coded == static_cast<double>(level) ? 1.0 : 0.0);
    }
    return Eigen::Map<Eigen::VectorXd>(values.data(), std::ssize(values));
}

void DurationModel::add(const study::Settings& settings, double seconds)
{
    if (!(seconds > 0.0) || !std::isfinite(seconds))
        return;
    if (m_logSeconds.size() == kMostRuns) {
        m_features.erase(m_features.begin());
        m_logSeconds.erase(m_logSeconds.begin());
    }
    m_features.push_back(features(settings));
    m_logSeconds.push_back(std::log(seconds));
    m_belief.reset();
}

/// Level and slopes given the known runs (Rasmussen & Williams 2006, eq. 2.11, in the space of the weights):
/// a run that waits is looked up in the time of its few features, however many are known.
DurationModel::Belief DurationModel::learned() const
{
    const Eigen::VectorXd y =
        Eigen::Map<const Eigen::VectorXd>(m_logSeconds.data(), std::ssize(m_logSeconds));
    const Eigen::MatrixXd x = asRows(m_features);
    const double mean = y.mean();
    const Posterior posterior = likeliestPosterior(x, y.array() - mean);
    const Eigen::MatrixXd toKnown = x * posterior.prior.asDiagonal();
    Belief belief{.mean = toKnown.transpose() * posterior.weights,
                  .covariance = -toKnown.transpose() * posterior.factor.solve(toKnown)};
    belief.mean[0] += mean;
    belief.covariance.diagonal() += posterior.prior;
    return belief;
}

std::vector<double> DurationModel::seconds(const std::vector<study::Settings>& runs) const
{
    if (m_logSeconds.empty())
        return {};
    if (!m_belief)
        m_belief = learned();
    std::vector<double> expected;
    for (const study::Settings& settings : runs) {
        const Eigen::VectorXd point = features(settings);
        const double variance = std::max(0.0, point.dot(m_belief->covariance * point));
        expected.push_back(std::exp(point.dot(m_belief->mean) + variance / 2.0));
    }
    return expected;
}

} // namespace quadric::run
