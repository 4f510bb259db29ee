// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <algorithm>
#include <memory>
#include <optional>

namespace quadric::study {

/// What is known of a condition: the logic of three values (Kleene), in which `false and Maybe` is false and
/// `true or Maybe` is true, on whichever side they stand.
enum class Verdict { No, Maybe, Yes };

/// A condition on the settings such as `gpu_count * batch_per_gpu <= 8192` or `gpu_count % 8 == 0`: numbers,
/// factor names (fixed settings too), + − * / %, comparisons, and, or, not, parentheses; `name == "level"`
/// for categorical factors. No functions, no code.
class Constraint {
public:
    /// Throws std::invalid_argument with the column and what was expected.
    explicit Constraint(const std::string& text);

    /// Whether the condition is true at `settings`. A comparison of something undefined (a division by zero,
    /// a number too large) is neither true nor false; where the answer hangs on it, and under `not` too, the
    /// condition does not hold. Throws std::invalid_argument when a name has no value in `settings`, or a
    /// text where a number is needed.
    bool holds(const Settings& settings) const;

    /// The numbers on both sides where the condition is one comparison of numbers, and their texts.
    struct Sides {
        std::string left, comparison, right;
        double leftValue = 0.0, rightValue = 0.0;
    };
    /// Empty for anything else, and where a side is undefined. Throws as holds() does.
    std::optional<Sides> findSides(const Settings& settings) const;

    const std::string& text() const { return m_text; }
    /// Every name used, once, in the order of appearance.
    const std::vector<std::string>& names() const { return m_names; }

    struct Node;

private:
    std::string m_text;
    std::vector<std::string> m_names;
    std::shared_ptr<const Node> m_root;
};

/// The first constraint of the study that does not hold at `settings`, with its numbers where it compares
/// some: "gpus × batch = 57 856 > 32 768". Empty where the setting is legal. Throws std::invalid_argument as
/// Constraint does.
std::string describeViolation(const Study& study, const Settings& settings);

/// All constraints of the study hold at `settings` (its fixed settings added). Throws std::invalid_argument
/// as Constraint does.
bool isLegal(const Study& study, const Settings& settings);

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

/// What describeViolation() says; empty too where the constraints cannot be read, of which validate() tells.
std::string findViolation(const Study& study, const Settings& settings);

} // namespace quadric::study
