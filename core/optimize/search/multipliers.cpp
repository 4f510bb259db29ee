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

bool isCurvedBothWays(TransformKind kind)
{
    return kind == TransformKind::BoxCox || kind == TransformKind::Logit;
}

/// Curvature of the piece (MeritMode::Product: of its logarithm) over the transformed scale.
Curvature curvatureOf(const Piece& piece, const study::Transform& transform, MeritMode mode)
{
    if (transform.kind == TransformKind::None)
        return Curvature::Concave;
    if (isCurvedBothWays(transform.kind))
        return Curvature::Mixed;
    if (piece.sign < 0.0) // log of a concave function is concave
        return Curvature::Concave;
    if (mode == MeritMode::Minimum)
        return isCurvedBothWays(transform.kind) ? Curvature::Mixed : Curvature::Convex;
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

/// Pieces of a response this near to its smallest one count as equal to it: a kink.
constexpr double kKink = 1e-6;

/// Coded distance within which a setting is at the end of its range.
constexpr double kAtEnd = 1e-9;

constexpr int kSweeps = 12;
constexpr int kHalvings = 40;

/// A line with its share; the shares of a kink's lines add up to at most the kink's weight.
struct Strand {
    Overestimate line;
    Eigen::Index response = -1; ///< −1: the cap, desirability 1
    double share = 0.0;
};
using Kink = std::vector<Strand>;

/// The kinks with all their lines, the whole share on the first; empty where a line is missing.
class KinkFinder {
public:
    KinkFinder(const Merit& merit, const std::vector<const model::Fit*>& fits, const Eigen::VectorXd& z)
        : m_merit(merit)
        , m_fits(fits)
        , m_z(z)
    {
    }

    std::optional<std::vector<Kink>> find() const
    {
        return m_merit.mode() == MeritMode::Product ? ofEachResponse() : ofAll();
    }

private:
    double valueAt(const Piece& piece) const
    {
        return valueOf(piece, fitOf(piece), m_merit.mode(), m_z[piece.response]);
    }
    const model::Fit& fitOf(const Piece& piece) const
    {
        return *m_fits[static_cast<std::size_t>(piece.response)];
    }

    std::optional<Kink> kinkOf(std::size_t first, std::size_t last, double cap) const
    {
        const std::vector<Piece>& pieces = m_merit.pieces();
        double least = cap;
        for (std::size_t i = first; i < last; ++i)
            least = std::min(least, valueAt(pieces[i]));
        const double most = least + kKink * (1.0 + std::abs(least));
        Kink kink;
        for (std::size_t i = first; i < last; ++i) {
            const Piece& piece = pieces[i];
            if (valueAt(piece) > most)
                continue;
            const model::Fit& fit = fitOf(piece);
            if (isHeld(fit, m_z[piece.response]) ||
                curvatureOf(piece, fit.transform, m_merit.mode()) != Curvature::Concave ||
                valueAt(piece) == std::numeric_limits<double>::lowest())
                return std::nullopt;
            kink.push_back({tangent(piece, fit, m_merit.mode(), m_z[piece.response]), piece.response, 0.0});
        }
        if (cap <= most)
            kink.push_back({});
        return kink;
    }

    std::optional<std::vector<Kink>> ofEachResponse() const
    {
        const std::vector<Piece>& pieces = m_merit.pieces();
        std::vector<Kink> kinks;
        for (std::size_t i = 0, last = 0; i < pieces.size(); i = last) {
            while (last < pieces.size() && pieces[last].response == pieces[i].response)
                ++last;
            std::optional<Kink> kink = kinkOf(i, last, 0.0);
            if (!kink)
                return std::nullopt;
            kink->front().share = pieces[i].weight / m_merit.totalWeight();
            kinks.push_back(std::move(*kink));
        }
        return kinks;
    }

    std::optional<std::vector<Kink>> ofAll() const
    {
        std::optional<Kink> kink = kinkOf(0, m_merit.pieces().size(), std::numeric_limits<double>::max());
        if (!kink)
            return std::nullopt;
        kink->front().share = 1.0;
        return std::vector<Kink>{std::move(*kink)};
    }

    const Merit& m_merit;
    const std::vector<const model::Fit*>& m_fits;
    const Eigen::VectorXd& m_z;
};

/// Mixes the lines of the kinks until the sum rises as little as possible in the directions that are open.
class Balance {
public:
    Balance(const Surroundings& at, std::vector<Kink>& kinks)
        : m_at(at)
        , m_kinks(kinks)
        , m_rise(Eigen::VectorXd::Zero(at.x.size()))
    {
        for (const Kink& kink : kinks)
            for (const Strand& strand : kink)
                m_rise += strand.share * slopeOf(strand);
    }

    double run()
    {
        for (int sweep = 0; sweep < kSweeps; ++sweep) {
            bool hasMoved = false;
            for (Kink& kink : m_kinks)
                for (std::size_t a = 0; a < kink.size(); ++a)
                    for (std::size_t b = a + 1; b < kink.size(); ++b)
                        hasMoved |= exchange(kink[a], kink[b]);
            if (m_at.isOnSphere)
                hasMoved |= moveSphere();
            if (!hasMoved)
                break;
        }
        return m_sphere;
    }

private:
    Eigen::VectorXd slopeOf(const Strand& strand) const
    {
        if (strand.response < 0)
            return Eigen::VectorXd::Zero(m_at.x.size());
        return strand.line.slope * m_at.slopes.col(strand.response);
    }

    /// Derivative by t of half the squared open rise m_rise + t × direction.
    double derivative(const Eigen::VectorXd& direction, double t) const
    {
        double sum = 0.0;
        for (Eigen::Index i = 0; i < m_rise.size(); ++i) {
            const double rise = m_rise[i] + t * direction[i];
            const bool isBlocked = (m_at.x[i] <= m_at.low[i] + kAtEnd && rise <= 0.0) ||
                                   (m_at.x[i] >= m_at.high[i] - kAtEnd && rise >= 0.0);
            if (m_at.isContinuous[static_cast<std::size_t>(i)] && !isBlocked)
                sum += rise * direction[i];
        }
        return sum;
    }

    /// The best t between two ends; the function is convex.
    double minimum(const Eigen::VectorXd& direction, double low, double high) const
    {
        for (int i = 0; i < kHalvings; ++i) {
            const double middle = 0.5 * (low + high);
            (derivative(direction, middle) > 0.0 ? high : low) = middle;
        }
        return 0.5 * (low + high);
    }

    bool exchange(Strand& from, Strand& to)
    {
        const Eigen::VectorXd direction = slopeOf(to) - slopeOf(from);
        double t = minimum(direction, -to.share, from.share);
        t = std::clamp(t, -to.share, from.share);
        from.share -= t;
        to.share += t;
        m_rise += t * direction;
        return std::abs(t) > 1e-12;
    }

    bool moveSphere()
    {
        const Eigen::VectorXd direction = -2.0 * m_at.x;
        const double reach = direction.squaredNorm();
        const double most = reach > 0.0 ? m_sphere + m_rise.norm() / std::sqrt(reach) + 1.0 : m_sphere;
        const double t = minimum(direction, -m_sphere, most);
        m_sphere = std::max(0.0, m_sphere + t);
        m_rise += t * direction;
        return std::abs(t) > 1e-12;
    }

    const Surroundings& m_at;
    std::vector<Kink>& m_kinks;
    Eigen::VectorXd m_rise;
    double m_sphere = 0.0;
};

} // namespace

bool isHeld(const model::Fit& fit, double z)
{
    return fit.transform.kind != TransformKind::None &&
           (!model::isInvertible(fit.transform, z) ||
            model::toResponseUnit(fit, z) < model::invertTransform(fit.transform, z));
}

double valueOf(const Piece& piece, const model::Fit& fit, MeritMode mode, double z)
{
    const double quality = piece.quality(model::toResponseUnit(fit, z));
    if (mode == MeritMode::Minimum)
        return quality;
    return quality > 0.0 ? piece.exponent * std::log(quality) : kNothing;
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

std::optional<WeightedSum> touchingSum(const Merit& merit, const std::vector<const model::Fit*>& fits,
                                       const Surroundings& at)
{
    std::optional<std::vector<Kink>> kinks = KinkFinder(merit, fits, at.z).find();
    if (!kinks)
        return std::nullopt;
    WeightedSum sum{0.0, Eigen::VectorXd::Zero(at.z.size()), 0.0};
    sum.sphere = Balance(at, *kinks).run();
    for (const Kink& kink : *kinks)
        for (const Strand& strand : kink) {
            if (strand.response < 0)
                continue;
            sum.constant += strand.share * strand.line.constant;
            sum.slope[strand.response] += strand.share * strand.line.slope;
        }
    return sum;
}

} // namespace quadric::optimize
