// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/next/fantasy.h"

#include "core/model/base/distributions.h"
#include "core/model/fit/regression.h"
#include "core/model/predict/predict.h"
#include "core/optimize/merit/error_propagation.h"

#include <algorithm>
#include <cmath>

namespace quadric::optimize {

namespace {

constexpr Eigen::Index kSamples = 512;

/// The t that a t variable stays below with probability p.
double tQuantile(double p, double degreesOfFreedom)
{
    const double tail = std::clamp(2.0 * std::min(p, 1.0 - p), 1e-12, 1.0);
    return (p < 0.5 ? -1.0 : 1.0) * model::tLimit(tail, degreesOfFreedom);
}

} // namespace

FantasyModels::FantasyModels(const Goals& goals)
{
    for (std::size_t i = 0; i < goals.count(); ++i) {
        const Desirability& d = goals.desirabilities[i];
        if (takesPart(d))
            addModel(*goals.fits[i], d);
    }
}

void FantasyModels::addModel(const model::Fit& fit, const Desirability& desirability)
{
    const model::PredictionError error(fit);
    m_models.push_back({&fit, &desirability, error, error.unscaledCovariance()});
}

double FantasyModels::meanAt(std::size_t i, const Eigen::VectorXd& x) const
{
    return model::predictOnModelScale(*m_models[i].fit, study::CodedPoint(x));
}

Eigen::VectorXd FantasyModels::rowAt(std::size_t i, const Eigen::VectorXd& x) const
{
    return m_models[i].error.rowAt(study::CodedPoint(x));
}

double FantasyModels::leverage(std::size_t i, const Eigen::VectorXd& row) const
{
    return std::max(0.0, row.dot(m_models[i].covariance * row));
}

void FantasyModels::add(const Eigen::VectorXd& x)
{
    for (std::size_t i = 0; i < m_models.size(); ++i) {
        const Eigen::VectorXd row = rowAt(i, x);
        const Eigen::VectorXd gain = m_models[i].covariance * row;
        m_models[i].covariance -= gain * gain.transpose() / (1.0 + row.dot(gain));
    }
}

ExpectedImprovement::ExpectedImprovement(const FantasyModels& models, double best, std::uint64_t seed)
    : m_models(models)
    , m_best(best)
    , m_draws(kSamples, static_cast<Eigen::Index>(models.count()))
{
    model::RandomBits generator(seed);
    for (Eigen::Index i = 0; i < m_draws.cols(); ++i) {
        const double shift = model::drawUnit(generator);
        const double step = kroneckerStep(static_cast<std::size_t>(i));
        const int df = models.error(static_cast<std::size_t>(i)).df();
        for (Eigen::Index sample = 0; sample < kSamples; ++sample) {
            const double at = static_cast<double>(sample + 1) * step + shift;
            m_draws(sample, i) = tQuantile(at - std::floor(at), df);
        }
    }
}

double ExpectedImprovement::operator()(const Eigen::VectorXd& x) const
{
    Eigen::ArrayXd logarithms = Eigen::ArrayXd::Zero(kSamples);
    double weights = 0.0;
    for (std::size_t i = 0; i < m_models.count(); ++i) {
        const model::Fit& fit = m_models.fit(i);
        const Eigen::VectorXd row = m_models.rowAt(i, x);
        const double mean = m_models.meanAt(i, x);
        const double sd = m_models.error(i).sigma() * std::sqrt(m_models.leverage(i, row));
        const Desirability& d = m_models.desirability(i);
        weights += d.weight;
        for (Eigen::Index sample = 0; sample < kSamples; ++sample) {
            if (std::isinf(logarithms[sample]))
                continue;
            const double z = mean + sd * m_draws(sample, static_cast<Eigen::Index>(i));
            logarithms[sample] += d.weight * std::log(valueOf(d, model::toResponseUnit(fit, z)));
        }
    }
    const Eigen::ArrayXd overall = (logarithms / weights).exp();
    return (overall - m_best).max(0.0).mean();
}

VarianceReduction::VarianceReduction(const FantasyModels& models, const std::vector<Eigen::VectorXd>& points)
    : m_models(models)
{
    for (std::size_t i = 0; i < models.count(); ++i) {
        const Eigen::Index size = models.covariance(i).rows();
        Eigen::MatrixXd moments = Eigen::MatrixXd::Zero(size, size);
        for (const Eigen::VectorXd& point : points) {
            const Eigen::VectorXd row = models.rowAt(i, point);
            moments += row * row.transpose() / static_cast<double>(points.size());
        }
        m_moments.push_back(std::move(moments));
    }
}

double VarianceReduction::operator()(const Eigen::VectorXd& x) const
{
    double sum = 0.0;
    for (std::size_t i = 0; i < m_models.count(); ++i) {
        const Eigen::VectorXd row = m_models.rowAt(i, x);
        const Eigen::VectorXd gain = m_models.covariance(i) * row;
        const double average = (m_models.covariance(i).array() * m_moments[i].array()).sum();
        const double taken = gain.dot(m_moments[i] * gain) / (1.0 + row.dot(gain));
        sum += average > 0.0 ? taken / average : 0.0;
    }
    return m_models.count() > 0 ? sum / static_cast<double>(m_models.count()) : 0.0;
}

} // namespace quadric::optimize
