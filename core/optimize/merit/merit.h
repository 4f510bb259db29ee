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
    double exponent = 1.0; ///< MeritMode::Product
    double weight = 1.0;   ///< MeritMode::Product; the same in all pieces of a response

    double quality(double y) const { return sign * (y - offset) / width; }
};

enum class MeritMode {
    Product, ///< overall desirability where every quality is positive, otherwise the smallest quality (≤ 0)
    Minimum  ///< the smallest quality
};

/// What a search makes as large as possible, as a function of the predicted responses. Desirability is flat
/// at zero in large parts of a region; there the smallest quality (the largest shortfall from an acceptable
/// limit) leads the search on. Pieces of one response stand next to one another; their smallest counts.
class Merit {
public:
    Merit(MeritMode mode, std::vector<Piece> pieces);

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
};

/// Overall desirability; entry i of the list belongs to response i. Goals and weights say which take part.
Merit compromiseMerit(const std::vector<Desirability>& desirabilities);

/// One response alone in the sense of its goal: y, −y or −|y − target|, over `width`.
Merit ownMerit(Eigen::Index response, study::Goal goal, double target, double width);

} // namespace quadric::optimize
