// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/process/kriging.h"

#include "core/algebra/factorizations.h"
#include "core/algebra/products.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>

#include <nlopt.h>

namespace quadric::model {

namespace {

/// Of the length scales: the region is 2 wide, and the more factors, the smoother along each of them
/// (Hvarfner et al. 2024).
constexpr double kMedianLength = 1.8;
constexpr double kLengthDeviation = 0.8;
constexpr double kMeanLogit = 1.5;
constexpr double kLogitDeviation = 1.2;
const double kRootFive = std::sqrt(5.0);
constexpr int kTogether = 8; ///< points whose correlations are computed in registers

/// Of points from the given one on. This is what the search for the next run asks for most.
template <int count>
Eigen::Matrix<double, count, 1> correlate(const Correlation& correlation, const Eigen::MatrixXd& points,
                                          Eigen::Index first, const Eigen::VectorXd& x,
                                          const Eigen::ArrayXd& scales)
{
    using Some = Eigen::Array<double, count, 1>;
    Some product = Some::Ones();
    Some distance = Some::Zero();
    for (Eigen::Index k = 0; k < x.size(); ++k) {
        const Some away = (points.col(k).segment<count>(first).array() - x[k]).abs();
        if (!correlation.isNumeric(k)) {
            product = (away > 0.0).select(scales[k] * product, product);
            continue;
        }
        const Some r = (kRootFive * scales[k]) * away;
        product *= 1.0 + r * (1.0 + r * (1.0 / 3.0));
        distance += r;
    }
    return product * (-distance).exp();
}

/// Of the noise over the variance of the surface, on the log scale: 7 % of its standard deviation.
const double kMeanLogNoise = std::log(0.005);
constexpr double kLogNoiseDeviation = 1.7;
constexpr double kReach = 3.5; ///< standard deviations from the prior mean that are searched
constexpr double kStartStep = 0.8;
constexpr double kDifference = 1e-4;

Eigen::VectorXd withNoise(const Eigen::VectorXd& ofCorrelation, double ofNoise)
{
    Eigen::VectorXd all(ofCorrelation.size() + 1);
    all << ofCorrelation, ofNoise;
    return all;
}

/// Points around the prior mean: itself, then smoother and rougher in turn along the factors.
std::vector<Eigen::VectorXd> startsAround(const Eigen::VectorXd& mean, const Eigen::VectorXd& deviation,
                                          int count)
{
    std::vector<Eigen::VectorXd> starts{mean};
    for (int i = 1; i < count; ++i) {
        Eigen::VectorXd start = mean;
        for (Eigen::Index j = 0; j < mean.size(); ++j)
            start[j] += kStartStep * deviation[j] * ((i + j) % 2 == 0 ? 1.0 : -1.0);
        starts.push_back(std::move(start));
    }
    return starts;
}

/// log of the density of the parameters given the runs, without constants.
class Posterior {
public:
    explicit Posterior(const KrigingData& data)
        : m_data(data)
        , mean(withNoise(data.correlation.priorMean(), kMeanLogNoise))
        , deviation(withNoise(data.correlation.priorDeviation(), kLogNoiseDeviation))
    {
    }

    double operator()(const Eigen::VectorXd& at, Eigen::VectorXd& gradient) const
    {
        const std::optional<Kriging> solved = Kriging::solve(m_data, at);
        if (!solved)
            return -std::numeric_limits<double>::infinity();
        const Eigen::Index factors = m_data.correlation.parameters();
        const Eigen::MatrixXd projection = solved->projection();
        const Eigen::VectorXd projected = projection * m_data.values;
        // d log L = −½ (tr(P dR) − z'P dR P z / s²)
        const Eigen::MatrixXd weights =
            0.5 * (projected * projected.transpose() / solved->variance() - projection);
        const Eigen::ArrayXd away = (at - mean).array() / deviation.array();
        gradient.head(factors) = m_data.correlation.slopes(m_data.points, at.head(factors), weights);
        gradient[factors] = weights.trace() * solved->noise();
        gradient.array() -= away / deviation.array();
        return solved->logLikelihood() - 0.5 * away.square().sum();
    }

private:
    const KrigingData& m_data;

public:
    Eigen::VectorXd mean, deviation; ///< before any run
};

constexpr int kMostSteps = 60;
constexpr double kSmallGain = 1e-5; ///< of a log likelihood
constexpr double kWorst = -1e12;    ///< NLopt asks for finite values

struct Climb {
    const Posterior* posterior = nullptr;
    Eigen::VectorXd best = {};
    double most = -std::numeric_limits<double>::infinity(); ///< at the best point
};

double valueFor(unsigned size, const double* at, double* gradient, void* data)
{
    auto& climb = *static_cast<Climb*>(data);
    const Eigen::VectorXd x = Eigen::Map<const Eigen::VectorXd>(at, size);
    Eigen::VectorXd slopes = Eigen::VectorXd::Zero(x.size());
    double value = (*climb.posterior)(x, slopes);
    if (!std::isfinite(value) || !slopes.allFinite()) {
        value = kWorst;
        slopes.setZero();
    }
    if (gradient != nullptr)
        Eigen::Map<Eigen::VectorXd>(gradient, size) = slopes;
    if (value > climb.most) {
        climb.best = x;
        climb.most = value;
    }
    return value;
}

/// The best of the maxima reached from several points, none outside of what is searched (limited-memory BFGS:
/// Nocedal 1980, by NLopt).
Eigen::VectorXd findLikeliest(const Posterior& posterior, const std::vector<Eigen::VectorXd>& starts)
{
    const Eigen::VectorXd low = posterior.mean - kReach * posterior.deviation;
    const Eigen::VectorXd high = posterior.mean + kReach * posterior.deviation;
    Climb climb{&posterior};
    for (const Eigen::VectorXd& start : starts) {
        const std::unique_ptr<nlopt_opt_s, decltype(&nlopt_destroy)> solver(
            nlopt_create(NLOPT_LD_LBFGS, static_cast<unsigned>(low.size())), &nlopt_destroy);
        nlopt_set_max_objective(solver.get(), &valueFor, &climb);
        nlopt_set_lower_bounds(solver.get(), low.data());
        nlopt_set_upper_bounds(solver.get(), high.data());
        nlopt_set_maxeval(solver.get(), kMostSteps);
        nlopt_set_ftol_abs(solver.get(), kSmallGain);
        Eigen::VectorXd x = start.cwiseMax(low).cwiseMin(high);
        double value = 0.0;
        // Whatever it ends with, the best point that was looked at counts.
        nlopt_optimize(solver.get(), x.data(), &value);
    }
    return climb.best;
}

} // namespace

Correlation::Correlation(const std::vector<study::Factor>& factors)
{
    for (const study::Factor& factor : factors)
        m_isNumeric.push_back(factor.isNumeric());
}

/// Reciprocal length scales, and correlations between levels.
Eigen::ArrayXd Correlation::scales(const Eigen::VectorXd& parameters) const
{
    Eigen::ArrayXd scales(parameters.size());
    for (Eigen::Index i = 0; i < parameters.size(); ++i)
        scales[i] = isNumeric(i) ? std::exp(-parameters[i]) : 1.0 / (1.0 + std::exp(-parameters[i]));
    return scales;
}

double Correlation::at(const Eigen::ArrayXd& difference, const Eigen::ArrayXd& scales) const
{
    double product = 1.0;
    double distance = 0.0;
    for (Eigen::Index i = 0; i < difference.size(); ++i) {
        if (difference[i] == 0.0)
            continue;
        const double r = kRootFive * std::abs(difference[i]) * scales[i];
        product *= isNumeric(i) ? 1.0 + r + r * r / 3.0 : scales[i];
        distance += isNumeric(i) ? r : 0.0;
    }
    return product * std::exp(-distance);
}

Eigen::VectorXd Correlation::with(const Eigen::MatrixXd& points, const Eigen::VectorXd& x,
                                  const Eigen::VectorXd& parameters) const
{
    const Eigen::ArrayXd scale = scales(parameters);
    Eigen::VectorXd correlations(points.rows());
    Eigen::Index i = 0;
    for (; i + kTogether <= points.rows(); i += kTogether)
        correlations.segment<kTogether>(i) = correlate<kTogether>(*this, points, i, x, scale);
    for (; i < points.rows(); ++i)
        correlations.segment<1>(i) = correlate<1>(*this, points, i, x, scale);
    return correlations;
}

Eigen::MatrixXd Correlation::matrix(const Eigen::MatrixXd& points, const Eigen::VectorXd& parameters) const
{
    const Eigen::ArrayXd scale = scales(parameters);
    const Eigen::MatrixXd columns = points.transpose();
    Eigen::MatrixXd values(points.rows(), points.rows());
    for (Eigen::Index i = 0; i < points.rows(); ++i) {
        values(i, i) = 1.0;
        for (Eigen::Index j = 0; j < i; ++j)
            values(i, j) = values(j, i) = at((columns.col(i) - columns.col(j)).array(), scale);
    }
    return values;
}

Eigen::VectorXd Correlation::slopes(const Eigen::MatrixXd& points, const Eigen::VectorXd& parameters,
                                    const Eigen::MatrixXd& weights) const
{
    const Eigen::ArrayXd scale = scales(parameters);
    const Eigen::MatrixXd columns = points.transpose();
    Eigen::VectorXd sums = Eigen::VectorXd::Zero(parameters.size());
    for (Eigen::Index i = 0; i < points.rows(); ++i) {
        for (Eigen::Index j = 0; j < i; ++j) {
            const Eigen::ArrayXd difference = (columns.col(i) - columns.col(j)).array();
            const double shared = 2.0 * weights(i, j) * at(difference, scale);
            for (Eigen::Index k = 0; k < difference.size(); ++k) {
                const double r = kRootFive * std::abs(difference[k]) * scale[k];
                if (isNumeric(k)) // d log m / d log length
                    sums[k] += shared * r * r * (1.0 + r) / (3.0 + 3.0 * r + r * r);
                else if (difference[k] != 0.0)
                    sums[k] += shared * (1.0 - scale[k]);
            }
        }
    }
    return sums;
}

Eigen::VectorXd Correlation::priorMean() const
{
    Eigen::VectorXd mean(parameters());
    const double length = std::log(kMedianLength) + 0.5 * std::log(static_cast<double>(parameters()));
    for (Eigen::Index i = 0; i < mean.size(); ++i)
        mean[i] = isNumeric(i) ? length : kMeanLogit;
    return mean;
}

Eigen::VectorXd Correlation::priorDeviation() const
{
    Eigen::VectorXd deviation(parameters());
    for (Eigen::Index i = 0; i < deviation.size(); ++i)
        deviation[i] = isNumeric(i) ? kLengthDeviation : kLogitDeviation;
    return deviation;
}

std::optional<Kriging> Kriging::solve(const KrigingData& data, const Eigen::VectorXd& parameters)
{
    Kriging solved;
    solved.m_parameters = parameters;
    const Eigen::Index factors = data.correlation.parameters();
    Eigen::MatrixXd correlations = data.correlation.matrix(data.points, parameters.head(factors));
    correlations.diagonal().array() += solved.noise();
    solved.m_factor = algebra::Cholesky(correlations);
    if (!solved.m_factor.isPositiveDefinite())
        return std::nullopt;
    solved.m_solvedTrend = solved.m_factor.solve(data.trend);
    solved.m_trendFactor = algebra::Cholesky(algebra::transposedTimes(data.trend, solved.m_solvedTrend));
    if (!solved.m_trendFactor.isPositiveDefinite())
        return std::nullopt;
    const Eigen::VectorXd alongTrend = solved.m_solvedTrend.transpose() * data.values;
    solved.m_beta = solved.m_trendFactor.solve(alongTrend);
    const Eigen::VectorXd residual = data.values - data.trend * solved.m_beta;
    solved.m_solvedResidual = solved.m_factor.solve(residual);
    solved.m_df = static_cast<int>(data.points.rows() - data.trend.cols());
    if (solved.m_df < 1)
        return std::nullopt;
    solved.m_variance = residual.dot(solved.m_solvedResidual) / solved.m_df;
    return std::isfinite(solved.m_variance) && solved.m_variance > 0.0 ? std::optional(std::move(solved))
                                                                       : std::nullopt;
}

double Kriging::noise() const
{
    return std::exp(m_parameters[m_parameters.size() - 1]);
}

void Kriging::keepVariance(const Kriging& other)
{
    m_variance = other.m_variance;
    m_df = other.m_df;
}

double Kriging::logLikelihood() const
{
    return -0.5 * (m_df * std::log(m_variance) + m_factor.logDeterminant() + m_trendFactor.logDeterminant());
}

Eigen::MatrixXd Kriging::projection() const
{
    const Eigen::MatrixXd transposed = m_solvedTrend.transpose();
    return m_factor.inverse() - algebra::times(m_solvedTrend, m_trendFactor.solve(transposed));
}

double Kriging::meanAt(const KrigingData& data, const Eigen::VectorXd& x,
                       const Eigen::VectorXd& trendRow) const
{
    const Eigen::VectorXd ofCorrelation = m_parameters.head(m_parameters.size() - 1);
    return trendRow.dot(m_beta) + data.correlation.with(data.points, x, ofCorrelation).dot(m_solvedResidual);
}

Kriging::Value Kriging::at(const KrigingData& data, const Eigen::VectorXd& x,
                           const Eigen::VectorXd& trendRow) const
{
    const Eigen::VectorXd ofCorrelation = m_parameters.head(m_parameters.size() - 1);
    const Eigen::VectorXd r = data.correlation.with(data.points, x, ofCorrelation);
    const Eigen::VectorXd u = trendRow - m_solvedTrend.transpose() * r;
    const Eigen::VectorXd half = m_factor.solveLower(r);
    const Eigen::VectorXd trendHalf = m_trendFactor.solveLower(u);
    return {trendRow.dot(m_beta) + r.dot(m_solvedResidual),
            std::max(0.0, 1.0 - half.squaredNorm() + trendHalf.squaredNorm())};
}

std::optional<Kriging> findKriging(const KrigingData& data, int starts, const Eigen::VectorXd& first)
{
    const Posterior posterior(data);
    std::vector<Eigen::VectorXd> from = startsAround(posterior.mean, posterior.deviation, starts);
    if (first.size() == posterior.mean.size())
        from.front() = first;
    const Eigen::VectorXd likeliest = findLikeliest(posterior, from);
    return likeliest.size() > 0 ? Kriging::solve(data, likeliest) : std::nullopt;
}

Eigen::MatrixXd parameterSteps(const KrigingData& data, const Kriging& likeliest)
{
    const Posterior posterior(data);
    const Eigen::VectorXd& at = likeliest.parameters();
    Eigen::MatrixXd curvature(at.size(), at.size());
    for (Eigen::Index i = 0; i < at.size(); ++i) {
        Eigen::VectorXd above = at, below = at, up(at.size()), down(at.size());
        above[i] += kDifference;
        below[i] -= kDifference;
        posterior(above, up);
        posterior(below, down);
        curvature.col(i) = (down - up) / (2.0 * kDifference);
    }
    const Eigen::MatrixXd symmetric = 0.5 * (curvature + curvature.transpose());
    const algebra::SymmetricEigen eigen = algebra::symmetricEigen(symmetric);
    // At an edge of what is searched the curvature can have any sign; nothing is less certain than before.
    const Eigen::ArrayXd least = (eigen.vectors.array().square().matrix().transpose() *
                                  posterior.deviation.array().square().inverse().matrix());
    const Eigen::VectorXd precision = eigen.values.array().max(least);
    return eigen.vectors * precision.cwiseSqrt().cwiseInverse().asDiagonal();
}

LeftOut leaveOutGroups(const KrigingData& data, const Kriging& kriging, const std::vector<int>& groups)
{
    const Eigen::MatrixXd projection = kriging.projection();
    const Eigen::VectorXd projected = projection * data.values;
    LeftOut result{Eigen::VectorXd::Zero(data.values.size()), Eigen::VectorXd::Zero(data.values.size())};
    const int last = groups.empty() ? -1 : *std::ranges::max_element(groups);
    for (int group = 0; group <= last; ++group) {
        std::vector<Eigen::Index> members;
        for (std::size_t i = 0; i < groups.size(); ++i) {
            if (groups[i] == group)
                members.push_back(static_cast<Eigen::Index>(i));
        }
        const Eigen::MatrixXd own = projection(members, members);
        const algebra::Cholesky precision(own);
        if (members.empty() || !precision.isPositiveDefinite())
            continue;
        const auto size = static_cast<Eigen::Index>(members.size());
        const Eigen::VectorXd alongMembers = projected(members);
        const Eigen::VectorXd residual = precision.solve(alongMembers);
        const Eigen::MatrixXd covariance = kriging.variance() * precision.inverse();
        result.residuals(members) = residual;
        result.deviations(members) = covariance.diagonal().array().sqrt().matrix();
        const double distance = residual.dot(own * residual) / kriging.variance();
        result.logScore -=
            0.5 *
            (distance + static_cast<double>(size) * std::log(2.0 * std::numbers::pi * kriging.variance()) -
             precision.logDeterminant());
    }
    return result;
}

} // namespace quadric::model
