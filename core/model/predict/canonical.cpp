// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/predict/canonical.h"
#include "core/algebra/symmetric_eigen.h"
#include "core/model/base/thresholds.h"
#include "core/model/predict/predict.h"
#include "core/model/predict/second_order.h"

#include <cmath>

namespace quadric::model {

namespace {

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

} // namespace quadric::model
