// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/predict/canonical.h"

#include "core/algebra/factorizations.h"
#include "core/model/base/distributions.h"
#include "core/model/base/thresholds.h"

#include <algorithm>
#include <cmath>

namespace quadric::model {

namespace {

/// Value of the categorical part of a column.
double categoricalPart(Column column, const study::CodedPoint& at, const std::vector<study::Factor>& factors)
{
    for (std::size_t i = 0; i < factors.size(); ++i) {
        if (factors[i].isNumeric())
            column.term.powers[i] = 0;
    }
    return valueAt(column, at, factors);
}

/// The numeric factors of a column, each as often as its power says, as indices into `factors`.
std::vector<Eigen::Index> numericParts(const Column& column, const std::vector<std::size_t>& factors)
{
    std::vector<Eigen::Index> parts;
    for (std::size_t i = 0; i < factors.size(); ++i)
        parts.insert(parts.end(), static_cast<std::size_t>(column.term.powers[factors[i]]),
                     static_cast<Eigen::Index>(i));
    return parts;
}

/// Below this part of the largest they are zero: there is no unique stationary point.
constexpr double kZero = 1e-9;

/// Descending, with the largest component of every vector positive.
void takeEigenvalues(const Eigen::MatrixXd& B, Canonical& canonical)
{
    const algebra::SymmetricEigen ascending = algebra::symmetricEigen(B);
    canonical.eigenvalues = ascending.values.reverse();
    canonical.eigenvectors = ascending.vectors.rowwise().reverse();
    for (Eigen::Index i = 0; i < canonical.eigenvectors.cols(); ++i) {
        Eigen::Index largest = 0;
        canonical.eigenvectors.col(i).cwiseAbs().maxCoeff(&largest);
        if (canonical.eigenvectors(largest, i) < 0)
            canonical.eigenvectors.col(i) *= -1.0;
    }
}

StationaryKind kindOf(const Canonical& canonical, const study::Transform& transform)
{
    if (canonical.eigenvalues.maxCoeff() < 0)
        return isFalling(transform) ? StationaryKind::Minimum : StationaryKind::Maximum;
    if (canonical.eigenvalues.minCoeff() > 0)
        return isFalling(transform) ? StationaryKind::Maximum : StationaryKind::Minimum;
    return StationaryKind::Saddle;
}

/// Names, actual values and prediction of the stationary point.
void describePoint(const Fit& fit, const std::vector<std::size_t>& factors, study::CodedPoint at,
                   Canonical& canonical)
{
    const study::Coding coding(fit.factors);
    for (std::size_t i = 0; i < factors.size(); ++i) {
        const double coded = canonical.point[static_cast<Eigen::Index>(i)];
        at[static_cast<Eigen::Index>(factors[i])] = coded;
        canonical.factors.push_back(fit.factors[factors[i]].name);
        canonical.actual.push_back(coding.toActual(factors[i], coded));
    }
    canonical.response = predictMean(fit, at);
    canonical.isInsideRegion = canonical.point.cwiseAbs().maxCoeff() <= 1.0;
}

SecondOrder extractSecondOrder(const Fit& fit, const study::CodedPoint& at)
{
    SecondOrder model;
    for (std::size_t i = 0; i < fit.factors.size(); ++i) {
        if (fit.factors[i].isNumeric())
            model.factors.push_back(i);
    }
    const Eigen::Index k = std::ssize(model.factors);
    model.b = Eigen::VectorXd::Zero(k);
    model.B = Eigen::MatrixXd::Zero(k, k);
    for (std::size_t j = 0; j < fit.columns.size(); ++j) {
        const std::vector<Eigen::Index> parts = numericParts(fit.columns[j], model.factors);
        const double value =
            fit.beta[static_cast<Eigen::Index>(j)] * categoricalPart(fit.columns[j], at, fit.factors);
        if (parts.empty())
            model.constant += value;
        if (parts.size() == 1)
            model.b[parts[0]] += value;
        if (parts.size() == 2) {
            model.B(parts[0], parts[1]) += value / 2;
            model.B(parts[1], parts[0]) += value / 2;
        }
        model.isSecondOrder = model.isSecondOrder && parts.size() <= 2;
    }
    return model;
}

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
    return fit.isOk() ? extractSecondOrder(fit, at) : SecondOrder{};
}

} // namespace

bool isFalling(const study::Transform& transform)
{
    return transform.kind == study::TransformKind::Inverse;
}

std::optional<Canonical> canonicalAnalysis(const Fit& fit, const study::CodedPoint& at)
{
    if (!fit.isOk())
        return std::nullopt;
    const SecondOrder model = extractSecondOrder(fit, at);
    if (!model.isSecondOrder || model.factors.empty() || model.B.isZero(0.0))
        return std::nullopt;

    Canonical canonical;
    takeEigenvalues(model.B, canonical);
    const Eigen::VectorXd sizes = canonical.eigenvalues.cwiseAbs();
    if (sizes.minCoeff() <= kZero * sizes.maxCoeff())
        return std::nullopt;
    canonical.isNearRidge = sizes.minCoeff() <= kNearRidge * sizes.maxCoeff();
    canonical.point =
        -0.5 * canonical.eigenvectors *
        canonical.eigenvalues.cwiseInverse().cwiseProduct(canonical.eigenvectors.transpose() * model.b);
    canonical.kind = kindOf(canonical, fit.transform);
    describePoint(fit, model.factors, at, canonical);
    const bool isFinite = std::isfinite(canonical.response) && canonical.point.allFinite();
    return isFinite ? std::optional(std::move(canonical)) : std::nullopt;
}

std::string_view nameOf(StationaryKind kind)
{
    switch (kind) {
    case StationaryKind::Maximum:
        return "maximum";
    case StationaryKind::Minimum:
        return "minimum";
    case StationaryKind::Saddle:
        break;
    }
    return "saddle";
}

std::vector<Interval> eigenvalueIntervals(const Fit& fit, const Canonical& canonical,
                                          const study::CodedPoint& at)
{
    if (fit.dfResidual == 0)
        return {};
    const double t = tLimit(1.0 - fit.confidence, fit.dfResidual);
    Fit unit = fit; // whose quadratic form along an axis is a single weight
    std::vector<Interval> intervals;
    for (Eigen::Index axis = 0; axis < canonical.eigenvalues.size(); ++axis) {
        const Eigen::VectorXd along = canonical.eigenvectors.col(axis);
        Eigen::VectorXd weights(fit.beta.size());
        for (Eigen::Index j = 0; j < weights.size(); ++j) {
            unit.beta = Eigen::VectorXd::Unit(weights.size(), j);
            weights[j] = along.dot(extractSecondOrder(unit, at).B * along);
        }
        const double error =
            fit.sigma * std::sqrt(std::max(0.0, weights.dot(fit.unscaledCovariance * weights)));
        intervals.push_back(
            {canonical.eigenvalues[axis] - t * error, canonical.eigenvalues[axis] + t * error});
    }
    return intervals;
}

bool isKindCertain(const std::vector<Interval>& eigenvalues)
{
    return std::ranges::all_of(eigenvalues,
                               [](const Interval& each) { return each.low > 0.0 || each.high < 0.0; });
}

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

std::vector<double> evenRadii(double farthest, double step)
{
    std::vector<double> radii;
    const int count = static_cast<int>(std::floor(farthest / step + kNothing));
    for (int i = 0; i <= count; ++i)
        radii.push_back(i * step);
    return radii;
}

} // namespace quadric::model
