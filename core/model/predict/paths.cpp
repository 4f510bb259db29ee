// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/predict/paths.h"
#include "core/algebra/symmetric_eigen.h"
#include "core/model/predict/canonical.h"
#include "core/model/predict/second_order.h"

#include <cmath>

namespace quadric::model {

namespace {

/// A linear part smaller than this share of the curvature (or the other way round) is rounding.
constexpr double kNothing = 1e-12;
/// Steps after which bisection has reached the precision of a double.
constexpr int kBisections = 200;

/// max b'x + x'Bx on ‖x‖ = r, in the axes of the eigenvectors of B.
class RidgeProblem {
public:
    RidgeProblem(const Eigen::VectorXd& b, const Eigen::MatrixXd& B)
        : m_eigen(algebra::symmetricEigen(B))
        , m_b(m_eigen.vectors.transpose() * b)
        , m_largest(m_eigen.values.maxCoeff())
        , m_scale(std::max(m_b.norm(), m_eigen.values.cwiseAbs().maxCoeff()))
    {
    }

    bool isFlat() const { return m_scale <= 0; }

    Eigen::VectorXd solve(double radius) const
    {
        if (radius == 0.0)
            return Eigen::VectorXd::Zero(m_b.size());
        return m_eigen.vectors * (hasLinearPartOnTop() ? onSphere(radius) : hardCase(radius));
    }

private:
    /// ½(μI − Λ)⁻¹b for μ = λmax + shift.
    Eigen::VectorXd pointAt(double shift) const
    {
        const Eigen::VectorXd gaps = (m_largest + shift - m_eigen.values.array()).matrix();
        return 0.5 * m_b.cwiseQuotient(gaps);
    }

    bool isOnTop(Eigen::Index i) const { return m_largest - m_eigen.values[i] <= kNothing * m_scale; }

    bool hasLinearPartOnTop() const
    {
        for (Eigen::Index i = 0; i < m_b.size(); ++i) {
            if (isOnTop(i) && std::abs(m_b[i]) > kNothing * m_scale)
                return true;
        }
        return false;
    }

    /// ‖x(μ)‖ falls from infinity to 0 as μ grows from λmax.
    Eigen::VectorXd onSphere(double radius) const
    {
        double low = 0.0, high = m_b.norm() / (2 * radius);
        for (int step = 0; step < kBisections && high - low > 0; ++step) {
            const double middle = (low + high) / 2;
            if (middle == low || middle == high)
                break;
            (pointAt(middle).norm() > radius ? low : high) = middle;
        }
        const Eigen::VectorXd x = pointAt(high);
        return x * (radius / x.norm());
    }

    /// No slope along the direction that curves up most: once the rest is used up, the path follows that
    /// direction (to either side alike).
    Eigen::VectorXd hardCase(double radius) const
    {
        Eigen::VectorXd x = Eigen::VectorXd::Zero(m_b.size());
        Eigen::Index top = 0;
        for (Eigen::Index i = 0; i < x.size(); ++i) {
            if (isOnTop(i))
                top = i;
            else
                x[i] = 0.5 * m_b[i] / (m_largest - m_eigen.values[i]);
        }
        if (x.norm() >= radius)
            return onSphere(radius);
        x[top] = std::sqrt(radius * radius - x.squaredNorm());
        return x;
    }

    algebra::SymmetricEigen m_eigen;
    Eigen::VectorXd m_b;
    double m_largest = 0.0;
    double m_scale = 0.0;
};

/// +1 when a larger value of the model is what is looked for.
double signOf(Direction direction, const study::Transform& transform)
{
    return (direction == Direction::Ascent) == isFalling(transform) ? -1.0 : 1.0;
}

Path emptyPath(const Fit& fit, const SecondOrder& model)
{
    Path path;
    for (const std::size_t factor : model.factors)
        path.factors.push_back(fit.factors[factor].name);
    if (!fit.isOk())
        path.message = fit.message;
    else if (model.factors.empty())
        path.message = "The study has no numeric factor to move along.";
    return path;
}

void append(const Fit& fit, const SecondOrder& model, const study::Coding& coding, study::CodedPoint at,
            double distance, const Eigen::VectorXd& x, Path& path)
{
    PathPoint point{distance, {}, {}, {}};
    for (std::size_t i = 0; i < model.factors.size(); ++i) {
        const double coded = x[static_cast<Eigen::Index>(i)];
        at[static_cast<Eigen::Index>(model.factors[i])] = coded;
        point.actual.push_back(coding.toActual(model.factors[i], coded));
    }
    point.prediction = predict(fit, at);
    point.point = std::move(at);
    path.points.push_back(std::move(point));
}

SecondOrder numericPart(const Fit& fit, const study::CodedPoint& at)
{
    return fit.isOk() ? secondOrderOf(fit, at) : SecondOrder{};
}

} // namespace

Path ridgePath(const Fit& fit, Direction direction, const study::CodedPoint& at,
               const std::vector<double>& radii)
{
    const SecondOrder model = numericPart(fit, at);
    Path path = emptyPath(fit, model);
    if (!path.message.empty())
        return path;
    const double sign = signOf(direction, fit.transform);
    const RidgeProblem problem(sign * model.b, sign * model.B);
    if (!model.isSecondOrder)
        path.message = "The model has terms of third or higher degree, for which there is no ridge analysis.";
    else if (problem.isFlat())
        path.message = "The model does not change with the numeric factors.";
    if (!path.message.empty())
        return path;
    const study::Coding coding(fit.factors);
    for (const double radius : radii)
        append(fit, model, coding, at, radius, problem.solve(radius), path);
    return path;
}

Path steepestPath(const Fit& fit, Direction direction, const study::CodedPoint& at,
                  const std::vector<double>& radii)
{
    const SecondOrder model = numericPart(fit, at);
    Path path = emptyPath(fit, model);
    if (!path.message.empty())
        return path;
    if (model.b.norm() <= kNothing * model.B.norm()) {
        path.message = "The model has no slope at the center, so no direction is steepest.";
        return path;
    }
    const study::Coding coding(fit.factors);
    const Eigen::VectorXd unit = signOf(direction, fit.transform) * model.b.normalized();
    for (const double radius : radii)
        append(fit, model, coding, at, radius, radius * unit, path);
    return path;
}

Path canonicalPath(const Fit& fit, std::size_t axis, const study::CodedPoint& at,
                   const std::vector<double>& distances)
{
    const SecondOrder model = numericPart(fit, at);
    Path path = emptyPath(fit, model);
    const std::optional<Canonical> canonical = canonicalAnalysis(fit, at);
    if (path.message.empty() && (!canonical || axis >= model.factors.size()))
        path.message = "The model has no unique stationary point.";
    if (!path.message.empty())
        return path;
    const study::Coding coding(fit.factors);
    const Eigen::VectorXd along = canonical->eigenvectors.col(static_cast<Eigen::Index>(axis));
    for (const double distance : distances)
        append(fit, model, coding, at, distance, canonical->point + distance * along, path);
    return path;
}

std::vector<double> evenRadii(double farthest, double step)
{
    std::vector<double> radii;
    const int count = static_cast<int>(std::floor(farthest / step + kNothing));
    for (int i = 0; i <= count; ++i)
        radii.push_back(i * step);
    return radii;
}

} // namespace quadric::model
