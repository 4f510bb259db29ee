// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/space/constraint.h"

#include <cmath>
#include <stdexcept>

namespace quadric::study {

namespace {

using Node = Constraint::Node;
using Kind = Node::Kind;

/// Walks the tree at given settings. What is no finite number is not a number from there on.
class Evaluation {
public:
    explicit Evaluation(const Settings& settings)
        : m_settings(settings)
    {
    }

    /// Maybe where the answer hangs on something undefined.
    Verdict judge(const Node& node) const;

    /// Not a number where it is undefined.
    double number(const Node& node) const;
    /// A text, or a name whose value is one.
    bool isText(const Node& node) const { return textOf(node) != nullptr; }

private:
    double arithmetic(const Node& node) const;
    bool compare(Kind comparison, double left, double right) const;
    Verdict comparison(const Node& node) const;
    const Value& valueOf(const Node& name) const;
    const std::string* textOf(const Node& node) const;

    const Settings& m_settings;
};

const Value& Evaluation::valueOf(const Node& name) const
{
    const auto found = m_settings.find(name.text);
    if (found == m_settings.end())
        throw std::invalid_argument(name.text + " has no value, expected a factor or a fixed setting");
    return found->second;
}

/// The text of a quoted text or of a name whose value is a text; null for numbers.
const std::string* Evaluation::textOf(const Node& node) const
{
    if (node.kind == Kind::Text)
        return &node.text;
    return node.kind == Kind::Name ? std::get_if<std::string>(&valueOf(node)) : nullptr;
}

double Evaluation::number(const Node& node) const
{
    if (node.kind == Kind::Number)
        return node.number;
    if (node.kind == Kind::Text)
        throw std::invalid_argument("\"" + node.text + "\" is a text, expected a number");
    if (node.kind == Kind::Name) {
        const Value& value = valueOf(node);
        if (std::holds_alternative<std::string>(value))
            throw std::invalid_argument(node.text + " is the text \"" + toText(value) +
                                        "\", expected a number");
        return std::get<double>(value);
    }
    const double result = arithmetic(node);
    return std::isfinite(result) ? result : std::nan("");
}

double Evaluation::arithmetic(const Node& node) const
{
    const double left = number(*node.left);
    if (node.kind == Kind::Negate)
        return -left;
    const double right = number(*node.right);
    switch (node.kind) {
    case Kind::Add:
        return left + right;
    case Kind::Subtract:
        return left - right;
    case Kind::Multiply:
        return left * right;
    case Kind::Divide:
        return right == 0.0 ? std::nan("") : left / right;
    default:
        return right == 0.0 ? std::nan("") : std::fmod(left, right);
    }
}

bool Evaluation::compare(Kind comparison, double left, double right) const
{
    switch (comparison) {
    case Kind::Less:
        return left < right;
    case Kind::LessEqual:
        return left <= right;
    case Kind::Greater:
        return left > right;
    case Kind::GreaterEqual:
        return left >= right;
    case Kind::Equal:
        return left == right;
    default:
        return left != right;
    }
}

Verdict Evaluation::comparison(const Node& node) const
{
    const bool isEquality = node.kind == Kind::Equal || node.kind == Kind::NotEqual;
    const std::string* leftText = textOf(*node.left);
    const std::string* rightText = textOf(*node.right);
    if (isEquality && leftText && rightText)
        return verdictOf((*leftText == *rightText) == (node.kind == Kind::Equal));
    const double left = number(*node.left);
    const double right = number(*node.right);
    if (std::isnan(left) || std::isnan(right))
        return Verdict::Maybe;
    return verdictOf(compare(node.kind, left, right));
}

Verdict Evaluation::judge(const Node& node) const
{
    if (node.kind == Kind::Not)
        return opposite(judge(*node.left));
    if (node.kind != Kind::And && node.kind != Kind::Or)
        return comparison(node);
    const Verdict left = judge(*node.left);
    if (left == verdictOf(node.kind == Kind::Or))
        return left;
    return node.kind == Kind::And ? both(left, judge(*node.right)) : either(left, judge(*node.right));
}

std::string trimmed(const std::string& text)
{
    const std::size_t from = text.find_first_not_of(' ');
    return from == std::string::npos ? "" : text.substr(from, text.find_last_not_of(' ') - from + 1);
}

std::string typesetProduct(std::string text)
{
    for (std::size_t at = text.find('*'); at != std::string::npos; at = text.find('*', at))
        text.replace(at, 1, "×");
    return text;
}

/// What is true where the comparison is not.
std::string oppositeOf(const std::string& comparison)
{
    if (comparison == "<=")
        return ">";
    if (comparison == "<")
        return "≥";
    if (comparison == ">=")
        return "<";
    if (comparison == ">")
        return "≤";
    return comparison == "==" ? "≠" : "=";
}

Settings withFixed(const Study& study, Settings settings)
{
    settings.insert(study.fixed.begin(), study.fixed.end());
    return settings;
}

} // namespace

Constraint::Constraint(const std::string& text)
    : m_text(text)
    , m_root(parseConstraint(text, m_names))
{
}

bool Constraint::holds(const Settings& settings) const
{
    return Evaluation(settings).judge(*m_root) == Verdict::Yes;
}

std::optional<Constraint::Sides> Constraint::findSides(const Settings& settings) const
{
    const bool isComparison = m_root->kind >= Kind::Less && m_root->kind <= Kind::NotEqual;
    const Evaluation evaluation(settings);
    if (!isComparison || evaluation.isText(*m_root->left) || evaluation.isText(*m_root->right))
        return std::nullopt;
    const std::size_t at = m_text.find_first_of("<>=!");
    const std::size_t end = m_text.find_first_not_of("<>=!", at);
    if (at == std::string::npos || end == std::string::npos)
        return std::nullopt;
    Sides sides{trimmed(m_text.substr(0, at)), m_text.substr(at, end - at), trimmed(m_text.substr(end)),
                evaluation.number(*m_root->left), evaluation.number(*m_root->right)};
    const bool isDefined = std::isfinite(sides.leftValue) && std::isfinite(sides.rightValue);
    return isDefined ? std::optional(sides) : std::nullopt;
}

std::string describeViolation(const Study& study, const Settings& settings)
{
    const Settings all = withFixed(study, settings);
    for (const std::string& text : study.constraints) {
        const Constraint constraint(text);
        if (constraint.holds(all))
            continue;
        const std::optional<Constraint::Sides> sides = constraint.findSides(all);
        if (!sides)
            return typesetProduct(text) + " is not true";
        return typesetProduct(sides->left) + " = " + toText(sides->leftValue) + " " +
               oppositeOf(sides->comparison) + " " + toText(sides->rightValue);
    }
    return {};
}

bool isLegal(const Study& study, const Settings& settings)
{
    const Settings all = withFixed(study, settings);
    return std::all_of(study.constraints.begin(), study.constraints.end(),
                       [&](const std::string& text) { return Constraint(text).holds(all); });
}

std::string findViolation(const Study& study, const Settings& settings)
{
    try {
        return describeViolation(study, settings);
    } catch (const std::invalid_argument&) {
        return {};
    }
}

} // namespace quadric::study
