// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/base/model_size.h"
#include "core/model/base/term.h"
#include "core/text/find_nearest.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>
#include <stdexcept>
#include <system_error>

namespace quadric::model {

namespace {

constexpr int kHighestDegree = 10;

void requireTerms(std::size_t terms)
{
    if (static_cast<double>(terms) > kMostCoefficients)
        throw ModelTooLarge("The formula has more terms than can be computed, expected at most " +
                            study::toText(kMostCoefficients) + ".");
}

/// Reads "A + B + A*B + A^2" from left to right.
class FormulaReader {
public:
    FormulaReader(std::string_view text, const std::vector<study::Factor>& factors)
        : m_text(text)
        , m_factors(factors)
    {
    }

    std::vector<Term> read()
    {
        std::vector<Term> terms;
        do {
            requireTerms(terms.size());
            terms.push_back(readProduct());
        } while (take('+'));
        if (m_at < m_text.size())
            fail("found '" + std::string(1, m_text[m_at]) + "', expected '+', '*' or '^'");
        return terms;
    }

private:
    void skipBlanks()
    {
        while (m_at < m_text.size() && std::isspace(static_cast<unsigned char>(m_text[m_at])))
            ++m_at;
    }

    bool take(char wanted)
    {
        skipBlanks();
        if (m_at >= m_text.size() || m_text[m_at] != wanted)
            return false;
        ++m_at;
        return true;
    }

    /// Letters of any language (bytes above ASCII), digits and underscores.
    std::string takeWord()
    {
        skipBlanks();
        const std::size_t start = m_at;
        const auto belongs = [](unsigned char c) { return std::isalnum(c) || c == '_' || c >= 0x80; };
        while (m_at < m_text.size() && belongs(static_cast<unsigned char>(m_text[m_at])))
            ++m_at;
        return std::string(m_text.substr(start, m_at - start));
    }

    Term readProduct()
    {
        Term term{std::vector<int>(m_factors.size(), 0)};
        do {
            readPower(term);
        } while (take('*'));
        if (term.degree() > kHighestDegree)
            fail("term '" + nameOf(term, m_factors) + "' is of degree " + std::to_string(term.degree()) +
                 ", the highest is " + std::to_string(kHighestDegree));
        return term;
    }

    void readPower(Term& term)
    {
        const std::string word = takeWord();
        if (word == "1")
            return;
        const std::size_t factor = factorNamed(word);
        const int power = take('^') ? readExponent() : 1;
        term.powers[factor] += power;
        if (!m_factors[factor].isNumeric() && term.powers[factor] > 1)
            fail("factor '" + word + "' is categorical and cannot be multiplied by itself");
    }

    std::size_t factorNamed(const std::string& word)
    {
        if (word.empty())
            fail("expected a factor name at column " + std::to_string(m_at + 1));
        for (std::size_t i = 0; i < m_factors.size(); ++i) {
            if (m_factors[i].name == word)
                return i;
        }
        std::vector<std::string> known = {"mean", "linear", "interactions", "quadratic"};
        for (const study::Factor& factor : m_factors)
            known.push_back(factor.name);
        fail("there is no factor " + text::describeUnknown(word, known));
    }

    int readExponent()
    {
        const std::string word = takeWord();
        int exponent = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), exponent);
        if (error != std::errc() || end != word.data() + word.size() || exponent < 1 ||
            exponent > kHighestDegree)
            fail("found exponent '" + word + "', expected 1 to " + std::to_string(kHighestDegree));
        return exponent;
    }

    [[noreturn]] void fail(const std::string& message) const
    {
        throw std::invalid_argument("model \"" + std::string(m_text) + "\": " + message);
    }

    std::string_view m_text;
    const std::vector<study::Factor>& m_factors;
    std::size_t m_at = 0;
};

/// All terms that divide `term`, itself included.
std::vector<Term> divisorsOf(const Term& term)
{
    std::vector<Term> divisors{Term{std::vector<int>(term.powers.size(), 0)}};
    for (std::size_t i = 0; i < term.powers.size(); ++i) {
        const std::size_t count = divisors.size();
        for (int power = 1; power <= term.powers[i]; ++power) {
            for (std::size_t d = 0; d < count; ++d) {
                divisors.push_back(divisors[d]);
                divisors.back().powers[i] = power;
            }
        }
    }
    return divisors;
}

/// Lower degree first, products of different factors before powers, earlier factors first.
bool comesBefore(const Term& a, const Term& b)
{
    const auto hasPower = [](const Term& term) {
        return std::any_of(term.powers.begin(), term.powers.end(), [](int power) { return power > 1; });
    };
    if (a.degree() != b.degree())
        return a.degree() < b.degree();
    if (hasPower(a) != hasPower(b))
        return hasPower(b);
    return a.powers > b.powers;
}

/// Refused before more than can be computed is in memory.
std::vector<Term> withHierarchy(const std::vector<Term>& wanted, std::size_t factors)
{
    std::set<Term, decltype(&comesBefore)> terms{{Term{std::vector<int>(factors, 0)}}, &comesBefore};
    for (const Term& term : wanted) {
        for (Term& divisor : divisorsOf(term))
            terms.insert(std::move(divisor));
        requireTerms(terms.size());
    }
    return {terms.begin(), terms.end()};
}

} // namespace

std::vector<Term> parseModel(std::string_view text, const std::vector<study::Factor>& factors)
{
    for (const Order order : {Order::Mean, Order::Linear, Order::Interactions, Order::Quadratic}) {
        if (text != nameOf(order))
            continue;
        requireSize(text, countColumns(order, factors), 0.0, 1.0);
        return termsOf(order, factors);
    }
    std::vector<Term> terms = withHierarchy(FormulaReader(text, factors).read(), factors.size());
    requireSize(text, countColumns(terms, factors), 0.0, 1.0);
    return terms;
}

} // namespace quadric::model
