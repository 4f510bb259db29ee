// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/search/local_search.h"

#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

namespace quadric::optimize {

namespace {

constexpr int kMostEvaluations = 200;
constexpr double kRelativeStep = 1e-9;  ///< stop when variables move less
constexpr double kRelativeGain = 1e-13; ///< stop when the objective gains less
constexpr double kConstraintTolerance = 1e-10;
constexpr double kLegalMargin = 1e-9; ///< distance kept from the study's constraints
constexpr double kMarginStep = 1e-6;  ///< coded step of the difference quotient of a margin

/// Below this quality the logarithm goes on as its tangent, so that it exists everywhere.
constexpr double kSmallQuality = 1e-4;

double extendedLog(double u)
{
    return u > kSmallQuality ? std::log(u) : std::log(kSmallQuality) + (u - kSmallQuality) / kSmallQuality;
}

double extendedLogSlope(double u)
{
    return 1.0 / std::max(u, kSmallQuality);
}

/// The smooth problem. Variables: the coded values of `axes`, then one bound for each response (product of
/// desirabilities: its weighted logarithm is at most 0) or one for all (smallest quality).
class Program {
public:
    Program(const SearchSpace& space, Evaluator& evaluator, const Merit& merit,
            const std::vector<Eigen::Index>& axes, const Eigen::VectorXd& start, bool isProduct)
        : m_space(space)
        , m_evaluator(evaluator)
        , m_merit(merit)
        , m_axes(axes)
        , m_x(start)
        , m_isProduct(isProduct)
    {
        assignBounds();
    }

    Eigen::VectorXd solve();

private:
    std::size_t variables() const { return m_axes.size() + m_bounds; }
    std::size_t inequalities() const
    {
        return m_merit.pieces().size() + (isSphere() ? 1 : 0) + (m_space.hasConstraints() ? 1 : 0);
    }
    bool isSphere() const { return m_space.region().kind == RegionKind::Sphere; }

    void assignBounds();
    std::vector<double> start();
    void setLimits(nlopt_opt solver) const;
    void place(const double* variables);
    double objective(double* gradient) const;
    void constrain(double* values, double* gradient, const double* variables);
    void constrainQuality(std::size_t piece, double bound, double& value, double* gradient) const;
    void constrainSphere(double& value, double* gradient) const;
    void constrainMargin(double& value, double* gradient);

    static double callObjective(unsigned, const double* variables, double* gradient, void* program);
    static void callConstraints(unsigned, double* values, unsigned, const double* variables, double* gradient,
                                void* program);

    const SearchSpace& m_space;
    Evaluator& m_evaluator;
    const Merit& m_merit;
    const std::vector<Eigen::Index>& m_axes;
    Eigen::VectorXd m_x;
    bool m_isProduct;
    std::vector<std::size_t> m_boundOf; ///< of each piece
    std::vector<double> m_boundWeight;
    std::size_t m_bounds = 0;
    Eigen::ArrayXd m_y;
    Eigen::MatrixXd m_slopes;
    const double* m_variables = nullptr;
};

void Program::assignBounds()
{
    const std::vector<Piece>& pieces = m_merit.pieces();
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const bool isNew = i == 0 || (m_isProduct && pieces[i].response != pieces[i - 1].response);
        if (isNew)
            m_boundWeight.push_back(m_isProduct ? pieces[i].weight / m_merit.totalWeight() : 1.0);
        m_boundOf.push_back(m_boundWeight.size() - 1);
    }
    m_bounds = m_boundWeight.size();
}

void Program::place(const double* variables)
{
    m_variables = variables;
    for (std::size_t i = 0; i < m_axes.size(); ++i)
        m_x[m_axes[i]] = variables[i];
}

std::vector<double> Program::start()
{
    std::vector<double> values(variables());
    for (std::size_t i = 0; i < m_axes.size(); ++i)
        values[i] = m_x[m_axes[i]];
    m_evaluator.predict(m_x, m_y);
    const double highest = m_isProduct ? 0.0 : std::numeric_limits<double>::max();
    std::fill(values.begin() + static_cast<std::ptrdiff_t>(m_axes.size()), values.end(), highest);
    for (std::size_t i = 0; i < m_boundOf.size(); ++i) {
        const Piece& piece = m_merit.pieces()[i];
        const double quality = piece.quality(m_y[piece.response]);
        double& bound = values[m_axes.size() + m_boundOf[i]];
        bound = std::min(bound, m_isProduct ? piece.exponent * extendedLog(quality) : quality);
    }
    return values;
}

void Program::setLimits(nlopt_opt solver) const
{
    std::vector<double> low(variables(), -HUGE_VAL);
    std::vector<double> high(variables(), m_isProduct ? 0.0 : HUGE_VAL);
    for (std::size_t i = 0; i < m_axes.size(); ++i) {
        low[i] = m_space.axis(m_axes[i]).low;
        high[i] = m_space.axis(m_axes[i]).high;
    }
    nlopt_set_lower_bounds(solver, low.data());
    nlopt_set_upper_bounds(solver, high.data());
}

double Program::objective(double* gradient) const
{
    double sum = 0.0;
    for (std::size_t i = 0; i < m_bounds; ++i)
        sum += m_boundWeight[i] * m_variables[m_axes.size() + i];
    if (gradient) {
        std::fill(gradient, gradient + m_axes.size(), 0.0);
        std::copy(m_boundWeight.begin(), m_boundWeight.end(), gradient + m_axes.size());
    }
    return sum;
}

void Program::constrainQuality(std::size_t piece, double bound, double& value, double* gradient) const
{
    const Piece& p = m_merit.pieces()[piece];
    const double quality = p.quality(m_y[p.response]);
    value = bound - (m_isProduct ? p.exponent * extendedLog(quality) : quality);
    if (!gradient)
        return;
    const double slope = (m_isProduct ? p.exponent * extendedLogSlope(quality) : 1.0) * p.sign / p.width;
    for (std::size_t i = 0; i < m_axes.size(); ++i)
        gradient[i] = -slope * m_slopes(p.response, m_axes[i]);
    gradient[m_axes.size() + m_boundOf[piece]] = 1.0;
}

void Program::constrainSphere(double& value, double* gradient) const
{
    value = -m_space.region().radius * m_space.region().radius;
    for (Eigen::Index i = 0; i < m_space.size(); ++i)
        value += m_space.isNumeric(i) ? m_x[i] * m_x[i] : 0.0;
    for (std::size_t i = 0; gradient && i < m_axes.size(); ++i)
        gradient[i] = 2.0 * m_x[m_axes[i]];
}

void Program::constrainMargin(double& value, double* gradient)
{
    value = kLegalMargin - m_space.margin(m_x);
    for (std::size_t i = 0; gradient && i < m_axes.size(); ++i) {
        double& coordinate = m_x[m_axes[i]];
        const double at = coordinate;
        coordinate = at + kMarginStep;
        const double above = m_space.margin(m_x);
        coordinate = at - kMarginStep;
        gradient[i] = (m_space.margin(m_x) - above) / (2.0 * kMarginStep);
        coordinate = at;
    }
}

void Program::constrain(double* values, double* gradient, const double* variables)
{
    place(variables);
    if (gradient) {
        m_evaluator.predict(m_x, m_y, m_slopes);
        std::fill(gradient, gradient + inequalities() * this->variables(), 0.0);
    } else {
        m_evaluator.predict(m_x, m_y);
    }
    const auto row = [&](std::size_t i) { return gradient ? gradient + i * this->variables() : nullptr; };
    std::size_t next = 0;
    for (; next < m_boundOf.size(); ++next)
        constrainQuality(next, variables[m_axes.size() + m_boundOf[next]], values[next], row(next));
    if (isSphere()) {
        constrainSphere(values[next], row(next));
        ++next;
    }
    if (m_space.hasConstraints())
        constrainMargin(values[next], row(next));
}

double Program::callObjective(unsigned, const double* variables, double* gradient, void* program)
{
    auto& self = *static_cast<Program*>(program);
    self.place(variables);
    return self.objective(gradient);
}

void Program::callConstraints(unsigned, double* values, unsigned, const double* variables, double* gradient,
                              void* program)
{
    static_cast<Program*>(program)->constrain(values, gradient, variables);
}

Eigen::VectorXd Program::solve()
{
    std::vector<double> values = start();
    const std::unique_ptr<nlopt_opt_s, decltype(&nlopt_destroy)> solver(
        nlopt_create(NLOPT_LD_SLSQP, static_cast<unsigned>(variables())), &nlopt_destroy);
    setLimits(solver.get());
    nlopt_set_max_objective(solver.get(), &Program::callObjective, this);
    const std::vector<double> tolerances(inequalities(), kConstraintTolerance);
    nlopt_add_inequality_mconstraint(solver.get(), static_cast<unsigned>(inequalities()),
                                     &Program::callConstraints, this, tolerances.data());
    nlopt_set_maxeval(solver.get(), kMostEvaluations);
    nlopt_set_xtol_rel(solver.get(), kRelativeStep);
    nlopt_set_ftol_rel(solver.get(), kRelativeGain);
    double reached = 0.0;
    nlopt_optimize(solver.get(), values.data(),
                   &reached); // the caller judges the point, whatever is said of it
    place(values.data());
    return m_x;
}

} // namespace

Eigen::VectorXd polish(const SearchSpace& space, Evaluator& evaluator, const Merit& merit,
                       const std::vector<Eigen::Index>& axes, const Eigen::VectorXd& x)
{
    Eigen::ArrayXd y;
    evaluator.predict(x, y);
    const bool isProduct = merit.mode() == MeritMode::Product && merit(y) > 0.0;
    return Program(space, evaluator, merit, axes, x, isProduct).solve();
}

} // namespace quadric::optimize
