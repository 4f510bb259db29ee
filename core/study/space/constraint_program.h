// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/space/constraint.h"

#include <span>

namespace quadric::study {

/// A range of actual values; one value where both ends are the same.
struct Range {
    double low = 0.0, high = 0.0;
    bool isPoint() const { return low == high; }
};

/// The constraints of a study in a form that a search can ask very often. Factors are given as numbers in the
/// study's order: actual values, or the index of the level of a categorical factor.
class ConstraintProgram {
public:
    /// Throws std::invalid_argument for a constraint that cannot be read or that uses a name without a value.
    explicit ConstraintProgram(const Study& study);

    bool isEmpty() const { return m_roots.empty(); }

    /// A constraint names this factor.
    bool uses(std::size_t factor) const;

    /// Whether all constraints hold everywhere, somewhere perhaps, or nowhere in a box of settings (interval
    /// arithmetic). At a single point never Maybe.
    Verdict judge(std::span<const Range> settings) const;

    /// How far every constraint is from being violated, relative to the numbers that it compares: positive
    /// where they hold, 0 on the boundary. The smallest over the constraints; equalities do not take part.
    double margin(std::span<const double> settings) const;

    /// The same for a boundary over some factors, the others held: an equality of held factors counts, 1
    /// where it is as wanted and −1 where it is not; one along a numeric factor that varies has no area and
    /// takes no part.
    double boundaryMargin(std::span<const double> settings, const std::vector<std::size_t>& varied) const;

private:
    using Kind = Constraint::Node::Kind;
    struct Op {
        Kind kind = Kind::Number;
        double number = 0.0;
        std::size_t left = 0, right = 0; ///< operands; `left` is the factor of Kind::Name
    };
    class Compiler;

    static Range arithmetic(Kind kind, const Range& a, const Range& b);
    Range range(std::size_t op, std::span<const Range> settings) const;
    Verdict judge(std::size_t op, std::span<const Range> settings) const;
    double number(std::size_t op, std::span<const double> settings) const;
    /// `varied`: see boundaryMargin(); none: equalities take no part.
    double margin(std::size_t op, std::span<const double> settings, bool wanted,
                  const std::vector<std::size_t>* varied) const;
    double equalityMargin(std::size_t op, std::span<const double> settings, bool wanted,
                          const std::vector<std::size_t>& varied) const;
    bool reads(std::size_t op, const std::vector<std::size_t>& factors) const;

    std::vector<Op> m_ops;
    std::vector<std::size_t> m_roots;
    std::vector<bool> m_isCategorical; ///< per factor
};

} // namespace quadric::study
