// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/search/multipliers.h"

#include "core/model/fit/observations.h"
#include "core/model/fit/regression.h"

#include <algorithm>
#include <cmath>

namespace quadric::optimize {

namespace {

/// A tangent is taken at the better end of the range where the quality in the middle is a smaller share of
/// the best one: near 0 the logarithm is too steep to say anything about the rest of the range.
constexpr double kSteepShare = 0.3;

using study::TransformKind;

/// The response is held at a limit there: its transform cannot be inverted or gives next to infinity, or its
/// physical bounds end.
bool isHeld(const model::Fit& fit, double z)
{
    return !model::isInvertible(fit.transform, z) ||
           model::toResponseUnit(fit, z) != model::invertTransform(fit.transform, z);
}

/// The piece at `z`: quality, or exponent × log(quality) in MeritMode::Product (kNothing for a quality not
/// above 0).
double valueOf(const Piece& piece, const model::Fit& fit, MeritMode mode, double z)
{
    const double quality = piece.quality(model::toResponseUnit(fit, z));
    if (mode == MeritMode::Minimum)
        return quality;
    return quality > 0.0 ? piece.exponent * std::log(quality) : kNothing;
}

/// Where a line over a piece holds.
enum class Curvature {
    Concave, ///< a tangent lies above everywhere
    Convex,  ///< a chord lies above between its ends
    Mixed    ///< only the value at the better end is known to be above
};

/// A physical bound keeps the quality above 0 where it is worst, while a tangent goes on falling.
bool isKeptAboveZero(const Piece& piece, const model::Fit& fit)
{
    if (!fit.bounds)
        return false;
    const std::optional<double> worst = piece.sign > 0.0 ? fit.bounds->low : fit.bounds->high;
    return worst && piece.quality(*worst) > 0.0;
}

/// Curvature of the piece (MeritMode::Product: of its logarithm) over the scale of the model.
Curvature curvatureOf(const Piece& piece, const model::Fit& fit, MeritMode mode)
{
    const study::Transform& transform = fit.transform;
    if (isKeptAboveZero(piece, fit))
        return Curvature::Mixed;
    if (transform.kind == TransformKind::None)
        return Curvature::Concave;
    if (transform.kind == TransformKind::BoxCox || transform.kind == TransformKind::Logit)
        return Curvature::Mixed;
    if (piece.sign < 0.0) // log of a concave function is concave
        return Curvature::Concave;
    if (mode == MeritMode::Minimum)
        return Curvature::Convex;
    if (transform.kind == TransformKind::Log) // log(exp(z) − offset)
        return piece.offset >= 0.0 ? Curvature::Concave : Curvature::Convex;
    if (transform.kind == TransformKind::Sqrt && piece.offset >= 0.0) // log(z² − offset)
        return Curvature::Concave;
    return Curvature::Mixed;
}

/// The tangent at `z`, where the piece has a value.
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

/// Pieces this near to the smallest one that they compete with count as equal to it: a kink.
constexpr double kKink = 1e-6;

/// Coded distance within which a setting is at the end of its range.
constexpr double kAtEnd = 1e-9;

constexpr int kSweeps = 12;
constexpr double kMoved = 1e-12;

/// A line with its share; the shares of a kink's lines add up to at most the kink's weight.
struct Strand {
    Overestimate line;
    Eigen::Index response = -1; ///< −1: the cap, desirability 1
    double share = 0.0;
    std::size_t kink = 0;
};

/// All lines that touch the merit, the whole share of each kink on its first; empty where one is missing.
std::optional<std::vector<Strand>> findStrands(const Merit& merit, const std::vector<const model::Fit*>& fits,
                                               const Eigen::VectorXd& z)
{
    const std::vector<Piece>& pieces = merit.pieces();
    const MeritMode mode = merit.mode();
    const bool isProduct = mode == MeritMode::Product;
    const auto fitOf = [&](const Piece& piece) -> const model::Fit& {
        return *fits[static_cast<std::size_t>(piece.response)];
    };
    std::vector<Strand> strands;
    for (auto from = pieces.begin(), to = from; from != pieces.end(); from = to) {
        to = isProduct ? std::find_if(from, pieces.end(),
                                      [&](const Piece& piece) { return piece.response != from->response; })
                       : pieces.end();
        double least = isProduct ? 0.0 : std::numeric_limits<double>::max();
        for (auto piece = from; piece != to; ++piece)
            least = std::min(least, valueOf(*piece, fitOf(*piece), mode, z[piece->response]));
        if (least == kNothing)
            return std::nullopt;
        const double most = least + kKink * (1.0 + std::abs(least));
        const std::size_t first = strands.size();
        for (auto piece = from; piece != to; ++piece) {
            const model::Fit& fit = fitOf(*piece);
            const double at = z[piece->response];
            const double value = valueOf(*piece, fit, mode, at);
            const bool isAtBound = isProduct && value >= 0.0 && isHeld(fit, at);
            if (value > most || isAtBound) // the cap stands for what no better response can raise
                continue;
            if (isHeld(fit, at) || curvatureOf(*piece, fit, mode) != Curvature::Concave)
                return std::nullopt;
            strands.push_back({tangent(*piece, fit, mode, at), piece->response, 0.0, first});
        }
        if (isProduct && most >= 0.0)
            strands.push_back({{}, -1, 0.0, first});
        strands[first].share = isProduct ? from->weight / merit.totalWeight() : 1.0;
    }
    return strands;
}

/// Mixes the lines of the kinks until the sum rises as little as possible in the directions that are open.
class Balance {
public:
    Balance(const Surroundings& at, std::vector<Strand>& strands)
        : m_at(at)
        , m_strands(strands)
        , m_rise(Eigen::VectorXd::Zero(at.x.size()))
    {
        for (const Strand& strand : strands)
            m_rise += strand.share * slopeOf(strand);
    }

    /// The multiplier of the sphere.
    double run()
    {
        double sphere = 0.0;
        bool hasMoved = true;
        for (int sweep = 0; sweep < kSweeps && hasMoved; ++sweep) {
            hasMoved = false;
            for (std::size_t b = 0; b < m_strands.size(); ++b)
                for (std::size_t a = m_strands[b].kink; a < b; ++a) {
                    Strand &from = m_strands[a], &to = m_strands[b];
                    const double t = move(slopeOf(to) - slopeOf(from), -to.share, from.share);
                    from.share -= t;
                    to.share += t;
                    hasMoved |= std::abs(t) > kMoved;
                }
            if (m_at.isOnSphere) {
                const double t = move(-2.0 * m_at.x, -sphere, std::numeric_limits<double>::max());
                sphere += t;
                hasMoved |= std::abs(t) > kMoved;
            }
        }
        return sphere;
    }

private:
    Eigen::VectorXd slopeOf(const Strand& strand) const
    {
        if (strand.response < 0)
            return Eigen::VectorXd::Zero(m_at.x.size());
        return strand.line.slope * m_at.slopes.col(strand.response);
    }

    /// Adds the multiple of the direction, between two ends, that leaves the least rise; returns it.
    double move(const Eigen::VectorXd& direction, double low, double high)
    {
        double along = 0.0, square = 0.0;
        for (Eigen::Index i = 0; i < m_rise.size(); ++i) {
            const bool isBlocked = (m_at.x[i] <= m_at.low[i] + kAtEnd && m_rise[i] <= 0.0) ||
                                   (m_at.x[i] >= m_at.high[i] - kAtEnd && m_rise[i] >= 0.0);
            if (isBlocked || !m_at.isContinuous[static_cast<std::size_t>(i)])
                continue;
            along += m_rise[i] * direction[i];
            square += direction[i] * direction[i];
        }
        const double t = square > 0.0 ? std::clamp(-along / square, low, high) : 0.0;
        m_rise += t * direction;
        return t;
    }

    const Surroundings& m_at;
    std::vector<Strand>& m_strands;
    Eigen::VectorXd m_rise;
};

} // namespace

Overestimate overestimate(const Piece& piece, const model::Fit& fit, MeritMode mode, double z, double low,
                          double high)
{
    const double atLow = valueOf(piece, fit, mode, low);
    const double atHigh = valueOf(piece, fit, mode, high);
    const double better = std::max(atLow, atHigh);
    const Curvature curvature = curvatureOf(piece, fit, mode);
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

std::optional<WeightedSum> touchingSum(const Merit& merit, const std::vector<const model::Fit*>& fits,
                                       const Surroundings& at)
{
    std::optional<std::vector<Strand>> strands = findStrands(merit, fits, at.z);
    if (!strands)
        return std::nullopt;
    WeightedSum sum{0.0, Eigen::VectorXd::Zero(at.z.size()), 0.0};
    sum.sphere = Balance(at, *strands).run();
    for (const Strand& strand : *strands) {
        if (strand.response < 0)
            continue;
        sum.constant += strand.share * strand.line.constant;
        sum.slope[strand.response] += strand.share * strand.line.slope;
    }
    return sum;
}

} // namespace quadric::optimize
