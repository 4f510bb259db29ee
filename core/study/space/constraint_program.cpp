// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/space/constraint_program.h"

#include "core/study/space/constraint.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace quadric::study {

namespace {

using Node = Constraint::Node;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

constexpr Range kAnything{-kInfinity, kInfinity};

/// A range with an end that is no finite number holds results that are undefined.
Range finiteOrAnything(const Range& range)
{
    return std::isfinite(range.low) && std::isfinite(range.high) ? range : kAnything;
}

Range hull(std::initializer_list<double> corners)
{
    Range result{kInfinity, -kInfinity};
    for (const double corner : corners) {
        if (std::isnan(corner))
            return kAnything;
        result = {std::min(result.low, corner), std::max(result.high, corner)};
    }
    return result;
}

Range product(const Range& a, const Range& b)
{
    return hull({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
}

Range quotient(const Range& a, const Range& b)
{
    if (b.low <= 0.0 && b.high >= 0.0)
        return kAnything;
    return hull({a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high});
}

Range remainder(const Range& a, const Range& b)
{
    if (a.isPoint() && b.isPoint() && b.low != 0.0)
        return {std::fmod(a.low, b.low), std::fmod(a.low, b.low)};
    return kAnything;
}

Verdict isLess(const Range& a, const Range& b)
{
    return a.high < b.low ? Verdict::Yes : a.low < b.high ? Verdict::Maybe : Verdict::No;
}

Verdict isLessOrEqual(const Range& a, const Range& b)
{
    return a.high <= b.low ? Verdict::Yes : a.low <= b.high ? Verdict::Maybe : Verdict::No;
}

Verdict isEqual(const Range& a, const Range& b)
{
    if (a.isPoint() && b.isPoint())
        return a.low == b.low ? Verdict::Yes : Verdict::No;
    return a.high < b.low || a.low > b.high ? Verdict::No : Verdict::Maybe;
}

} // namespace

/// Turns the tree of a constraint into operations on numbers; texts become indices of levels.
class ConstraintProgram::Compiler {
public:
    Compiler(const Study& study, std::vector<Op>& ops)
        : m_study(study)
        , m_ops(ops)
    {
    }

    std::size_t condition(const Node& node)
    {
        if (node.kind == Kind::And || node.kind == Kind::Or)
            return add(node.kind, condition(*node.left), condition(*node.right));
        if (node.kind == Kind::Not)
            return add(Kind::Not, condition(*node.left), 0);
        return isText(*node.left) && isText(*node.right) ? textComparison(node) : comparison(node);
    }

private:
    std::size_t add(Kind kind, std::size_t left, std::size_t right)
    {
        m_ops.push_back({kind, 0.0, left, right});
        return m_ops.size() - 1;
    }

    std::size_t constant(double value)
    {
        m_ops.push_back({Kind::Number, value, 0, 0});
        return m_ops.size() - 1;
    }

    std::size_t factor(const Factor* factor)
    {
        return add(Kind::Name, static_cast<std::size_t>(factor - m_study.factors.data()), 0);
    }

    bool isText(const Node& node) const
    {
        if (node.kind != Kind::Name)
            return node.kind == Kind::Text;
        const Factor* found = findFactor(m_study, node.text);
        return found ? !found->isNumeric() : std::holds_alternative<std::string>(fixedValue(node));
    }

    const Value& fixedValue(const Node& node) const
    {
        const auto found = m_study.fixed.find(node.text);
        if (found == m_study.fixed.end())
            throw std::invalid_argument(node.text + " has no value, expected a factor or a fixed setting");
        return found->second;
    }

    std::size_t comparison(const Node& node)
    {
        const std::size_t left = number(*node.left);
        const std::size_t right = number(*node.right);
        if (node.kind == Kind::Greater)
            return add(Kind::Less, right, left);
        if (node.kind == Kind::GreaterEqual)
            return add(Kind::LessEqual, right, left);
        return add(node.kind, left, right);
    }

    std::size_t number(const Node& node)
    {
        if (node.kind == Kind::Number)
            return constant(node.number);
        if (isText(node))
            throw std::invalid_argument(node.text + " is a text, expected a number");
        if (node.kind == Kind::Name) {
            const Factor* found = findFactor(m_study, node.text);
            return found ? factor(found) : constant(numberOf(fixedValue(node)));
        }
        const std::size_t left = number(*node.left);
        return add(node.kind, left, node.kind == Kind::Negate ? left : number(*node.right));
    }

    /// The texts that a node can be, with the operation that says whether it is that text now.
    std::vector<std::pair<std::string, std::size_t>> textsOf(const Node& node)
    {
        const Factor* found = node.kind == Kind::Name ? findFactor(m_study, node.text) : nullptr;
        if (!found) {
            const std::string text = node.kind == Kind::Text ? node.text : toText(fixedValue(node));
            return {{text, add(Kind::Equal, constant(0.0), constant(0.0))}};
        }
        std::vector<std::pair<std::string, std::size_t>> texts;
        for (std::size_t i = 0; i < found->categories.size(); ++i) {
            const std::size_t index = constant(static_cast<double>(i));
            texts.emplace_back(found->categories[i], add(Kind::Equal, factor(found), index));
        }
        return texts;
    }

    std::size_t textComparison(const Node& node)
    {
        if (node.kind != Kind::Equal && node.kind != Kind::NotEqual)
            throw std::invalid_argument("texts can only be compared with == and !=");
        std::size_t same = add(Kind::NotEqual, constant(0.0), constant(0.0));
        const auto rights = textsOf(*node.right);
        for (const auto& [leftText, isLeft] : textsOf(*node.left))
            for (const auto& [rightText, isRight] : rights) {
                if (leftText == rightText)
                    same = add(Kind::Or, same, add(Kind::And, isLeft, isRight));
            }
        return node.kind == Kind::Equal ? same : add(Kind::Not, same, 0);
    }

    const Study& m_study;
    std::vector<Op>& m_ops;
};

ConstraintProgram::ConstraintProgram(const Study& study)
{
    for (const Factor& factor : study.factors)
        m_isCategorical.push_back(!factor.isNumeric());
    Compiler compiler(study, m_ops);
    for (const std::string& text : study.constraints) {
        std::vector<std::string> names;
        const auto root = parseConstraint(text, names);
        m_roots.push_back(compiler.condition(*root));
    }
}

bool ConstraintProgram::uses(std::size_t factor) const
{
    return std::ranges::any_of(m_ops,
                               [&](const Op& op) { return op.kind == Kind::Name && op.left == factor; });
}

Range ConstraintProgram::range(std::size_t at, std::span<const Range> settings) const
{
    const Op& op = m_ops[at];
    if (op.kind == Kind::Number)
        return {op.number, op.number};
    if (op.kind == Kind::Name)
        return settings[op.left];
    const Range a = range(op.left, settings);
    if (op.kind == Kind::Negate)
        return {-a.high, -a.low};
    return finiteOrAnything(arithmetic(op.kind, a, range(op.right, settings)));
}

Range ConstraintProgram::arithmetic(Kind kind, const Range& a, const Range& b)
{
    switch (kind) {
    case Kind::Add:
        return {a.low + b.low, a.high + b.high};
    case Kind::Subtract:
        return {a.low - b.high, a.high - b.low};
    case Kind::Multiply:
        return product(a, b);
    case Kind::Divide:
        return quotient(a, b);
    default:
        return remainder(a, b);
    }
}

Verdict ConstraintProgram::judge(std::size_t at, std::span<const Range> settings) const
{
    const Op& op = m_ops[at];
    if (op.kind == Kind::And)
        return both(judge(op.left, settings), judge(op.right, settings));
    if (op.kind == Kind::Or)
        return either(judge(op.left, settings), judge(op.right, settings));
    if (op.kind == Kind::Not)
        return opposite(judge(op.left, settings));
    const Range a = range(op.left, settings);
    const Range b = range(op.right, settings);
    switch (op.kind) {
    case Kind::Less:
        return isLess(a, b);
    case Kind::LessEqual:
        return isLessOrEqual(a, b);
    case Kind::Equal:
        return isEqual(a, b);
    default:
        return opposite(isEqual(a, b));
    }
}

Verdict ConstraintProgram::judge(std::span<const Range> settings) const
{
    Verdict verdict = Verdict::Yes;
    for (const std::size_t root : m_roots) {
        verdict = both(verdict, judge(root, settings));
        if (verdict == Verdict::No)
            return verdict;
    }
    const bool isPoint =
        std::all_of(settings.begin(), settings.end(), [](const Range& range) { return range.isPoint(); });
    return isPoint && verdict == Verdict::Maybe ? Verdict::No : verdict; // something undefined
}

double ConstraintProgram::number(std::size_t at, std::span<const double> settings) const
{
    const Op& op = m_ops[at];
    if (op.kind == Kind::Number)
        return op.number;
    if (op.kind == Kind::Name)
        return settings[op.left];
    const double a = number(op.left, settings);
    if (op.kind == Kind::Negate)
        return -a;
    const double b = number(op.right, settings);
    const Range result = finiteOrAnything(arithmetic(op.kind, {a, a}, {b, b}));
    return result.isPoint() ? result.low : std::numeric_limits<double>::quiet_NaN();
}

/// A number that the operation needs is one of these factors'.
bool ConstraintProgram::reads(std::size_t at, const std::vector<std::size_t>& factors) const
{
    const Op& op = m_ops[at];
    if (op.kind == Kind::Number)
        return false;
    if (op.kind == Kind::Name)
        return !m_isCategorical[op.left] && std::ranges::find(factors, op.left) != factors.end();
    return reads(op.left, factors) || (op.kind != Kind::Negate && reads(op.right, factors));
}

double ConstraintProgram::equalityMargin(std::size_t at, std::span<const double> settings, bool wanted,
                                         const std::vector<std::size_t>& varied) const
{
    const Op& op = m_ops[at];
    if (reads(op.left, varied) || reads(op.right, varied))
        return 1.0;
    const double a = number(op.left, settings);
    const double b = number(op.right, settings);
    const bool isTrue = std::isfinite(a) && std::isfinite(b) && (a == b) == (op.kind == Kind::Equal);
    return isTrue == wanted ? 1.0 : -1.0;
}

double ConstraintProgram::margin(std::size_t at, std::span<const double> settings, bool wanted,
                                 const std::vector<std::size_t>* varied) const
{
    const Op& op = m_ops[at];
    if (op.kind == Kind::Not)
        return margin(op.left, settings, !wanted, varied);
    if (op.kind == Kind::And || op.kind == Kind::Or) {
        const double a = margin(op.left, settings, wanted, varied);
        const double b = margin(op.right, settings, wanted, varied);
        return (op.kind == Kind::And) == wanted ? std::min(a, b) : std::max(a, b);
    }
    if (op.kind == Kind::Equal || op.kind == Kind::NotEqual)
        return varied == nullptr ? 1.0 : equalityMargin(at, settings, wanted, *varied);
    const double a = number(op.left, settings);
    const double b = number(op.right, settings);
    const double margin = (b - a) / std::max({std::abs(a), std::abs(b), 1.0});
    if (!std::isfinite(margin))
        return -1.0;
    return wanted ? margin : -margin;
}

double ConstraintProgram::margin(std::span<const double> settings) const
{
    double smallest = 1.0;
    for (const std::size_t root : m_roots)
        smallest = std::min(smallest, margin(root, settings, true, nullptr));
    return smallest;
}

double ConstraintProgram::boundaryMargin(std::span<const double> settings,
                                         const std::vector<std::size_t>& varied) const
{
    double smallest = 1.0;
    for (const std::size_t root : m_roots)
        smallest = std::min(smallest, margin(root, settings, true, &varied));
    return smallest;
}

} // namespace quadric::study
