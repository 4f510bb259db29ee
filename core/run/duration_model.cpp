// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/duration_model.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <array>
#include <cmath>

namespace quadric::run {

namespace {

/// Runs that are remembered, the latest: the work grows with their cube, and is done while runs are measured.
constexpr std::size_t kMostRuns = 64;
constexpr double kLevelVariance = 100; ///< of the mean of log seconds: nothing is known about it before
constexpr double kLeastShare = 0.01;   ///< what is less probable beside the likeliest is left out
constexpr double kLowQuantile = 0.05;
constexpr double kLeastVariance = 1e-12; ///< against rounding

/// A standard deviation that may be, and how probable it is before any run.
struct Guess {
    double sd, prior;
};
/// Of a slope per coded unit; 0: durations do not depend on the settings.
constexpr std::array kSlopeSds = {Guess{0.0, 0.3}, Guess{0.1, 0.2}, Guess{0.2, 0.2}, Guess{0.4, 0.15},
                                  Guess{0.8, 0.15}};
/// Of log seconds at equal settings.
constexpr std::array kNoiseSds = {Guess{0.02, 0.25}, Guess{0.05, 0.45}, Guess{0.15, 0.3}};

Eigen::MatrixXd asRows(const std::vector<Eigen::VectorXd>& points)
{
    Eigen::MatrixXd rows(std::ssize(points), points.empty() ? 0 : points.front().size());
    for (std::size_t i = 0; i < points.size(); ++i)
        rows.row(static_cast<Eigen::Index>(i)) = points[i];
    return rows;
}

/// A sum of log-normal durations, itself taken as log-normal.
struct LogNormal {
    double share = 1.0;
    double mean = 0.0, sd = 1.0; ///< of its logarithm
};

/// The sum of weight × seconds over runs whose features are the rows of `x`.
struct WeightedSum {
    Eigen::MatrixXd x;
    Eigen::VectorXd weights;
    Eigen::MatrixXd curvature = {}; ///< of the logarithm of the sum, once it is known

    /// The logarithm of the sum is developed to second order about the mean of level and slopes (delta
    /// method): its gradient are the mean features, its second derivatives their covariance, each run with
    /// its part of the sum. These parts differ little between beliefs; the curvature is that of the first.
    /// `each`: seconds of the runs at the mean. The noise of the runs is independent.
    LogNormal distributed(const Eigen::VectorXd& each, const Eigen::MatrixXd& covariance, double noiseSd)
    {
        const double total = weights.dot(each);
        const Eigen::VectorXd part = weights.cwiseProduct(each) / total;
        const Eigen::VectorXd gradient = x.transpose() * part;
        if (curvature.size() == 0)
            curvature = x.transpose() * part.asDiagonal() * x - gradient * gradient.transpose();
        const Eigen::MatrixXd bend = curvature * covariance;
        const double noise = noiseSd * noiseSd, squares = part.squaredNorm();
        const double variance = gradient.dot(covariance * gradient) +
                                0.5 * bend.cwiseProduct(bend.transpose()).sum() + noise * squares;
        return {.mean = std::log(total) + 0.5 * bend.trace() + 0.5 * noise * (1.0 - squares),
                .sd = std::sqrt(std::max(variance, kLeastVariance))};
    }
};

double distribution(const std::vector<LogNormal>& mixture, double logSeconds)
{
    double below = 0.0;
    for (const LogNormal& part : mixture)
        below += part.share * 0.5 * std::erfc((part.mean - logSeconds) / (part.sd * std::sqrt(2.0)));
    return below;
}

/// By bisection: the distribution is increasing.
double quantile(const std::vector<LogNormal>& mixture, double probability)
{
    constexpr double kFar = 10.0; // standard deviations
    constexpr int kSteps = 50;
    double low = mixture.front().mean, high = low;
    for (const LogNormal& part : mixture) {
        low = std::min(low, part.mean - kFar * part.sd);
        high = std::max(high, part.mean + kFar * part.sd);
    }
    for (int step = 0; step < kSteps; ++step) {
        const double middle = 0.5 * (low + high);
        (distribution(mixture, middle) < probability ? low : high) = middle;
    }
    return std::exp(0.5 * (low + high));
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
    m_beliefs.clear();
}

/// Rasmussen & Williams 2006, eq. 2.11 and 2.30, in the space of the weights: a run that waits is looked up
/// in the time of its few features, however many are known.
DurationModel::Belief DurationModel::beliefUnder(const Eigen::MatrixXd& x, const Eigen::VectorXd& y,
                                                 double slopeSd, double noiseSd)
{
    const double mean = y.mean();
    const Eigen::VectorXd deviations = y.array() - mean;
    Eigen::VectorXd prior = Eigen::VectorXd::Constant(x.cols(), slopeSd * slopeSd);
    prior[0] = kLevelVariance;
    const Eigen::MatrixXd toKnown = x * prior.asDiagonal();
    Eigen::MatrixXd known = toKnown * x.transpose();
    known.diagonal().array() += noiseSd * noiseSd;
    const Eigen::LLT<Eigen::MatrixXd> factor(known);
    const Eigen::VectorXd weights = factor.solve(deviations);
    const Eigen::MatrixXd lower = factor.matrixL();
    Belief belief{.mean = toKnown.transpose() * weights,
                  .covariance = -toKnown.transpose() * factor.solve(toKnown),
                  .noiseSd = noiseSd,
                  .share = -0.5 * deviations.dot(weights) - lower.diagonal().array().log().sum()};
    belief.mean[0] += mean;
    belief.covariance.diagonal() += prior;
    return belief;
}

std::vector<DurationModel::Belief> DurationModel::learned() const
{
    const Eigen::VectorXd y =
        Eigen::Map<const Eigen::VectorXd>(m_logSeconds.data(), std::ssize(m_logSeconds));
    const Eigen::MatrixXd x = asRows(m_features);
    std::vector<Belief> beliefs;
    for (const Guess& slope : kSlopeSds) {
        for (const Guess& noise : kNoiseSds) {
            beliefs.push_back(beliefUnder(x, y, slope.sd, noise.sd));
            beliefs.back().share += std::log(slope.prior * noise.prior);
        }
    }
    std::ranges::sort(beliefs, std::ranges::greater(), &Belief::share);
    const double best = beliefs.front().share;
    std::erase_if(beliefs, [&](const Belief& belief) { return belief.share < best + std::log(kLeastShare); });
    double sum = 0.0;
    for (Belief& belief : beliefs)
        sum += belief.share = std::exp(belief.share - best);
    for (Belief& belief : beliefs)
        belief.share /= sum;
    return beliefs;
}

DurationForecast DurationModel::forecast(const std::vector<study::Settings>& runs,
                                         const std::vector<double>& weights) const
{
    DurationForecast result{.seconds = std::vector<double>(runs.size(), 0.0)};
    if (isEmpty() || runs.empty())
        return result;
    if (m_beliefs.empty())
        m_beliefs = learned();
    std::vector<Eigen::VectorXd> points;
    points.reserve(runs.size());
    for (const study::Settings& settings : runs)
        points.push_back(features(settings));
    WeightedSum sum{asRows(points), Eigen::Map<const Eigen::VectorXd>(weights.data(), std::ssize(weights))};
    Eigen::Map<Eigen::VectorXd> seconds(result.seconds.data(), sum.x.rows());
    const bool isNothing = sum.weights.isZero();
    std::vector<LogNormal> mixture;
    for (const Belief& belief : m_beliefs) {
        const Eigen::VectorXd each = (sum.x * belief.mean).array().exp();
        seconds += belief.share * each;
        if (isNothing)
            continue;
        mixture.push_back(sum.distributed(each, belief.covariance, belief.noiseSd));
        mixture.back().share = belief.share;
    }
    if (isNothing)
        return result;
    result.low = quantile(mixture, kLowQuantile);
    result.median = quantile(mixture, 0.5);
    result.high = quantile(mixture, 1.0 - kLowQuantile);
    return result;
}

} // namespace quadric::run
