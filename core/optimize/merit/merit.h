// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/merit/desirability.h"

namespace quadric::optimize {

/// A linear quality of one predicted response, larger is better: sign (y − offset) / width.
struct Piece {
    Eigen::Index response = 0;
    double sign = 1.0;
    double offset = 0.0;
    double width = 1.0;
    double exponent = 1.0; ///< MeritMode::Product and Excess
    double weight = 1.0;   ///< MeritMode::Product and Excess; the same in all pieces of a response

    double quality(double y) const { return sign * (y - offset) / width; }
};

enum class MeritMode {
    Product, ///< overall desirability where every quality is positive, otherwise the smallest quality (≤ 0)
    Minimum, ///< the smallest quality
    Excess ///< Σ weight × (quality − 1) of the responses above 1 where the overall desirability is at least a
           ///< floor, otherwise how far it falls short of that (< 0)
};

/// What a search makes as large as possible, as a function of the predicted responses. Desirability is flat
/// at zero in large parts of a region; there the smallest quality (the largest shortfall from an acceptable
/// limit) leads the search on. Pieces of one response stand next to one another; their smallest counts.
class Merit {
public:
    /// `floor`: MeritMode::Excess.
    Merit(MeritMode mode, std::vector<Piece> pieces, double floor = 0.0);

    MeritMode mode() const { return m_mode; }
    const std::vector<Piece>& pieces() const { return m_pieces; }
    double totalWeight() const { return m_totalWeight; }

    double operator()(const Eigen::ArrayXd& y) const;

    /// Upper bound where the responses lie between `low` and `high`.
    double bound(const Eigen::ArrayXd& low, const Eigen::ArrayXd& high) const;

    /// Largest value that the merit can take: 1 for desirability.
    double ceiling() const;

private:
    template <class Value> double combine(Value valueOf) const;

    MeritMode m_mode;
    std::vector<Piece> m_pieces;
    double m_totalWeight = 0.0;
    double m_floor = 0.0;
};

/// Overall desirability; entry i of the list belongs to response i. Goals and weights say which take part.
Merit compromiseMerit(const std::vector<Desirability>& desirabilities);

/// What decides between settings that all reach the desirability 1: the smallest of the distances beyond the
/// ends where the responses reach 1, each as a share of the way from 0 to 1.
Merit slackMerit(const std::vector<Desirability>& desirabilities);

/// What decides between settings of the same overall desirability `floor` below 1.
Merit excessMerit(const std::vector<Desirability>& desirabilities, double floor);

/// One response alone in the sense of its goal: y, −y or −|y − target|, over `width`.
Merit ownMerit(Eigen::Index response, study::Goal goal, double target, double width);

} // namespace quadric::optimize
