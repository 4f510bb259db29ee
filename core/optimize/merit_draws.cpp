// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/merit_draws.h"

#include "core/algebra/products.h"
#include "core/algebra/symmetric_eigen.h"
#include "core/model/base/normal_draws.h"
#include "core/model/fit/prediction_scale.h"
#include "core/model/predict/second_order.h"
#include "core/optimize/answer/residual_correlation.h"

#include <cmath>

namespace quadric::optimize {

namespace {

Eigen::VectorXd termsAt(const model::Fit& fit, const Eigen::VectorXd& coded)
{
    return model::rowAt(fit.columns, study::CodedPoint(coded), fit.factors);
}

} // namespace

MeritDraws::MeritDraws(const Goals& goals, int draws, std::uint64_t seed)
    : m_draws(draws)
{
    for (std::size_t i = 0; i < goals.count(); ++i) {
        if (takesPart(goals.desirabilities[i]))
            m_members.push_back({goals.fits[i], &goals.desirabilities[i], {}, {}});
    }
    model::NormalDraws numbers(seed);
    std::vector<Eigen::MatrixXd> normals;
    for (Member& member : m_members) {
        normals.push_back(numbers.matrix(std::ssize(member.fit->columns), draws));
        for (int draw = 0; draw < draws; ++draw)
            member.inflate.push_back(numbers.errorOverEstimate(member.fit->dfResidual));
    }
    correlate(normals);
    for (std::size_t i = 0; i < m_members.size(); ++i)
        m_members[i].deviations = algebra::times(
            m_members[i].fit->sigma * algebra::symmetricRootOf(m_members[i].fit->unscaledCovariance),
            normals[i]);
    if (m_members.size() == 1 && m_members[0].desirability->goal != study::Goal::Target) {
        const bool isFalling = model::isFalling(m_members[0].fit->transform);
        m_sign = (m_members[0].desirability->goal == study::Goal::Maximize) == isFalling ? -1.0 : 1.0;
    }
}

/// Errors of models with the same columns are correlated as their residuals are.
void MeritDraws::correlate(std::vector<Eigen::MatrixXd>& normals) const
{
    std::vector<const model::Fit*> fits;
    for (const Member& member : m_members)
        fits.push_back(member.fit);
    Eigen::MatrixXd correlation = residualCorrelations(fits);
    for (std::size_t a = 0; a < fits.size(); ++a) {
        for (std::size_t b = 0; b < fits.size(); ++b) {
            if (fits[a]->terms != fits[b]->terms)
                correlation(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(b)) = 0.0;
        }
    }
    if (correlation.isIdentity(0.0))
        return;
    const Eigen::MatrixXd root = algebra::symmetricRootOf(correlation);
    const std::vector<Eigen::MatrixXd> apart = normals;
    for (std::size_t a = 0; a < m_members.size(); ++a) {
        normals[a].setZero();
        for (std::size_t b = 0; b < m_members.size(); ++b) {
            if (apart[b].rows() == normals[a].rows())
                normals[a] += root(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(b)) * apart[b];
        }
    }
}

/// Of the predictions on the models' scales.
double MeritDraws::worth(const std::vector<double>& z) const
{
    if (m_sign != 0.0)
        return m_sign * z[0];
    double logarithm = 0.0, weights = 0.0;
    for (std::size_t i = 0; i < m_members.size(); ++i) {
        const Member& member = m_members[i];
        const double d = valueOf(*member.desirability, model::toResponseUnit(*member.fit, z[i]));
        if (d <= 0.0)
            return 0.0;
        logarithm += member.desirability->weight * std::log(d);
        weights += member.desirability->weight;
    }
    return std::exp(logarithm / weights);
}

double MeritDraws::predictedAt(const Eigen::VectorXd& coded) const
{
    std::vector<double> z;
    for (const Member& member : m_members)
        z.push_back(termsAt(*member.fit, coded).dot(member.fit->beta));
    return worth(z);
}

MeritDraws::Values MeritDraws::at(const Eigen::VectorXd& coded) const
{
    std::vector<double> predicted;
    std::vector<Eigen::VectorXd> deviations;
    for (const Member& member : m_members) {
        const Eigen::VectorXd row = termsAt(*member.fit, coded);
        predicted.push_back(row.dot(member.fit->beta));
        deviations.emplace_back(member.deviations.transpose() * row);
    }
    Values values;
    values.predicted = worth(predicted);
    std::vector<double> drawn(m_members.size()), studentized(m_members.size());
    for (int draw = 0; draw < m_draws; ++draw) {
        for (std::size_t i = 0; i < m_members.size(); ++i) {
            drawn[i] = predicted[i] + deviations[i][draw];
            studentized[i] =
                predicted[i] + deviations[i][draw] * m_members[i].inflate[static_cast<std::size_t>(draw)];
        }
        values.drawn.push_back(worth(drawn));
        values.studentized.push_back(worth(studentized));
    }
    return values;
}

} // namespace quadric::optimize
