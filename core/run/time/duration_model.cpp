// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/time/duration_model.h"

#include "core/algebra/cholesky.h"
#include "core/algebra/products.h"
#include "core/study/outcome.h"

#include <algorithm>
#include <cmath>

namespace quadric::run {

namespace {

/// Expected ratio of a slope per coded unit to the noise of log seconds at equal settings: the ridge.
constexpr double kSlopePerNoise = 3.0;
/// Noise expected before any run, and how many runs that expectation counts for.
constexpr double kExpectedNoise = 0.05;
constexpr double kExpectedRuns = 1.0;
/// Student's t of fewer degrees of freedom would make the interval after one run useless.
constexpr double kLeastFreedom = 2.0;
/// More tell nothing new, and a runner must not grow with its runs.
constexpr std::size_t kMostRuns = 64;

Eigen::MatrixXd stacked(const std::vector<Eigen::RowVectorXd>& points)
{
    Eigen::MatrixXd rows(std::ssize(points), points.front().size());
    for (std::size_t i = 0; i < points.size(); ++i)
        rows.row(static_cast<Eigen::Index>(i)) = points[i];
    return rows;
}

/// Level and slopes of log seconds.
struct LogLinear {
    Eigen::VectorXd coefficients;
    Eigen::MatrixXd covariance; ///< in units of `variance`
    double variance = 0.0;      ///< of log seconds at equal settings
    double freedom = 0.0;
};

LogLinear fitRidge(const Eigen::MatrixXd& x, const Eigen::VectorXd& y)
{
    Eigen::VectorXd ridge = Eigen::VectorXd::Constant(x.cols(), 1.0 / (kSlopePerNoise * kSlopePerNoise));
    ridge[0] = 0.0; // nothing is expected of the level
    Eigen::MatrixXd information = algebra::cross(x);
    information.diagonal() += ridge;
    const algebra::Cholesky factor(information);
    const Eigen::VectorXd right = x.transpose() * y;
    LogLinear fit{.coefficients = factor.solve(right), .covariance = factor.inverse()};
    const double misfit = (y - x * fit.coefficients).squaredNorm() + ridge.dot(fit.coefficients.cwiseAbs2());
    const double freedom = static_cast<double>(x.rows()) - 1.0;
    fit.variance = (misfit + kExpectedRuns * kExpectedNoise * kExpectedNoise) / (freedom + kExpectedRuns);
    fit.freedom = std::max(freedom, kLeastFreedom);
    return fit;
}

/// The 95 % quantile of Student's t to 1 % (Abramowitz & Stegun 1964, eq. 26.7.5).
double upperT(double freedom)
{
    return 1.644854 + (1.523775 + (1.420205 + 0.98392 / freedom) / freedom) / freedom;
}

/// The logarithm of the sum is taken as linear in level and slopes (delta method); its mean is moved by half
/// the spread of the logarithms around it, because large durations add more than small ones take away.
void addQuantiles(DurationForecast& result, const LogLinear& fit, const Eigen::MatrixXd& x,
                  const Eigen::VectorXd& weighted)
{
    const Eigen::VectorXd part = weighted / weighted.sum();
    const Eigen::VectorXd gradient = x.transpose() * part;
    const double together = gradient.dot(fit.covariance * gradient) + part.squaredNorm();
    const double apart = part.dot(algebra::times(x, fit.covariance).cwiseProduct(x).rowwise().sum()) + 1.0;
    const double mean = std::log(weighted.sum()) + 0.5 * fit.variance * (apart - together);
    const double half = upperT(fit.freedom) * std::sqrt(fit.variance * together);
    result.low = std::exp(mean - half);
    result.median = std::exp(mean);
    result.high = std::exp(mean + half);
}

} // namespace

DurationModel::DurationModel(const std::vector<study::Factor>& factors)
    : m_coding(factors)
{
}

/// 1 for the level, then coded values of numeric factors, one column of 0 and 1 per level of the others.
Eigen::RowVectorXd DurationModel::features(const study::Settings& settings) const
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
    return Eigen::Map<Eigen::RowVectorXd>(values.data(), std::ssize(values));
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
}

DurationForecast DurationModel::forecast(const std::vector<study::Settings>& runs,
                                         const std::vector<double>& weights) const
{
    DurationForecast result{.seconds = std::vector<double>(runs.size(), 0.0)};
    if (isEmpty() || runs.empty())
        return result;
    const LogLinear fit =
        fitRidge(stacked(m_features),
                 Eigen::Map<const Eigen::VectorXd>(m_logSeconds.data(), std::ssize(m_logSeconds)));
    std::vector<Eigen::RowVectorXd> points;
    for (const study::Settings& settings : runs)
        points.push_back(features(settings));
    const Eigen::MatrixXd x = stacked(points);
    Eigen::Map<Eigen::VectorXd> seconds(result.seconds.data(), x.rows());
    seconds = (x * fit.coefficients).array().exp();
    const Eigen::VectorXd weighted =
        seconds.cwiseProduct(Eigen::Map<const Eigen::VectorXd>(weights.data(), x.rows()));
    if (!weighted.isZero(0.0))
        addQuantiles(result, fit, x, weighted);
    return result;
}

DurationModel learnDurations(const study::Study& study)
{
    DurationModel durations(study.factors);
    for (const study::Run& run : study.runs) {
        const bool hasEnded = run.status == study::RunStatus::Done || study::isFailureOfSettings(run);
        if (hasEnded && run.provenance.seconds)
            durations.add(run.settings, *run.provenance.seconds);
    }
    return durations;
}

} // namespace quadric::run
