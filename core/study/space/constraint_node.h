// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/space/constraint.h"

#include <algorithm>

namespace quadric::study {

/// A node of the tree that a constraint is read into.
struct Constraint::Node {
    enum class Kind {
        Number,
        Text,
        Name,
        Negate,
        Add,
        Subtract,
        Multiply,
        Divide,
        Remainder,
        Less,
        LessEqual,
        Greater,
        GreaterEqual,
        Equal,
        NotEqual,
        And,
        Or,
        Not
    };

    Kind kind = Kind::Number;
    double number = 0.0;               ///< Kind::Number
    std::string text;                  ///< Kind::Text, Kind::Name
    std::unique_ptr<const Node> left;  ///< the only operand of Negate and Not
    std::unique_ptr<const Node> right; ///< empty where there is one operand

    /// True or false rather than a number or a text.
    bool isCondition() const { return kind >= Kind::Less; }
};

inline Verdict verdictOf(bool isTrue)
{
    return isTrue ? Verdict::Yes : Verdict::No;
}
inline Verdict both(Verdict a, Verdict b)
{
    return std::min(a, b);
}
inline Verdict either(Verdict a, Verdict b)
{
    return std::max(a, b);
}
inline Verdict opposite(Verdict a)
{
    return a == Verdict::Maybe ? a : verdictOf(a == Verdict::No);
}

/// Reads a constraint. Names are added to `names`, each once. Throws std::invalid_argument with the column.
std::unique_ptr<const Constraint::Node> parseConstraint(const std::string& text,
                                                        std::vector<std::string>& names);

} // namespace quadric::study
