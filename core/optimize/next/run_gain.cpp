// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/next/run_gain.h"

#include "core/model/base/distributions.h"
#include "core/model/predict/canonical.h"
#include "core/optimize/merit/error_propagation.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace quadric::optimize {

namespace {

constexpr Eigen::Index kGainSamples = 256;
constexpr double kBeyond = 0.5; ///< observed ranges that an end which nobody has set is moved on by
constexpr double kLeastGain = 1e-300;
constexpr double kLeastDeviation = 1e-12;

/// Desirability with room above what was observed, where the response sets no end.
Desirability openDesirability(const study::Response& response, const model::Process& process)
{
    model::Fit fit;
    const double room = kBeyond * (process.largestObserved - process.smallestObserved);
    fit.smallestObserved = process.smallestObserved - (response.goal == study::Goal::Minimize ? room : 0.0);
    fit.largestObserved = process.largestObserved + (response.goal == study::Goal::Maximize ? room : 0.0);
    return desirabilityOf(response, fit);
}

/// log(φ(z) + z Φ(z)), also where the sum is too small to be computed so.
double logUnitGain(double z)
{
    const double density = std::exp(-0.5 * z * z) / std::sqrt(2.0 * std::numbers::pi);
    if (z > -5.0)
        return std::log(density + 0.5 * z * std::erfc(-z / std::numbers::sqrt2));
    return -0.5 * z * z - 0.5 * std::log(2.0 * std::numbers::pi) - 2.0 * std::log(-z) +
           std::log1p(-3.0 / (z * z));
}

/// Of a surface after one more run: its mean moves by so much.
model::SurfaceValue afterRun(const model::Process& process, const Eigen::VectorXd& x)
{
    const model::SurfaceValue value = process.surfaceAt(x);
    const double whole = std::hypot(value.deviation, process.sigma);
    return {value.mean, whole > 0.0 ? value.deviation * value.deviation / whole : 0.0};
}

/// Normal quantiles that fill the space evenly.
Eigen::MatrixXd evenDraws(Eigen::Index responses)
{
    Eigen::MatrixXd draws(kGainSamples, responses);
    for (Eigen::Index j = 0; j < responses; ++j) {
        const double step = kroneckerStep(static_cast<std::size_t>(j));
        for (Eigen::Index i = 0; i < kGainSamples; ++i) {
            const double at = (static_cast<double>(i) + 0.5) * step;
            draws(i, j) = model::normalQuantile(std::clamp(at - std::floor(at), 1e-6, 1.0 - 1e-6));
        }
    }
    return draws;
}

} // namespace

ProcessGoals::ProcessGoals(const study::Study& study, const std::vector<model::Process>& processes)
{
    for (const study::Response& response : study.responses) {
        if (!takesPart(response))
            continue;
        const auto found = std::ranges::find(processes, response.name, &model::Process::response);
        if (found == processes.end() || !found->isOk()) {
            m_leftOut += (m_leftOut.empty() ? "" : ", ") + response.name + " (" +
                         (found == processes.end() ? "no model" : found->message) + ")";
            continue;
        }
        m_parts.push_back({*found, 0.0});
        m_desirabilities.push_back(openDesirability(response, *found));
    }
    if (m_parts.size() == 1) {
        const Desirability& only = m_desirabilities.front();
        // Whether the response rises (1) or falls (−1) with the value on the model's scale.
        const double up = model::isFalling(m_parts.front().process.transform) ? -1.0 : 1.0;
        if (only.goal == study::Goal::Maximize && only.highIsDefault)
            m_parts.front().sign = up;
        if (only.goal == study::Goal::Minimize && only.lowIsDefault)
            m_parts.front().sign = -up;
    }
    m_draws = evenDraws(static_cast<Eigen::Index>(m_parts.size()));
}

template <class Values> double ProcessGoals::overallOf(const Values& values) const
{
    std::vector<double> predicted;
    for (std::size_t i = 0; i < m_parts.size(); ++i)
        predicted.push_back(m_parts[i].process.toResponseUnit(values(static_cast<Eigen::Index>(i))));
    return overall(m_desirabilities, predicted);
}

double ProcessGoals::worthAt(const Eigen::VectorXd& x) const
{
    Eigen::ArrayXd values(std::ssize(m_parts));
    for (std::size_t i = 0; i < m_parts.size(); ++i)
        values[static_cast<Eigen::Index>(i)] = m_parts[i].process.meanAt(x);
    return isOneValue() ? m_parts.front().sign * values[0] : overallOf(values);
}

double ProcessGoals::logExpectedGain(const Eigen::VectorXd& x, double best) const
{
    if (isOneValue()) {
        const model::SurfaceValue value = m_parts.front().process.surfaceAt(x);
        const double deviation = std::max(value.deviation, kLeastDeviation);
        return std::log(deviation) + logUnitGain((m_parts.front().sign * value.mean - best) / deviation);
    }
    Eigen::ArrayXXd values(kGainSamples, std::ssize(m_parts));
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        const model::SurfaceValue value = m_parts[i].process.surfaceAt(x);
        const auto column = static_cast<Eigen::Index>(i);
        values.col(column) = value.mean + value.deviation * m_draws.col(column).array();
    }
    double sum = 0.0;
    for (Eigen::Index sample = 0; sample < kGainSamples; ++sample)
        sum += std::max(0.0, overallOf(values.row(sample)) - best);
    return std::log(std::max(sum / static_cast<double>(kGainSamples), kLeastGain));
}

double ProcessGoals::logRepeatGain(const Eigen::VectorXd& x, double best) const
{
    std::vector<model::SurfaceValue> after;
    for (const Part& part : m_parts)
        after.push_back(afterRun(part.process, x));
    if (isOneValue()) {
        const double deviation = std::max(after.front().deviation, kLeastDeviation);
        const double away = m_parts.front().sign * after.front().mean - best;
        return std::log(deviation) + logUnitGain(-std::abs(away) / deviation);
    }
    const double here = worthAt(x);
    Eigen::ArrayXd values(std::ssize(m_parts));
    double sum = 0.0;
    for (Eigen::Index sample = 0; sample < kGainSamples; ++sample) {
        for (std::size_t i = 0; i < after.size(); ++i) {
            const auto column = static_cast<Eigen::Index>(i);
            values[column] = after[i].mean + after[i].deviation * m_draws(sample, column);
        }
        sum += std::max(overallOf(values), best);
    }
    return std::log(std::max(sum / static_cast<double>(kGainSamples) - std::max(here, best), kLeastGain));
}

double ProcessGoals::readableGain(double best, double gain) const
{
    if (!isOneValue())
        return gain;
    const Part& part = m_parts.front();
    const double from = part.process.toResponseUnit(part.sign * best);
    const double to = part.process.toResponseUnit(part.sign * (best + gain));
    return from != 0.0 ? std::abs((to - from) / from) : std::abs(to - from);
}

void ProcessGoals::addRun(const Eigen::VectorXd& x)
{
    for (Part& part : m_parts)
        part.process = part.process.withRun(x);
}

RunGain::RunGain(const ProcessGoals& goals, const std::vector<Eigen::VectorXd>& known)
    : m_goals(goals)
{
    for (const Eigen::VectorXd& x : known) {
        const double worth = m_goals.worthAt(x);
        if (worth > m_best) {
            m_best = worth;
            m_at = x;
        }
    }
    for (const Eigen::VectorXd& x : known) {
        if (x != m_at)
            m_second = std::max(m_second, m_goals.worthAt(x));
    }
}

double RunGain::logAt(const Eigen::VectorXd& x, bool isKnown) const
{
    return isKnown ? m_goals.logRepeatGain(x, x == m_at ? m_second : m_best)
                   : m_goals.logExpectedGain(x, m_best);
}

} // namespace quadric::optimize
