// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/merit/merit.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace quadric::optimize {

namespace {

/// Predictions from here on stand for "cannot be given back in the response's own unit".
constexpr double kUnpredictable = 1e299;
constexpr double kWorst = -1e300;

/// Smallest width of a desirability ramp, relative to its end: a limit that is a step gets this slope.
constexpr double kStepWidth = 1e-9;

double widthOf(double from, double to)
{
    return std::max(to - from, kStepWidth * std::max({1.0, std::abs(from), std::abs(to)}));
}

void appendPieces(const Desirability& d, Eigen::Index response, std::vector<Piece>& pieces)
{
    const auto rising = [&](double one) {
        const double width = widthOf(d.low, one);
        pieces.push_back({response, 1.0, one - width, width, d.shapeBelow, d.weight});
    };
    const auto falling = [&](double one) {
        const double width = widthOf(one, d.high);
        pieces.push_back({response, -1.0, one + width, width, d.shapeAbove, d.weight});
    };
    if (d.goal == study::Goal::Maximize)
        rising(d.high);
    if (d.goal == study::Goal::Minimize)
        falling(d.low);
    if (d.goal == study::Goal::Target) {
        rising(d.target);
        falling(d.target);
    }
}

std::vector<Piece> piecesOf(const std::vector<Desirability>& desirabilities)
{
    std::vector<Piece> pieces;
    for (std::size_t i = 0; i < desirabilities.size(); ++i) {
        if (desirabilities[i].weight > 0.0)
            appendPieces(desirabilities[i], static_cast<Eigen::Index>(i), pieces);
    }
    return pieces;
}

} // namespace

Merit::Merit(MeritMode mode, std::vector<Piece> pieces, double floor)
    : m_mode(mode)
    , m_pieces(std::move(pieces))
    , m_floor(floor)
{
    for (std::size_t i = 0; i < m_pieces.size(); ++i) {
        if (i == 0 || m_pieces[i].response != m_pieces[i - 1].response)
            m_totalWeight += m_pieces[i].weight;
    }
}

template <class Value> double Merit::combine(Value valueOf) const
{
    double worst = std::numeric_limits<double>::max();
    double logarithms = 0.0;
    double excess = 0.0;
    for (std::size_t i = 0; i < m_pieces.size();) {
        const Eigen::Index response = m_pieces[i].response;
        const double weight = m_pieces[i].weight;
        double logarithm = 0.0;
        double least = std::numeric_limits<double>::max();
        for (; i < m_pieces.size() && m_pieces[i].response == response; ++i) {
            const double quality = valueOf(m_pieces[i]);
            least = std::min(least, quality);
            if (m_mode != MeritMode::Minimum && quality > 0.0 && quality < 1.0)
                logarithm = std::min(logarithm, m_pieces[i].exponent * std::log(quality));
        }
        worst = std::min(worst, least);
        logarithms += weight * logarithm;
        excess += weight * std::max(least - 1.0, 0.0);
    }
    if (m_mode == MeritMode::Minimum || worst <= 0.0)
        return m_mode == MeritMode::Excess ? worst - 1.0 : worst;
    const double overall = std::max(std::exp(logarithms / m_totalWeight), std::numeric_limits<double>::min());
    if (m_mode == MeritMode::Product)
        return overall;
    return overall < m_floor ? overall - 1.0 : excess;
}

double Merit::operator()(const Eigen::ArrayXd& y) const
{
    for (const Piece& piece : m_pieces) {
        if (!(std::abs(y[piece.response]) < kUnpredictable))
            return kWorst;
    }
    return combine([&](const Piece& piece) { return piece.quality(y[piece.response]); });
}

double Merit::bound(const Eigen::ArrayXd& low, const Eigen::ArrayXd& high) const
{
    return combine([&](const Piece& piece) {
        return piece.quality(piece.sign > 0.0 ? high[piece.response] : low[piece.response]);
    });
}

double Merit::ceiling() const
{
    return m_mode == MeritMode::Product ? 1.0 : std::numeric_limits<double>::max();
}

Merit compromiseMerit(const std::vector<Desirability>& desirabilities)
{
    return {MeritMode::Product, piecesOf(desirabilities)};
}

Merit slackMerit(const std::vector<Desirability>& desirabilities)
{
    std::vector<Piece> pieces = piecesOf(desirabilities);
    for (Piece& piece : pieces)
        piece.offset += piece.sign * piece.width;
    return {MeritMode::Minimum, std::move(pieces)};
}

Merit excessMerit(const std::vector<Desirability>& desirabilities, double floor)
{
    return {MeritMode::Excess, piecesOf(desirabilities), floor};
}

Merit ownMerit(Eigen::Index response, study::Goal goal, double target, double width)
{
    std::vector<Piece> pieces;
    if (goal != study::Goal::Minimize)
        pieces.push_back({response, 1.0, target, width});
    if (goal != study::Goal::Maximize)
        pieces.push_back({response, -1.0, target, width});
    return {MeritMode::Minimum, std::move(pieces)};
}

} // namespace quadric::optimize
