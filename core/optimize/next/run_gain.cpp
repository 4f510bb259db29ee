// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/next/run_gain.h"

#include "core/model/base/distributions.h"
#include "core/model/predict/canonical.h"
#include "core/optimize/merit/error_propagation.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <stdexcept>
#include <string>

namespace quadric::optimize {

namespace {

/// Mean of what values have beyond an edge.
double meanBeyond(const Eigen::ArrayXd& values, double edge)
{
    return (values - edge).max(0.0).mean();
}

constexpr Eigen::Index kGainSamples = 256;
constexpr double kBeyond = 0.5; ///< observed ranges that an end which nobody has set is moved on by
constexpr double kBelow = 0.1;  ///< of the range, below the bad end that nobody has set
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

/// Straight between its ends. The bad end that nobody has set is moved on, so that what is best in all else
/// and worst in this counts too.
Desirability qualityScale(Desirability desirability)
{
    desirability.shapeBelow = desirability.shapeAbove = 1.0;
    const double room = kBelow * (desirability.high - desirability.low);
    if (desirability.goal == study::Goal::Maximize && desirability.lowIsDefault)
        desirability.low -= room;
    if (desirability.goal == study::Goal::Minimize && desirability.highIsDefault)
        desirability.high += room;
    return desirability;
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

DominatedRegion::DominatedRegion(const std::vector<Eigen::ArrayXd>& points, Eigen::Index qualities)
{
    if (qualities < 1 || qualities > kMostQualities)
        throw std::invalid_argument("a trade-off is known between 1 and " + std::to_string(kMostQualities) +
                                    " qualities, not " + std::to_string(qualities));
    const std::vector<Eigen::ArrayXd> best = keepNondominated(points, std::identity());
    for (Eigen::Index j = 0; j < qualities; ++j) {
        std::vector<double> edges{0.0};
        for (const Eigen::ArrayXd& point : best)
            edges.push_back(point[j]);
        std::ranges::sort(edges);
        edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
        m_edges.push_back(std::move(edges));
    }
    addColumns(best);
}

void DominatedRegion::addColumns(const std::vector<Eigen::ArrayXd>& points)
{
    const std::size_t last = m_edges.size() - 1;
    Column column(m_edges.size(), 0);
    do {
        double height = 0.0;
        for (const Eigen::ArrayXd& point : points) {
            bool isBelow = true;
            for (std::size_t j = 0; j < last && isBelow; ++j)
                isBelow = point[static_cast<Eigen::Index>(j)] > m_edges[j][column[j]];
            if (isBelow)
                height = std::max(height, point[static_cast<Eigen::Index>(last)]);
        }
        column[last] =
            static_cast<std::size_t>(std::ranges::lower_bound(m_edges[last], height) - m_edges[last].begin());
        m_volume += volumeBelow(column);
        m_columns.push_back(column);
    } while (advance(column));
}

bool DominatedRegion::advance(Column& column) const
{
    for (std::size_t j = 0; j + 1 < column.size(); ++j) {
        if (++column[j] < m_edges[j].size())
            return true;
        column[j] = 0;
    }
    return false;
}

double DominatedRegion::volumeBelow(const Column& column) const
{
    double volume = m_edges.back()[column.back()];
    for (std::size_t j = 0; j + 1 < column.size() && volume > 0.0; ++j)
        volume *= m_edges[j][column[j] + 1] - m_edges[j][column[j]];
    return volume;
}

double DominatedRegion::expectedGain(const Eigen::ArrayXXd& draws) const
{
    std::vector<std::vector<double>> sides; // mean length between an edge and the next one
    for (std::size_t j = 0; j < m_edges.size(); ++j) {
        std::vector<double>& side = sides.emplace_back();
        for (const double edge : m_edges[j])
            side.push_back(meanBeyond(draws.col(static_cast<Eigen::Index>(j)), edge));
        for (std::size_t k = 0; k + 1 < side.size() && j + 1 < m_edges.size(); ++k)
            side[k] -= side[k + 1];
    }
    double gain = 0.0;
    for (const Column& column : m_columns) {
        double part = sides.back()[column.back()];
        for (std::size_t j = 0; j + 1 < column.size() && part > 0.0; ++j)
            part *= sides[j][column[j]];
        gain += part;
    }
    return gain;
}

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
        const Desirability desirability = openDesirability(response, *found);
        m_parts.push_back({*found, desirability, qualityScale(desirability), 0.0});
    }
    if (m_parts.size() == 1) {
        const Desirability& only = m_parts.front().desirability;
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
    double logarithms = 0.0;
    double weights = 0.0;
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        const Part& part = m_parts[i];
        const double y = part.process.toResponseUnit(values(static_cast<Eigen::Index>(i)));
        const double value = valueOf(part.desirability, y);
        if (value <= 0.0)
            return 0.0;
        logarithms += part.desirability.weight * std::log(value);
        weights += part.desirability.weight;
    }
    return std::exp(logarithms / weights);
}

double ProcessGoals::worthOf(const Eigen::ArrayXd& values) const
{
    return isOneValue() ? m_parts.front().sign * values[0] : overallOf(values);
}

double ProcessGoals::worthAt(const Eigen::VectorXd& x) const
{
    Eigen::ArrayXd values(std::ssize(m_parts));
    for (std::size_t i = 0; i < m_parts.size(); ++i)
        values[static_cast<Eigen::Index>(i)] = m_parts[i].process.meanAt(x);
    return worthOf(values);
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

double ProcessGoals::qualityOf(const Part& part, double value)
{
    return valueOf(part.quality, part.process.toResponseUnit(value));
}

Eigen::ArrayXd ProcessGoals::qualitiesAt(const Eigen::VectorXd& x) const
{
    Eigen::ArrayXd qualities(std::ssize(m_parts));
    for (std::size_t i = 0; i < m_parts.size(); ++i)
        qualities[static_cast<Eigen::Index>(i)] = qualityOf(m_parts[i], m_parts[i].process.meanAt(x));
    return qualities;
}

Eigen::ArrayXXd ProcessGoals::drawQualities(const Eigen::VectorXd& x, bool isKnown) const
{
    Eigen::ArrayXXd qualities(kGainSamples, std::ssize(m_parts));
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        const Part& part = m_parts[i];
        const auto column = static_cast<Eigen::Index>(i);
        const model::SurfaceValue there = isKnown ? afterRun(part.process, x) : part.process.surfaceAt(x);
        for (Eigen::Index sample = 0; sample < kGainSamples; ++sample)
            qualities(sample, column) =
                qualityOf(part, there.mean + there.deviation * m_draws(sample, column));
    }
    return qualities;
}

void ProcessGoals::addRun(const Eigen::VectorXd& x)
{
    for (Part& part : m_parts)
        part.process = part.process.withRun(x);
}

namespace {

constexpr double kLeastGrowth = 1e-300;
constexpr std::size_t kManySettings = 64;
constexpr double kSteps = 64.0;

/// Of four responses many settings cut the space into more parts than are added up in time: then qualities
/// count in steps.
std::vector<Eigen::ArrayXd> qualitiesOf(const ProcessGoals& goals, const std::vector<Eigen::VectorXd>& known)
{
    std::vector<Eigen::ArrayXd> qualities;
    qualities.reserve(known.size());
    const bool isInSteps = goals.count() >= DominatedRegion::kMostQualities && known.size() > kManySettings;
    for (const Eigen::VectorXd& x : known) {
        const Eigen::ArrayXd there = goals.qualitiesAt(x);
        qualities.push_back(isInSteps ? Eigen::ArrayXd((kSteps * there).floor() / kSteps) : there);
    }
    return qualities;
}

} // namespace

CompromiseGain::CompromiseGain(const ProcessGoals& goals, const std::vector<Eigen::VectorXd>& known)
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

double CompromiseGain::logAt(const Eigen::VectorXd& x, bool isKnown) const
{
    return isKnown ? m_goals.logRepeatGain(x, x == m_at ? m_second : m_best)
                   : m_goals.logExpectedGain(x, m_best);
}

double CompromiseGain::readable(double gain) const
{
    return m_goals.readableGain(m_best, gain);
}

FrontGain::FrontGain(const ProcessGoals& goals, const std::vector<Eigen::VectorXd>& known)
    : m_goals(goals)
    , m_region(qualitiesOf(goals, known), static_cast<Eigen::Index>(goals.count()))
{
}

double FrontGain::logAt(const Eigen::VectorXd& x, bool isKnown) const
{
    return std::log(std::max(m_region.expectedGain(m_goals.drawQualities(x, isKnown)), kLeastGrowth));
}

double FrontGain::readable(double gain) const
{
    return m_region.volume() > 0.0 ? gain / m_region.volume() : gain;
}

} // namespace quadric::optimize
