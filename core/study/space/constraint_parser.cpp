// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/space/constraint.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <string_view>

namespace quadric::study {
namespace {

using Node = Constraint::Node;
using Kind = Node::Kind;
using NodePtr = std::unique_ptr<const Node>;

/// Both bound the stack that reading and evaluating take.
constexpr std::size_t kLongestConstraint = 4096;
constexpr int kDeepestNesting = 100;

struct Operator {
    std::string_view text;
    Kind kind;
};

constexpr std::array<Operator, 6> kComparisons{{{"<=", Kind::LessEqual},
                                                {">=", Kind::GreaterEqual},
                                                {"==", Kind::Equal},
                                                {"!=", Kind::NotEqual},
                                                {"<", Kind::Less},
                                                {">", Kind::Greater}}};
constexpr std::array<Operator, 1> kOr{{{"or", Kind::Or}}};
constexpr std::array<Operator, 1> kAnd{{{"and", Kind::And}}};
constexpr std::array<Operator, 2> kSums{{{"+", Kind::Add}, {"-", Kind::Subtract}}};
constexpr std::array<Operator, 3> kProducts{
    {{"*", Kind::Multiply}, {"/", Kind::Divide}, {"%", Kind::Remainder}}};

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// Letters, the underscore and everything beyond ASCII.
bool isNameStart(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
}

bool isNamePart(char c)
{
    return isNameStart(c) || isDigit(c);
}

NodePtr makeNode(Kind kind, NodePtr left, NodePtr right = {})
{
    auto node = std::make_unique<Node>();
    node->kind = kind;
    node->left = std::move(left);
    node->right = std::move(right);
    return node;
}

/// One function per level of precedence, from `or` down to a single number or name.
class Parser {
public:
    Parser(std::string_view text, std::vector<std::string>& names)
        : m_text(text)
        , m_names(names)
    {
    }

    NodePtr parseAll();

private:
    NodePtr parseOr() { return parseChain(kOr, &Parser::parseAnd, &Parser::condition); }
    NodePtr parseAnd() { return parseChain(kAnd, &Parser::parseNot, &Parser::condition); }
    NodePtr parseNot();
    NodePtr parseComparison();
    NodePtr parseSum() { return parseChain(kSums, &Parser::parseProduct, &Parser::operand); }
    NodePtr parseProduct() { return parseChain(kProducts, &Parser::parseSigned, &Parser::operand); }
    NodePtr parseSigned();
    NodePtr parsePrimary();
    NodePtr parseNumber();
    NodePtr parseText();
    NodePtr parseName();
    NodePtr parseGroup();

    /// Operands of one level, joined from the left; `check` refuses what is none.
    template <std::size_t n>
    NodePtr parseChain(const std::array<Operator, n>& operators, NodePtr (Parser::*parseOperand)(),
                       NodePtr (Parser::*check)(NodePtr, std::size_t) const);

    void skipSpace();
    bool takeSymbol(std::string_view symbol);
    bool takeWord(std::string_view word);
    std::string_view peekWord();
    template <std::size_t n> const Operator* takeOperator(const std::array<Operator, n>& operators);

    NodePtr condition(NodePtr node, std::size_t start) const;
    NodePtr operand(NodePtr node, std::size_t start) const;
    void enter();
    [[noreturn]] void fail(std::size_t position, const std::string& expected) const;

    std::string_view m_text;
    std::size_t m_position = 0;
    int m_depth = 0;
    std::vector<std::string>& m_names;
};

void Parser::fail(std::size_t position, const std::string& expected) const
{
    throw std::invalid_argument("column " + std::to_string(position + 1) + ": expected " + expected);
}

void Parser::skipSpace()
{
    while (m_position < m_text.size() && (m_text[m_position] == ' ' || m_text[m_position] == '\t'))
        ++m_position;
}

bool Parser::takeSymbol(std::string_view symbol)
{
    skipSpace();
    if (!m_text.substr(m_position).starts_with(symbol))
        return false;
    m_position += symbol.size();
    return true;
}

std::string_view Parser::peekWord()
{
    skipSpace();
    std::size_t end = m_position;
    if (end < m_text.size() && isNameStart(m_text[end])) {
        while (end < m_text.size() && isNamePart(m_text[end]))
            ++end;
    }
    return m_text.substr(m_position, end - m_position);
}

bool Parser::takeWord(std::string_view word)
{
    if (peekWord() != word)
        return false;
    m_position += word.size();
    return true;
}

template <std::size_t n> const Operator* Parser::takeOperator(const std::array<Operator, n>& operators)
{
    for (const Operator& candidate : operators) {
        const bool isWord = isNameStart(candidate.text.front());
        if (isWord ? takeWord(candidate.text) : takeSymbol(candidate.text))
            return &candidate;
    }
    return nullptr;
}

NodePtr Parser::condition(NodePtr node, std::size_t start) const
{
    if (!node->isCondition())
        fail(start, "a condition such as a * b <= 8");
    return node;
}

NodePtr Parser::operand(NodePtr node, std::size_t start) const
{
    if (node->isCondition())
        fail(start, "a number or a name, not a condition; conditions are joined by and, or");
    return node;
}

void Parser::enter()
{
    if (++m_depth > kDeepestNesting)
        fail(m_position, "at most " + std::to_string(kDeepestNesting) + " levels of nesting");
}

NodePtr Parser::parseAll()
{
    if (m_text.size() > kLongestConstraint)
        fail(kLongestConstraint, "at most " + std::to_string(kLongestConstraint) + " characters");
    skipSpace();
    const std::size_t start = m_position;
    NodePtr root = parseOr();
    skipSpace();
    if (m_position < m_text.size())
        fail(m_position, "an operator such as + or <= or ==, or the end");
    return condition(std::move(root), start);
}

template <std::size_t n>
NodePtr Parser::parseChain(const std::array<Operator, n>& operators, NodePtr (Parser::*parseOperand)(),
                           NodePtr (Parser::*check)(NodePtr, std::size_t) const)
{
    skipSpace();
    const std::size_t start = m_position;
    NodePtr left = (this->*parseOperand)();
    while (const Operator* found = takeOperator(operators)) {
        const std::size_t next = m_position;
        left = (this->*check)(std::move(left), start);
        NodePtr right = (this->*check)((this->*parseOperand)(), next);
        left = makeNode(found->kind, std::move(left), std::move(right));
    }
    return left;
}

NodePtr Parser::parseNot()
{
    if (!takeWord("not"))
        return parseComparison();
    enter();
    const std::size_t start = m_position;
    NodePtr inner = condition(parseNot(), start);
    --m_depth;
    return makeNode(Kind::Not, std::move(inner));
}

NodePtr Parser::parseComparison()
{
    skipSpace();
    const std::size_t start = m_position;
    NodePtr left = parseSum();
    const Operator* comparison = takeOperator(kComparisons);
    if (!comparison)
        return left;
    left = operand(std::move(left), start);
    const std::size_t next = m_position;
    NodePtr right = operand(parseSum(), next);
    skipSpace();
    const std::size_t after = m_position;
    if (takeOperator(kComparisons))
        fail(after, "one comparison; write a < b and b < c");
    return makeNode(comparison->kind, std::move(left), std::move(right));
}

NodePtr Parser::parseSigned()
{
    const bool minus = takeSymbol("-");
    if (!minus && !takeSymbol("+"))
        return parsePrimary();
    enter();
    const std::size_t start = m_position;
    NodePtr inner = operand(parseSigned(), start);
    --m_depth;
    return minus ? makeNode(Kind::Negate, std::move(inner)) : std::move(inner);
}

NodePtr Parser::parsePrimary()
{
    skipSpace();
    const char next = m_position < m_text.size() ? m_text[m_position] : '\0';
    if (next == '(')
        return parseGroup();
    if (next == '"' || next == '\'')
        return parseText();
    if (isDigit(next) || next == '.')
        return parseNumber();
    if (isNameStart(next))
        return parseName();
    fail(m_position, "a number, a name or (");
}

NodePtr Parser::parseGroup()
{
    enter();
    ++m_position;
    NodePtr inner = parseOr();
    if (!takeSymbol(")"))
        fail(m_position, ")");
    --m_depth;
    return inner;
}

NodePtr Parser::parseNumber()
{
    auto node = std::make_unique<Node>();
    const char* begin = m_text.data() + m_position;
    const auto [end, error] = std::from_chars(begin, m_text.data() + m_text.size(), node->number);
    if (error != std::errc{} || !std::isfinite(node->number))
        fail(m_position, "a number");
    m_position += static_cast<std::size_t>(end - begin);
    if (m_position < m_text.size() && isNamePart(m_text[m_position]))
        fail(m_position, "an operator after the number");
    return node;
}

NodePtr Parser::parseText()
{
    const std::size_t end = m_text.find(m_text[m_position], m_position + 1);
    if (end == std::string_view::npos)
        fail(m_position, "a closing quote");
    auto node = std::make_unique<Node>();
    node->kind = Kind::Text;
    node->text = m_text.substr(m_position + 1, end - m_position - 1);
    m_position = end + 1;
    return node;
}

NodePtr Parser::parseName()
{
    const std::string_view word = peekWord();
    if (word == "and" || word == "or" || word == "not")
        fail(m_position, "a number or a name before " + std::string(word));
    m_position += word.size();
    skipSpace();
    if (m_position < m_text.size() && m_text[m_position] == '(')
        fail(m_position, "an operator; there are no functions");
    auto node = std::make_unique<Node>();
    node->kind = Kind::Name;
    node->text = word;
    if (std::find(m_names.begin(), m_names.end(), node->text) == m_names.end())
        m_names.push_back(node->text);
    return node;
}

} // namespace

std::unique_ptr<const Constraint::Node> parseConstraint(const std::string& text,
                                                        std::vector<std::string>& names)
{
    return Parser(text, names).parseAll();
}

} // namespace quadric::study
