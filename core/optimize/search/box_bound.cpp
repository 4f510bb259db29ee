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

/// Σ |h_ab| r_a r_b over the pairs of different axes: the most that mixed terms can add.
double mixedPart(const Eigen::MatrixXd& curvature, const Eigen::VectorXd& radius)
{
    const double all = radius.dot(curvature.cwiseAbs() * radius);
    return 0.5 * (all - radius.cwiseAbs2().dot(curvature.diagonal().cwiseAbs()));
}

int numericDegree(const model::Column& column, const std::vector<study::Factor>& factors)
{
    int degree = 0;
    for (std::size_t i = 0; i < factors.size(); ++i)
        degree += factors[i].isNumeric() ? column.term.powers[i] : 0;
    return degree;
}

} // namespace

BoxBound::BoxBound(const SearchSpace& space, const std::vector<const model::Fit*>& fits, const Merit& merit)
    : m_space(space)
    , m_fits(fits)
    , m_merit(merit)
    , m_evaluator(fits)
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
    return std::all_of(fits.begin(), fits.end(), [](const model::Fit* fit) {
        return std::all_of(fit->columns.begin(), fit->columns.end(), [&](const model::Column& column) {
            return numericDegree(column, fit->factors) <= 2;
        });
    });
}

/// Quadratics are their values and slopes at the center and their slopes one unit away along every axis.
QuadraticForms BoxBound::formsAt(Eigen::VectorXd x)
{
    for (const Eigen::Index axis : m_axes)
        x[axis] = 0.0;
    const auto size = std::ssize(m_axes);
    QuadraticForms forms;
    Eigen::MatrixXd slopes, moved;
    m_evaluator.predictOnModelScale(x, forms.constant, slopes);
    forms.slopes = slopes(Eigen::all, m_axes).transpose();
    forms.curvature.assign(m_fits.size(), Eigen::MatrixXd(size, size));
    for (Eigen::Index a = 0; a < size; ++a) {
        const Eigen::Index axis = m_axes[static_cast<std::size_t>(a)];
        x[axis] = 1.0;
        m_evaluator.predictOnModelScale(x, m_z, moved);
        x[axis] = 0.0;
        for (std::size_t i = 0; i < m_fits.size(); ++i)
            forms.curvature[i].col(a) = (moved - slopes)(static_cast<Eigen::Index>(i), m_axes).transpose();
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
    m_slopes = m_forms->slopes;
    for (Eigen::Index i = 0; i < m_z.size(); ++i) {
        const Eigen::MatrixXd& curvature = m_forms->curvature[static_cast<std::size_t>(i)];
        m_slopes.col(i).noalias() += curvature * center;
        m_z[i] = m_forms->constant[i] + 0.5 * (m_forms->slopes.col(i) + m_slopes.col(i)).dot(center);
        double up = mixedPart(curvature, radius);
        double down = up;
        for (Eigen::Index a = 0; a < center.size(); ++a) {
            up += crest(m_slopes(a, i), curvature(a, a), radius[a]);
            down += crest(m_slopes(a, i), -curvature(a, a), radius[a]);
        }
        m_zLow[i] = m_z[i] - down;
        m_zHigh[i] = m_z[i] + up;
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
    double value = sum.constant + sum.slope.dot(m_z) + sum.sphere * (m_restOfSphere - center.squaredNorm());
    const Eigen::VectorXd slope = m_slopes * sum.slope - 2.0 * sum.sphere * center;
    Eigen::MatrixXd curvature = -2.0 * sum.sphere * Eigen::MatrixXd::Identity(size, size);
    for (Eigen::Index i = 0; i < sum.slope.size(); ++i)
        curvature += sum.slope[i] * m_forms->curvature[static_cast<std::size_t>(i)];
    for (Eigen::Index a = 0; a < size; ++a)
        value += crest(slope[a], curvature(a, a), radius[a]);
    return value + mixedPart(curvature, radius);
}

/// The axis along which the responses that count vary most, each for itself.
void BoxBound::setWidest(const WeightedSum& sum, const Eigen::VectorXd& radius)
{
    Eigen::VectorXd variation = Eigen::VectorXd::Constant(radius.size(), 1e-9);
    for (Eigen::Index i = 0; i < sum.slope.size(); ++i) {
        const double share = std::abs(sum.slope[i]) + (m_best ? std::abs(m_best->slope[i]) : 0.0);
        const Eigen::MatrixXd& curvature = m_forms->curvature[static_cast<std::size_t>(i)];
        if (share != 0.0)
            variation += share * (m_slopes.col(i).cwiseAbs() + curvature.cwiseAbs() * radius);
    }
    if (radius.size() > 0)
        variation.cwiseProduct(radius).maxCoeff(&m_widest);
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
