// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/process/correlation.h"

#include <cmath>

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

double Correlation::between(const Eigen::VectorXd& a, const Eigen::VectorXd& b,
                            const Eigen::VectorXd& parameters) const
{
    return at(a.array() - b.array(), scales(parameters));
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

} // namespace quadric::model
