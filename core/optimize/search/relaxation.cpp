// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/search/relaxation.h"

#include "core/model/fit/prediction_scale.h"
#include "core/model/fit/transform.h"

#include <algorithm>
#include <cmath>

namespace quadric::optimize {

namespace {

/// A tangent is taken at the better end of the range where the quality in the middle is a smaller share of
/// the best one: near 0 the logarithm is too steep to say anything about the rest of the range.
constexpr double kSteepShare = 0.3;

using study::TransformKind;

bool isCurvedBothWays(TransformKind kind)
{
    return kind == TransformKind::BoxCox || kind == TransformKind::Logit;
}

/// Of y, the response's own unit, over z.
Curvature curvatureOfResponse(TransformKind kind)
{
    return isCurvedBothWays(kind) ? Curvature::Mixed : Curvature::Convex;
}

} // namespace

bool isHeld(const model::Fit& fit, double z)
{
    return fit.transform.kind != TransformKind::None &&
           (!model::isInvertible(fit.transform, z) ||
            model::toResponseUnit(fit, z) < model::invertTransform(fit.transform, z));
}

Curvature curvatureOf(const Piece& piece, const study::Transform& transform, MeritMode mode)
{
    if (transform.kind == TransformKind::None)
        return Curvature::Concave;
    if (isCurvedBothWays(transform.kind))
        return Curvature::Mixed;
    if (piece.sign < 0.0) // log of a concave function is concave
        return Curvature::Concave;
    if (mode == MeritMode::Minimum)
        return curvatureOfResponse(transform.kind);
    if (transform.kind == TransformKind::Log) // log(exp(z) − offset)
        return piece.offset >= 0.0 ? Curvature::Concave : Curvature::Convex;
    if (transform.kind == TransformKind::Sqrt && piece.offset >= 0.0) // log(z² − offset)
        return Curvature::Concave;
    return Curvature::Mixed;
}

double valueOf(const Piece& piece, const model::Fit& fit, MeritMode mode, double z)
{
    const double quality = piece.quality(model::toResponseUnit(fit, z));
    if (mode == MeritMode::Minimum)
        return quality;
    return quality > 0.0 ? piece.exponent * std::log(quality) : kNothing;
}

Overestimate tangent(const Piece& piece, const model::Fit& fit, MeritMode mode, double z)
{
    const double quality = piece.quality(model::toResponseUnit(fit, z));
    double slope = piece.sign / piece.width * model::inverseSlope(fit.transform, z);
    double value = quality;
    if (mode == MeritMode::Product) {
        slope *= piece.exponent / quality;
        value = piece.exponent * std::log(quality);
    }
    return {value - slope * z, slope};
}

Overestimate overestimate(const Piece& piece, const model::Fit& fit, MeritMode mode, double z, double low,
                          double high)
{
    const double atLow = valueOf(piece, fit, mode, low);
    const double atHigh = valueOf(piece, fit, mode, high);
    const double better = std::max(atLow, atHigh);
    const Curvature curvature = curvatureOf(piece, fit.transform, mode);
    if (better == kNothing || curvature == Curvature::Mixed || isHeld(fit, low) || isHeld(fit, high))
        return {better, 0.0};
    if (curvature == Curvature::Convex) {
        if (std::min(atLow, atHigh) == kNothing || !(high > low))
            return {better, 0.0};
        const double slope = (atHigh - atLow) / (high - low);
        return {atLow - slope * low, slope};
    }
    const double best = atHigh > atLow ? high : low;
    const bool isSteep =
        mode == MeritMode::Product && piece.quality(model::toResponseUnit(fit, z)) <
                                          kSteepShare * piece.quality(model::toResponseUnit(fit, best));
    return tangent(piece, fit, mode, isSteep ? best : z);
}

} // namespace quadric::optimize
