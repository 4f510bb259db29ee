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

/// Slack for rounding, relative to a limit: the runs themselves are inside, and what is inside of a model's
/// own limit, which has twice as much, is not marked as an extrapolation.
constexpr double kSlack = 5e-10;

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
    const bool isHeld = fit.transform.kind != study::TransformKind::None &&
                        y >= model::largestPrediction(fit) && y < model::invertTransform(fit.transform, z);
    return isHeld ? std::numeric_limits<double>::infinity() : y;
}

} // namespace

LeverageLimit::LeverageLimit(const std::vector<model::Fit>& fits)
{
    for (const model::Fit& fit : fits) {
        if (!fit.isOk() || fit.n == 0)
            continue;
        const bool isKnown =
            std::ranges::any_of(m_models, [&](const Model& other) { return isSameModel(*other.fit, fit); });
        if (!isKnown)
            m_models.push_back({&fit, model::leverageLimit(fit) * (1.0 - kSlack)});
    }
}

double LeverageLimit::margin(const Eigen::VectorXd& x) const
{
    double smallest = 1.0;
    const study::CodedPoint point(x);
    for (const Model& entry : m_models) {
        const model::Fit& fit = *entry.fit;
        if (!isSeen(fit, x))
            return -1.0;
        const Eigen::VectorXd row = model::rowAt(fit.columns, point, fit.factors);
        const double leverage = row.dot(fit.unscaledCovariance * row);
        smallest = std::min(smallest, 1.0 - leverage / entry.limit);
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
    const model::RunProbability chance = m_feasibility->at(x);
    const double margin = (m_least > kRatherThanNot ? chance.low : chance.probability) - m_least;
    return margin < 0.0 && m_feasibility->isKnownToRun(x) ? 0.0 : margin;
}

void invertTransforms(const std::vector<const model::Fit*>& fits, Eigen::ArrayXd& values)
{
    for (std::size_t i = 0; i < fits.size(); ++i) {
        if (fits[i]->transform.kind != study::TransformKind::None || fits[i]->bounds) {
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
        for (int repeat = 0; repeat < power; ++repeat) {
            const int last = static_cast<int>(factors[i].categories.size()) - 1;
            const std::size_t slot = slotOf({i, column.contrast[i], last});
            monomial = stepOf({monomial, slot});
        }
    }
    return monomial;
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

void Evaluator::setResponses(const Eigen::VectorXd& x)
{
    setSlots(x);
    setMonomials();
    m_z.noalias() = m_beta * m_values;
}

void Evaluator::predict(const Eigen::VectorXd& x, Eigen::ArrayXd& y)
{
    setResponses(x);
    y = m_z.array();
    invertTransforms(m_fits, y);
}

void Evaluator::predictOnModelScale(const Eigen::VectorXd& x, Eigen::VectorXd& z, Eigen::MatrixXd& slopes)
{
    setResponses(x);
    z = m_z;
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
}

void Evaluator::predict(const Eigen::VectorXd& x, Eigen::ArrayXd& y, Eigen::MatrixXd& slopes)
{
    predictOnModelScale(x, m_z, slopes);
    y = m_z.array();
    invertTransforms(m_fits, y);
    for (std::size_t i = 0; i < m_fits.size(); ++i) {
        const auto row = static_cast<Eigen::Index>(i);
        if (m_fits[i]->transform.kind != study::TransformKind::None)
            slopes.row(row) *= model::inverseSlope(m_fits[i]->transform, m_z[row]);
    }
}

} // namespace quadric::optimize
