// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/merit/evaluator.h"

#include "core/algebra/products.h"
#include "core/model/fit/observations.h"
#include "core/model/fit/regression.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace quadric::optimize {

namespace {

/// Slack for rounding, relative to the limit: the runs themselves are inside.
constexpr double kSlack = 1e-9;

bool isSameModel(const model::Fit& a, const model::Fit& b)
{
    return a.terms == b.terms && a.unscaledCovariance.rows() == b.unscaledCovariance.rows() &&
           a.unscaledCovariance == b.unscaledCovariance && a.seenLevels == b.seenLevels;
}

bool isSeen(const model::Fit& fit, const Eigen::VectorXd& x)
{
    for (std::size_t i = 0; i < fit.seenLevels.size(); ++i) {
        if (!fit.seenLevels[i].empty() &&
            !fit.seenLevels[i][static_cast<std::size_t>(x[static_cast<Eigen::Index>(i)])])
            return false;
    }
    return true;
}

constexpr double kRatherThanNot = 0.5;

/// The response's own unit; infinite where the inverse of the transform has a pole or explodes.
double inverted(const model::Fit& fit, double z)
{
    if (!model::isInvertible(fit.transform, z))
        return std::numeric_limits<double>::infinity();
    const double y = model::toResponseUnit(fit, z);
    const bool isHeld = y < model::invertTransform(fit.transform, z);
    return isHeld ? std::numeric_limits<double>::infinity() : y;
}

/// Range of a quadratic (or of a polynomial of lower degree) over an interval.
model::Interval quadraticRange(double c0, double c1, double c2, double from, double to)
{
    const auto at = [&](double t) { return c0 + t * (c1 + t * c2); };
    auto [low, high] = std::minmax({at(from), at(to)});
    const double vertex = c2 != 0.0 ? -c1 / (2.0 * c2) : from;
    if (vertex > from && vertex < to) {
        low = std::min(low, at(vertex));
        high = std::max(high, at(vertex));
    }
    return {low, high};
}

/// Bounds of a polynomial over an interval, power by power.
model::Interval powerwiseRange(const Eigen::ArrayXXd& coefficients, Eigen::Index row, double from, double to)
{
    model::Interval sum{coefficients(row, 0), coefficients(row, 0)};
    for (Eigen::Index power = 1; power < coefficients.cols(); ++power) {
        const double atFrom = std::pow(from, static_cast<double>(power));
        const double atTo = std::pow(to, static_cast<double>(power));
        auto [low, high] = std::minmax({atFrom, atTo});
        if (power % 2 == 0 && from < 0.0 && to > 0.0)
            low = 0.0;
        const double c = coefficients(row, power);
        sum.low += c * (c > 0.0 ? low : high);
        sum.high += c * (c > 0.0 ? high : low);
    }
    return sum;
}

} // namespace

LeverageLimit::LeverageLimit(const std::vector<model::Fit>& fits, std::optional<double> largest)
{
    for (const model::Fit& fit : fits) {
        if (!fit.isOk() || fit.n == 0)
            continue;
        if (fit.predictor) {
            m_models.push_back({&fit, 0.0});
            continue;
        }
        const double own = std::min(fit.maxLeverage, 3.0 * fit.parameters / fit.n);
        const Model entry{&fit, largest.value_or(own)};
        const bool isKnown = std::any_of(m_models.begin(), m_models.end(), [&](const Model& other) {
            return !other.fit->predictor && other.limit == entry.limit && isSameModel(*other.fit, fit);
        });
        if (!isKnown)
            m_models.push_back(entry);
    }
}

double LeverageLimit::margin(const Eigen::VectorXd& x) const
{
    double smallest = 1.0;
    const study::CodedPoint point(x);
    for (const Model& entry : m_models) {
        const model::Fit& fit = *entry.fit;
        if (!isSeen(fit, x) || (fit.predictor && fit.predictor->isOutside(x)))
            return -1.0;
        if (fit.predictor)
            continue;
        const Eigen::VectorXd row = model::rowAt(fit.columns, point, fit.factors);
        const double leverage = row.dot(fit.unscaledCovariance * row);
        smallest = std::min(smallest, 1.0 + kSlack - leverage / entry.limit);
    }
    return smallest;
}

FeasibilityLimit::FeasibilityLimit(std::shared_ptr<const model::Feasibility> feasibility, double least)
    : m_feasibility(std::move(feasibility))
    , m_least(least)
{
}

double FeasibilityLimit::margin(const Eigen::VectorXd& x) const
{
    if (!m_feasibility->failedRunsAt(x).empty())
        return -1.0;
    if (m_least <= 0.0)
        return 1.0;
    double margin = 0.0;
    if (m_least > kRatherThanNot) {
        const model::RunProbability chance = m_feasibility->at(x);
        keep(x, chance.probability);
        margin = chance.low - m_least;
    } else {
        margin = probabilityAt(x) - m_least;
    }
    return m_feasibility->isKnownToRun(x) ? std::max(margin, 0.0) : margin;
}

double FeasibilityLimit::probabilityAt(const Eigen::VectorXd& x) const
{
    if (!isActive())
        return 1.0;
    const bool isLatest = m_latest.size() == x.size() && m_latest == x;
    return isLatest ? m_latestProbability : keep(x, m_feasibility->probabilityAt(x));
}

double FeasibilityLimit::keep(const Eigen::VectorXd& x, double probability) const
{
    m_latest = x;
    return m_latestProbability = probability;
}

bool hasPredictor(const std::vector<const model::Fit*>& fits)
{
    return std::ranges::any_of(fits, [](const model::Fit* fit) { return fit->predictor != nullptr; });
}

void invertTransforms(const std::vector<const model::Fit*>& fits, Eigen::ArrayXd& values)
{
    for (std::size_t i = 0; i < fits.size(); ++i) {
        if (fits[i]->transform.kind != study::TransformKind::None) {
            double& value = values[static_cast<Eigen::Index>(i)];
            value = inverted(*fits[i], value);
        }
    }
}

void invertBounds(const std::vector<const model::Fit*>& fits, Eigen::ArrayXd& low, Eigen::ArrayXd& high)
{
    invertTransforms(fits, low);
    invertTransforms(fits, high);
    for (Eigen::Index row = 0; row < low.size(); ++row) {
        if (low[row] > high[row]) // the inverse falls
            std::swap(low[row], high[row]);
    }
}

void Line::predict(double t, Eigen::ArrayXd& y) const
{
    Eigen::Index power = coefficients.cols() - 1;
    y = coefficients.col(power);
    while (--power >= 0)
        y = y * t + coefficients.col(power);
    for (std::size_t row = 0; row < fits->size(); ++row) {
        if (const model::Predictor* predictor = (*fits)[row]->predictor.get())
            y[static_cast<Eigen::Index>(row)] = predictorAt(*predictor, t);
    }
    invertTransforms(*fits, y);
}

double Line::predictorAt(const model::Predictor& predictor, double t) const
{
    Eigen::VectorXd x = at;
    x[factor] = t;
    return predictor.meanAt(x);
}

/// The range over some places, wider by the largest difference of neighbors.
model::Interval Line::predictorRange(const model::Predictor& predictor, double from, double to) const
{
    constexpr int kSteps = 4;
    double last = predictorAt(predictor, from);
    model::Interval range{last, last};
    double largest = 0.0;
    for (int step = 1; step <= kSteps && from < to; ++step) {
        const double z = predictorAt(predictor, from + (to - from) * step / kSteps);
        largest = std::max(largest, std::abs(z - last));
        range = {std::min(range.low, z), std::max(range.high, z)};
        last = z;
    }
    return {range.low - largest, range.high + largest};
}

void Line::bounds(double from, double to, Eigen::ArrayXd& low, Eigen::ArrayXd& high) const
{
    low.resize(coefficients.rows());
    high.resize(coefficients.rows());
    for (Eigen::Index row = 0; row < coefficients.rows(); ++row) {
        const auto c = [&](Eigen::Index power) {
            return power < coefficients.cols() ? coefficients(row, power) : 0.0;
        };
        const model::Predictor* predictor = (*fits)[static_cast<std::size_t>(row)]->predictor.get();
        const model::Interval range = predictor != nullptr ? predictorRange(*predictor, from, to)
                                      : coefficients.cols() <= 3
                                          ? quadraticRange(c(0), c(1), c(2), from, to)
                                          : powerwiseRange(coefficients, row, from, to);
        low[row] = range.low;
        high[row] = range.high;
    }
    invertBounds(*fits, low, high);
}

Evaluator::Evaluator(const std::vector<const model::Fit*>& fits)
    : m_fits(fits)
{
    m_steps.push_back({});
    std::vector<std::vector<std::pair<std::size_t, double>>> terms(fits.size());
    for (std::size_t i = 0; i < fits.size(); ++i) {
        m_factors = static_cast<Eigen::Index>(fits[i]->factors.size());
        for (std::size_t j = 0; j < fits[i]->columns.size(); ++j)
            terms[i].emplace_back(monomialOf(fits[i]->columns[j], fits[i]->factors),
                                  fits[i]->beta[static_cast<Eigen::Index>(j)]);
    }
    const auto monomials = static_cast<Eigen::Index>(m_steps.size());
    m_beta = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(fits.size()), monomials);
    for (std::size_t i = 0; i < terms.size(); ++i)
        for (const auto& [monomial, coefficient] : terms[i])
            m_beta(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(monomial)) += coefficient;
    setPowers();
    m_slotValues.resize(m_slots.size());
    m_values.resize(monomials);
    m_derivatives.resize(monomials, m_factors);
}

std::size_t Evaluator::slotOf(const Slot& slot)
{
    const auto found = std::find(m_slots.begin(), m_slots.end(), slot);
    if (found != m_slots.end())
        return static_cast<std::size_t>(found - m_slots.begin());
    m_slots.push_back(slot);
    return m_slots.size() - 1;
}

std::size_t Evaluator::stepOf(const Step& step)
{
    const auto found = std::find(m_steps.begin() + 1, m_steps.end(), step);
    if (found != m_steps.end())
        return static_cast<std::size_t>(found - m_steps.begin());
    m_steps.push_back(step);
    return m_steps.size() - 1;
}

std::size_t Evaluator::monomialOf(const model::Column& column, const std::vector<study::Factor>& factors)
{
    std::size_t monomial = 0;
    for (std::size_t i = 0; i < factors.size(); ++i) {
        const int power = column.term.powers[i];
        m_degree = factors[i].isNumeric() ? std::max<Eigen::Index>(m_degree, power) : m_degree;
        for (int repeat = 0; repeat < power; ++repeat) {
            const int last = static_cast<int>(factors[i].categories.size()) - 1;
            const std::size_t slot = slotOf({i, column.contrast[i], last});
            monomial = stepOf({monomial, slot});
        }
    }
    return monomial;
}

void Evaluator::setPowers()
{
    m_powers.setZero(static_cast<Eigen::Index>(m_steps.size()), m_factors);
    for (std::size_t i = 1; i < m_steps.size(); ++i) {
        const auto row = static_cast<Eigen::Index>(i);
        m_powers.row(row) = m_powers.row(static_cast<Eigen::Index>(m_steps[i].parent));
        ++m_powers(row, static_cast<Eigen::Index>(m_slots[m_steps[i].slot].factor));
    }
}

void Evaluator::setSlots(const Eigen::VectorXd& x)
{
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        const Slot& slot = m_slots[i];
        const double value = x[static_cast<Eigen::Index>(slot.factor)];
        if (slot.contrast < 0) {
            m_slotValues[i] = value;
            continue;
        }
        const int level = static_cast<int>(value); // whole numbers
        m_slotValues[i] = level == slot.contrast ? 1.0 : level == slot.lastLevel ? -1.0 : 0.0;
    }
}

void Evaluator::setMonomials()
{
    m_values[0] = 1.0;
    for (std::size_t i = 1; i < m_steps.size(); ++i)
        m_values[static_cast<Eigen::Index>(i)] =
            m_values[static_cast<Eigen::Index>(m_steps[i].parent)] * m_slotValues[m_steps[i].slot];
}

void Evaluator::setPredictors(const Eigen::VectorXd& x)
{
    for (std::size_t i = 0; i < m_fits.size(); ++i) {
        if (m_fits[i]->predictor)
            m_z[static_cast<Eigen::Index>(i)] = m_fits[i]->predictor->meanAt(x);
    }
}

void Evaluator::predict(const Eigen::VectorXd& x, Eigen::ArrayXd& y)
{
    setSlots(x);
    setMonomials();
    m_z.noalias() = m_beta * m_values;
    setPredictors(x);
    y = m_z.array();
    invertTransforms(m_fits, y);
}

void Evaluator::predict(const Eigen::VectorXd& x, Eigen::ArrayXd& y, Eigen::MatrixXd& slopes)
{
    predict(x, y);
    m_derivatives.row(0).setZero();
    for (std::size_t i = 1; i < m_steps.size(); ++i) {
        const Step& step = m_steps[i];
        const auto row = static_cast<Eigen::Index>(i);
        const auto parent = static_cast<Eigen::Index>(step.parent);
        m_derivatives.row(row) = m_derivatives.row(parent) * m_slotValues[step.slot];
        if (m_slots[step.slot].contrast < 0)
            m_derivatives(row, static_cast<Eigen::Index>(m_slots[step.slot].factor)) += m_values[parent];
    }
    algebra::times(m_beta, m_derivatives, slopes);
    for (std::size_t i = 0; i < m_fits.size(); ++i) {
        const auto row = static_cast<Eigen::Index>(i);
        if (m_fits[i]->predictor)
            slopes.row(row) = model::gradientOnModelScale(*m_fits[i], study::CodedPoint(x)).transpose();
        if (m_fits[i]->transform.kind != study::TransformKind::None)
            slopes.row(row) *= model::inverseSlope(m_fits[i]->transform, m_z[row]);
    }
}

void Evaluator::along(const Eigen::VectorXd& x, Eigen::Index factor, Line& line)
{
    setSlots(x);
    line.fits = &m_fits;
    line.at = x;
    line.factor = factor;
    line.coefficients.setZero(responses(), m_degree + 1);
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        if (m_slots[i].factor == static_cast<std::size_t>(factor))
            m_slotValues[i] = 1.0;
    }
    setMonomials();
    for (std::size_t i = 0; i < m_steps.size(); ++i) {
        const auto column = static_cast<Eigen::Index>(i);
        line.coefficients.col(m_powers(column, factor)) += (m_beta.col(column) * m_values[column]).array();
    }
}

} // namespace quadric::optimize
