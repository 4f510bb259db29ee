// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/merit_draws.h"

#include "core/model/fit/prediction_scale.h"
#include "core/model/predict/second_order.h"
#include "core/optimize/limit_probability.h"

#include <Eigen/Eigenvalues>

#include <cmath>
#include <numbers>
#include <random>

namespace quadric::optimize {

namespace {

/// Standard normal numbers, the same on every machine.
class NormalNumbers {
public:
    explicit NormalNumbers(std::uint64_t seed)
        : m_random(seed)
    {
    }

    double next()
    {
        const double u = 1.0 - uniform();
        return std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * uniform());
    }

    Eigen::MatrixXd matrix(Eigen::Index rows, Eigen::Index columns)
    {
        Eigen::MatrixXd numbers(rows, columns);
        for (Eigen::Index i = 0; i < numbers.size(); ++i)
            numbers.data()[i] = next();
        return numbers;
    }

    /// Root of a χ² over its degrees of freedom.
    double relativeError(int df)
    {
        double squares = 0.0;
        for (int i = 0; i < df; ++i) {
            const double z = next();
            squares += z * z;
        }
        return std::sqrt(squares / df);
    }

private:
    double uniform() { return static_cast<double>(m_random() >> 11) * 0x1p-53; }

    std::mt19937_64 m_random;
};

/// The symmetric root of a covariance.
Eigen::MatrixXd rootOf(const Eigen::MatrixXd& covariance)
{
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(covariance);
    const Eigen::VectorXd roots = solver.eigenvalues().cwiseMax(0.0).cwiseSqrt();
    return solver.eigenvectors() * roots.asDiagonal() * solver.eigenvectors().transpose();
}

bool takesPart(const Desirability& desirability)
{
    return desirability.goal != study::Goal::None && desirability.weight > 0.0;
}

Eigen::VectorXd rowAt(const model::Fit& fit, const Eigen::VectorXd& coded)
{
    const study::CodedPoint point(coded);
    Eigen::VectorXd row(std::ssize(fit.columns));
    for (std::size_t j = 0; j < fit.columns.size(); ++j)
        row[static_cast<Eigen::Index>(j)] = model::valueAt(fit.columns[j], point, fit.factors);
    return row;
}

} // namespace

MeritDraws::MeritDraws(const Goals& goals, int draws, std::uint64_t seed)
    : m_draws(draws)
{
    for (std::size_t i = 0; i < goals.count(); ++i) {
        if (takesPart(goals.desirabilities[i]))
            m_members.push_back({goals.fits[i], &goals.desirabilities[i], {}, {}});
    }
    NormalNumbers numbers(seed);
    std::vector<Eigen::MatrixXd> normals;
    for (Member& member : m_members) {
        normals.push_back(numbers.matrix(std::ssize(member.fit->columns), draws));
        for (int draw = 0; draw < draws; ++draw)
            member.inflate.push_back(1.0 / numbers.relativeError(member.fit->dfResidual));
    }
    correlate(normals);
    for (std::size_t i = 0; i < m_members.size(); ++i)
        m_members[i].deviations =
            m_members[i].fit->sigma * rootOf(m_members[i].fit->unscaledCovariance) * normals[i];
    if (m_members.size() == 1 && m_members[0].desirability->goal != study::Goal::Target) {
        const bool isFalling = model::isFalling(m_members[0].fit->transform);
        m_sign = (m_members[0].desirability->goal == study::Goal::Maximize) == isFalling ? -1.0 : 1.0;
    }
}

/// Errors of models with the same columns are correlated as their residuals are.
void MeritDraws::correlate(std::vector<Eigen::MatrixXd>& normals) const
{
    const auto size = std::ssize(m_members);
    Eigen::MatrixXd correlation = Eigen::MatrixXd::Identity(size, size);
    for (std::size_t a = 0; a < m_members.size(); ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            if (m_members[a].fit->terms != m_members[b].fit->terms)
                continue;
            const auto i = static_cast<Eigen::Index>(a), j = static_cast<Eigen::Index>(b);
            correlation(i, j) = correlation(j, i) = residualCorrelation(*m_members[a].fit, *m_members[b].fit);
        }
    }
    if (correlation.isIdentity(0.0))
        return;
    const Eigen::MatrixXd root = rootOf(correlation);
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
        z.push_back(rowAt(*member.fit, coded).dot(member.fit->beta));
    return worth(z);
}

MeritDraws::Values MeritDraws::at(const Eigen::VectorXd& coded) const
{
    std::vector<double> predicted;
    std::vector<Eigen::VectorXd> deviations;
    for (const Member& member : m_members) {
        const Eigen::VectorXd row = rowAt(*member.fit, coded);
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
