// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/base/model_size.h"

#include "core/text/numbers.h"
#include "core/text/typed_text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <set>
#include <system_error>

namespace quadric::model {

namespace {

/// Columns that one factor has at each degree: a numeric one x, x², …; a categorical one its contrasts.
double columnsOfDegree(const study::Factor& factor, int degree)
{
    if (degree == 0 || factor.isNumeric())
        return 1.0;
    return degree == 1 ? static_cast<double>(factor.categories.size()) - 1.0 : 0.0;
}

/// The coefficients of a product of polynomials, one for each factor: entry d counts the columns of degree d.
std::vector<double> countByDegree(int degree, const std::vector<study::Factor>& factors)
{
    std::vector<double> counts(static_cast<std::size_t>(degree) + 1, 0.0);
    counts[0] = 1.0;
    for (const study::Factor& factor : factors) {
        for (int total = degree; total > 0; --total) {
            for (int own = 1; own <= total; ++own)
                counts[static_cast<std::size_t>(total)] +=
                    columnsOfDegree(factor, own) * counts[static_cast<std::size_t>(total - own)];
        }
    }
    return counts;
}

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

double countColumns(int degree, const std::vector<study::Factor>& factors)
{
    double sum = 0.0;
    for (const double count : countByDegree(degree, factors))
        sum += count;
    return sum;
}

double countColumns(Order order, const std::vector<study::Factor>& factors)
{
    const int degree = order == Order::Mean ? 0 : order == Order::Linear ? 1 : 2;
    const auto missing = std::ranges::count_if(factors, [order](const study::Factor& factor) {
        return factor.isNumeric() && (order == Order::Interactions || !canBend(factor));
    });
    return countColumns(degree, factors) - (degree == 2 ? static_cast<double>(missing) : 0.0);
}

double countColumns(const std::vector<Term>& terms, const std::vector<study::Factor>& factors)
{
    double sum = 0.0;
    for (const Term& term : terms) {
        double product = 1.0;
        for (std::size_t i = 0; i < factors.size(); ++i)
            product *= columnsOfDegree(factors[i], term.powers[i]);
        sum += product;
    }
    return sum;
}

std::string describeExcess(std::string_view model, double columns, double blocks, double runs)
{
    const double all = columns + blocks;
    const double most = std::min(kMostCoefficients, std::floor(std::sqrt(kMostWork / std::max(runs, 1.0))));
    if (all <= most)
        return {};
    const auto count = [](double number) { return text::formatDecimals(number, 0); };
    return "The model '" + std::string(model) + "' has " + count(all) + " coefficients" +
           (blocks > 0.0 ? ", " + count(blocks) + " of them for blocks" : "") + ", at most " + count(most) +
           " can be computed" +
           (most < kMostCoefficients ? " from " + text::formatCount(static_cast<std::size_t>(runs), "run")
                                     : "") +
           ": choose a smaller model, such as linear or a formula of fewer factors.";
}

void requireSize(std::string_view model, double columns, double blocks, double runs)
{
    if (std::string excess = describeExcess(model, columns, blocks, runs); !excess.empty())
        throw ModelTooLarge(std::move(excess));
}

Order largestOrder(const std::vector<study::Factor>& factors, double blocks, double runs)
{
    for (const Order order : {Order::Quadratic, Order::Interactions, Order::Linear}) {
        if (describeExcess({}, countColumns(order, factors), blocks, runs).empty())
            return order;
    }
    return Order::Mean;
}

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
