// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/search/box_bound.h"

#include "core/optimize/merit/evaluator.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace quadric::optimize {

namespace {

/// Share of the squared radius within which a point lies on the sphere.
constexpr double kOnSphere = 1e-6;

/// Largest value of g d + h d²/2 for |d| ≤ r.
double crest(double g, double h, double r)
{
    const double steep = std::abs(g);
    if (h < 0.0 && steep < -h * r)
        return steep * steep / (-2.0 * h);
    return steep * r + 0.5 * h * r * r;
}

/// Contrast of a categorical factor (sum to zero) at a level.
double contrastAt(const study::Factor& factor, int contrast, double level)
{
    const auto at = static_cast<int>(level);
    return at == contrast ? 1.0 : at + 1 == static_cast<int>(factor.categories.size()) ? -1.0 : 0.0;
}

int numericDegree(const model::Column& column, const std::vector<study::Factor>& factors)
{
    int degree = 0;
    for (std::size_t i = 0; i < factors.size(); ++i)
        degree += factors[i].isNumeric() ? column.term.powers[i] : 0;
    return degree;
}

/// Adds a column of the model to the form; `positions`: where a factor stands among the form's variables, −1
/// where it is held at its value in x.
void addColumn(const model::Fit& fit, std::size_t index, const Eigen::VectorXd& x,
               const std::vector<Eigen::Index>& positions, QuadraticForm& form)
{
    const model::Column& column = fit.columns[index];
    double value = fit.beta[static_cast<Eigen::Index>(index)];
    std::vector<Eigen::Index> variables;
    for (std::size_t i = 0; i < fit.factors.size(); ++i)
        for (int power = 0; power < column.term.powers[i]; ++power) {
            if (!fit.factors[i].isNumeric())
                value *= contrastAt(fit.factors[i], column.contrast[i], x[static_cast<Eigen::Index>(i)]);
            else if (positions[i] < 0)
                value *= x[static_cast<Eigen::Index>(i)];
            else
                variables.push_back(positions[i]);
        }
    if (variables.empty())
        form.constant += value;
    else if (variables.size() == 1)
        form.slope[variables[0]] += value;
    else {
        form.curvature(variables[0], variables[1]) += value;
        form.curvature(variables[1], variables[0]) += value;
    }
}

} // namespace

BoxBound::BoxBound(const SearchSpace& space, const std::vector<const model::Fit*>& fits, const Merit& merit)
    : m_space(space)
    , m_fits(fits)
    , m_merit(merit)
    , m_isSphere(space.region().kind == RegionKind::Sphere)
{
    for (Eigen::Index i = 0; i < space.size(); ++i) {
        if (space.axis(i).isMovable() && space.axis(i).isNumeric())
            m_axes.push_back(i);
    }
    const auto responses = static_cast<Eigen::Index>(fits.size());
    m_z.resize(responses);
    m_zLow.resize(responses);
    m_zHigh.resize(responses);
    m_slopes.resize(std::ssize(m_axes), responses);
    const Eigen::VectorXd center = space.center();
    m_restOfSphere = space.region().radius * space.region().radius;
    for (Eigen::Index i = 0; i < space.size(); ++i) {
        if (space.isNumeric(i) && !space.axis(i).isMovable())
            m_restOfSphere -= center[i] * center[i];
    }
    setCategories(center);
}

bool BoxBound::isPossible(const std::vector<const model::Fit*>& fits)
{
    return !hasPredictor(fits) && std::all_of(fits.begin(), fits.end(), [](const model::Fit* fit) {
        return std::all_of(fit->columns.begin(), fit->columns.end(), [&](const model::Column& column) {
            return numericDegree(column, fit->factors) <= 2;
        });
    });
}

std::vector<QuadraticForm> BoxBound::formsAt(const Eigen::VectorXd& x) const
{
    std::vector<Eigen::Index> positions(static_cast<std::size_t>(m_space.size()), -1);
    for (std::size_t i = 0; i < m_axes.size(); ++i)
        positions[static_cast<std::size_t>(m_axes[i])] = static_cast<Eigen::Index>(i);
    const auto size = static_cast<Eigen::Index>(m_axes.size());
    std::vector<QuadraticForm> forms;
    for (const model::Fit* fit : m_fits) {
        QuadraticForm form{0.0, Eigen::VectorXd::Zero(size), Eigen::MatrixXd::Zero(size, size)};
        for (std::size_t j = 0; j < fit->columns.size(); ++j)
            addColumn(*fit, j, x, positions, form);
        forms.push_back(std::move(form));
    }
    return forms;
}

void BoxBound::setCategories(const Eigen::VectorXd& x)
{
    std::size_t combination = 0;
    for (Eigen::Index i = 0; i < m_space.size(); ++i) {
        if (m_space.axis(i).kind == Axis::Kind::Category)
            combination = combination * m_space.axis(i).count() + static_cast<std::size_t>(x[i]);
    }
    auto known = m_formsOf.find(combination);
    if (known == m_formsOf.end())
        known = m_formsOf.emplace(combination, formsAt(x)).first;
    m_forms = &known->second;
}

/// Values, slopes and bounds of all responses over the box.
void BoxBound::expand(const Eigen::VectorXd& center, const Eigen::VectorXd& radius)
{
    const Eigen::Index size = center.size();
    for (std::size_t i = 0; i < m_forms->size(); ++i) {
        const QuadraticForm& form = (*m_forms)[i];
        double value = form.constant;
        double up = 0.0;
        double down = 0.0;
        double cross = 0.0;
        for (Eigen::Index a = 0; a < size; ++a) {
            double slope = form.slope[a];
            double mixed = 0.0;
            for (Eigen::Index b = 0; b < size; ++b) {
                slope += form.curvature(b, a) * center[b];
                mixed += b > a ? std::abs(form.curvature(b, a)) * radius[b] : 0.0;
            }
            value += 0.5 * (form.slope[a] + slope) * center[a];
            cross += mixed * radius[a];
            up += crest(slope, form.curvature(a, a), radius[a]);
            down += crest(slope, -form.curvature(a, a), radius[a]);
            m_slopes(a, static_cast<Eigen::Index>(i)) = slope;
        }
        const auto row = static_cast<Eigen::Index>(i);
        m_z[row] = value;
        m_zLow[row] = value - down - cross;
        m_zHigh[row] = value + up + cross;
    }
}

/// Each response at the best that it can reach in the box.
double BoxBound::separate()
{
    m_low = m_zLow.array();
    m_high = m_zHigh.array();
    invertBounds(m_fits, m_low, m_high);
    return m_merit.bound(m_low, m_high);
}

double BoxBound::meritInTheMiddle()
{
    m_y = m_z.array();
    invertTransforms(m_fits, m_y);
    return m_merit(m_y);
}

double BoxBound::asMerit(double value) const
{
    return m_merit.mode() == MeritMode::Product ? std::exp(std::min(value, 0.0)) : value;
}

/// Lines over the pieces that count in the middle of the box.
WeightedSum BoxBound::sumInTheMiddle() const
{
    WeightedSum sum{0.0, Eigen::VectorXd::Zero(m_z.size()), 0.0};
    const std::vector<Piece>& pieces = m_merit.pieces();
    const bool isProduct = m_merit.mode() == MeritMode::Product;
    double worst = std::numeric_limits<double>::max();
    for (std::size_t i = 0; i < pieces.size();) {
        const Eigen::Index response = pieces[i].response;
        Overestimate chosen{0.0, 0.0};
        double least = isProduct ? 0.0 : std::numeric_limits<double>::max();
        const double share = isProduct ? pieces[i].weight / m_merit.totalWeight() : 1.0;
        for (; i < pieces.size() && pieces[i].response == response; ++i) {
            const Overestimate line =
                overestimate(pieces[i], *m_fits[static_cast<std::size_t>(response)], m_merit.mode(),
                             m_z[response], m_zLow[response], m_zHigh[response]);
            if (line.at(m_z[response]) < least) {
                least = line.at(m_z[response]);
                chosen = line;
            }
        }
        if (isProduct) {
            sum.constant += share * chosen.constant;
            sum.slope[response] = share * chosen.slope;
        } else if (least < worst) {
            worst = least;
            sum.constant = chosen.constant;
            sum.slope.setZero();
            sum.slope[response] = chosen.slope;
        }
    }
    return sum;
}

/// Largest value of the sum over the box, its mixed terms each at their own best.
double BoxBound::largest(const WeightedSum& sum, const Eigen::VectorXd& center, const Eigen::VectorXd& radius)
{
    const Eigen::Index size = center.size();
    double value = sum.constant + sum.slope.dot(m_z);
    m_sumSlope.noalias() = m_slopes * sum.slope;
    m_sumCurvature.setZero(size, size);
    for (std::size_t i = 0; i < m_forms->size(); ++i) {
        const double slope = sum.slope[static_cast<Eigen::Index>(i)];
        if (slope != 0.0)
            m_sumCurvature += slope * (*m_forms)[i].curvature;
    }
    if (sum.sphere > 0.0) {
        value += sum.sphere * (m_restOfSphere - center.squaredNorm());
        m_sumSlope -= 2.0 * sum.sphere * center;
        m_sumCurvature.diagonal().array() -= 2.0 * sum.sphere;
    }
    for (Eigen::Index a = 0; a < size; ++a) {
        value += crest(m_sumSlope[a], m_sumCurvature(a, a), radius[a]);
        for (Eigen::Index b = a + 1; b < size; ++b)
            value += std::abs(m_sumCurvature(b, a)) * radius[a] * radius[b];
    }
    return value;
}

/// The axis along which the responses that count vary most, each for itself.
void BoxBound::setWidest(const WeightedSum& sum, const Eigen::VectorXd& radius)
{
    double most = -1.0;
    for (Eigen::Index a = 0; a < radius.size(); ++a) {
        double variation = 0.0;
        for (std::size_t i = 0; i < m_forms->size(); ++i) {
            const auto row = static_cast<Eigen::Index>(i);
            const double share = std::abs(sum.slope[row]) + (m_best ? std::abs(m_best->slope[row]) : 0.0);
            if (share == 0.0)
                continue;
            double curve = 0.0;
            for (Eigen::Index b = 0; b < radius.size(); ++b)
                curve += std::abs((*m_forms)[i].curvature(b, a)) * radius[b];
            variation += share * (std::abs(m_slopes(a, row)) + curve);
        }
        variation = variation * radius[a] + 1e-9 * radius[a];
        if (variation > most) {
            most = variation;
            m_widest = a;
        }
    }
}

double BoxBound::operator()(const Eigen::VectorXd& center, const Eigen::VectorXd& radius, double enough)
{
    if (m_isSphere) {
        const double nearest = (center.cwiseAbs() - radius).cwiseMax(0.0).squaredNorm();
        if (nearest > m_restOfSphere + kSphereSlack * m_space.region().radius * m_space.region().radius)
            return kNothing;
    }
    expand(center, radius);
    const double alone = separate();
    if (alone <= enough)
        return alone;
    const WeightedSum sum = sumInTheMiddle();
    setWidest(sum, radius);
    if (m_merit.mode() == MeritMode::Product && alone <= 0.0)
        return alone;
    double bound = std::min(alone, asMerit(largest(sum, center, radius)));
    if (m_best && bound > enough)
        bound = std::min(bound, asMerit(largest(*m_best, center, radius)));
    return bound;
}

void BoxBound::setReferencePoint(const Eigen::VectorXd& x)
{
    setCategories(x);
    const auto size = static_cast<Eigen::Index>(m_axes.size());
    Surroundings at;
    at.x.resize(size);
    at.low.resize(size);
    at.high.resize(size);
    for (Eigen::Index i = 0; i < size; ++i) {
        const Eigen::Index axis = m_axes[static_cast<std::size_t>(i)];
        at.x[i] = x[axis];
        at.low[i] = m_space.axis(axis).low;
        at.high[i] = m_space.axis(axis).high;
        at.isContinuous.push_back(m_space.axis(axis).kind == Axis::Kind::Continuous);
    }
    expand(at.x, Eigen::VectorXd::Zero(size));
    at.z = m_z;
    at.slopes = m_slopes;
    at.isOnSphere = m_isSphere && at.x.squaredNorm() > m_restOfSphere * (1.0 - kOnSphere);
    m_best = touchingSum(m_merit, m_fits, at);
}

} // namespace quadric::optimize
