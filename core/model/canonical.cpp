// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/canonical.h"
#include "core/model/predict.h"
#include "core/model/transform.h"

#include <Eigen/Eigenvalues>

#include <cmath>

namespace quadric::model {

namespace {

/// Eigenvalues below this part of the largest make the stationary point a point of a ridge.
constexpr double kRidge = 0.05;
/// Below this part of the largest they are zero: there is no unique stationary point.
constexpr double kZero = 1e-9;

/// b and B of ŷ = b₀ + b'x + x'Bx over the numeric factors.
struct SecondOrder {
    std::vector<std::size_t> factors;
    Eigen::VectorXd b;
    Eigen::MatrixXd B;
    bool isSecondOrder = true;
};

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

SecondOrder secondOrderOf(const Fit& fit, const study::CodedPoint& at)
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

/// Descending, with the largest component of every vector positive.
void takeEigenvalues(const Eigen::MatrixXd& B, Canonical& canonical)
{
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(B);
    canonical.eigenvalues = solver.eigenvalues().reverse();
    canonical.eigenvectors = solver.eigenvectors().rowwise().reverse();
    for (Eigen::Index i = 0; i < canonical.eigenvectors.cols(); ++i) {
        Eigen::Index largest = 0;
        canonical.eigenvectors.col(i).cwiseAbs().maxCoeff(&largest);
        if (canonical.eigenvectors(largest, i) < 0)
            canonical.eigenvectors.col(i) *= -1.0;
    }
}

/// An inverse transform that falls turns a maximum of the model into a minimum of the response.
bool isFalling(const study::Transform& transform)
{
    return transform.kind == study::TransformKind::Inverse;
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

} // namespace

std::optional<Canonical> canonicalAnalysis(const Fit& fit, const study::CodedPoint& at)
{
    if (!fit.isOk())
        return std::nullopt;
    const SecondOrder model = secondOrderOf(fit, at);
    if (!model.isSecondOrder || model.factors.empty() || model.B.isZero(0.0))
        return std::nullopt;

    Canonical canonical;
    takeEigenvalues(model.B, canonical);
    const Eigen::VectorXd sizes = canonical.eigenvalues.cwiseAbs();
    if (sizes.minCoeff() <= kZero * sizes.maxCoeff())
        return std::nullopt;
    canonical.isNearRidge = sizes.minCoeff() <= kRidge * sizes.maxCoeff();
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

} // namespace quadric::model
