// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/generate/fraction.h"

#include "core/design/base/design_type.h"

#include <algorithm>
#include <bit>
#include <set>

namespace quadric::design {

namespace {

/// Alias chains are listed for at most so many factors: 2^20 effects take no noticeable time.
constexpr int kMostFactors = 20;

/// Places of the letters of a word, ascending: "AB" before "AC" before "BC".
std::vector<int> lettersOf(std::uint32_t factors)
{
    std::vector<int> places;
    for (int i = 0; factors >> i != 0; ++i)
        if ((factors >> i & 1U) != 0U)
            places.push_back(i);
    return places;
}

bool isBefore(const Word& a, const Word& b)
{
    if (a.length() != b.length())
        return a.length() < b.length();
    return lettersOf(a.factors) < lettersOf(b.factors);
}

Word times(const Word& a, const Word& b)
{
    return {a.factors ^ b.factors, a.sign * b.sign};
}

/// Row-reduced words: each has a leading factor, its last one, that no other has.
std::vector<Word> reduced(std::vector<Word> words, int factors)
{
    std::vector<Word> basis;
    for (int lead = factors - 1; lead >= 0; --lead) {
        const std::uint32_t bit = 1U << lead;
        const auto found =
            std::ranges::find_if(words, [bit](const Word& w) { return (w.factors & bit) != 0U; });
        if (found == words.end())
            continue;
        const Word pivot = *found;
        words.erase(found);
        const auto clear = [&](Word& word) {
            if ((word.factors & bit) != 0U)
                word = times(word, pivot);
        };
        std::ranges::for_each(words, clear);
        std::ranges::for_each(basis, clear);
        basis.push_back(pivot);
    }
    return basis;
}

int leadOf(const Word& word)
{
    return static_cast<int>(std::bit_width(word.factors)) - 1;
}

/// All products of the generators but the empty one.
std::vector<Word> generateWordGroup(const std::vector<Word>& generators)
{
    std::vector<Word> words = {Word{}};
    for (const Word& generator : generators) {
        const std::size_t size = words.size();
        for (std::size_t i = 0; i < size; ++i)
            words.push_back(times(words[i], generator));
    }
    words.erase(words.begin());
    std::ranges::sort(words, isBefore);
    return words;
}

/// The words of the fraction with one leading factor each.
std::vector<Word> basisOf(const Fraction& fraction)
{
    return reduced(fraction.definingWords, fraction.factors);
}

/// −1 or +1 for the runs at two levels; empty for any other value.
std::optional<int> signOf(const std::set<study::Value>& levels, const study::Value& value)
{
    if (levels.size() != 2)
        return std::nullopt;
    return value == *levels.begin() ? -1 : 1;
}

/// Level 1 of a two-level categorical factor is its second category, whatever the names.
study::Value comparable(const study::Factor& factor, const study::Value& value)
{
    if (factor.isNumeric())
        return value;
    const auto at = std::ranges::find(factor.categories, study::toText(value));
    return static_cast<double>(at - factor.categories.begin());
}

/// One bit a factor, 1 where its sign is −, for every run of the factorial part; empty when a factor has not
/// exactly two levels.
std::vector<std::uint32_t> minusSigns(const study::Study& study)
{
    std::vector<const study::Run*> runs;
    for (const study::Run& run : study.runs)
        if (run.kind == study::RunKind::Design || run.kind == study::RunKind::Augment)
            runs.push_back(&run);
    std::vector<std::uint32_t> minus(runs.size(), 0U);
    for (std::size_t i = 0; i < study.factors.size(); ++i) {
        const study::Factor& factor = study.factors[i];
        std::set<study::Value> levels;
        std::vector<study::Value> values;
        for (const study::Run* run : runs) {
            const auto setting = run->settings.find(factor.name);
            if (setting == run->settings.end())
                return {};
            values.push_back(comparable(factor, setting->second));
            levels.insert(values.back());
        }
        for (std::size_t run = 0; run < runs.size(); ++run) {
            const std::optional<int> sign = signOf(levels, values[run]);
            if (!sign)
                return {};
            minus[run] |= (*sign < 0 ? 1U : 0U) << i;
        }
    }
    return minus;
}

/// Independent differences of the runs from the first one, each with a leading factor of its own.
std::vector<Word> differences(const std::vector<std::uint32_t>& minus, int factors)
{
    std::vector<Word> words;
    for (const std::uint32_t run : minus)
        if (run != minus.front())
            words.push_back({run ^ minus.front(), 1});
    return reduced(std::move(words), factors);
}

/// Words that are constant over the runs: orthogonal to all differences, by back substitution.
std::vector<Word> constantWords(const std::vector<Word>& basis, std::uint32_t firstRun, int factors)
{
    std::uint32_t leads = 0;
    for (const Word& word : basis)
        leads |= 1U << leadOf(word);
    std::vector<Word> words;
    for (int free = 0; free < factors; ++free) {
        if ((leads >> free & 1U) != 0U)
            continue;
        std::uint32_t letters = 1U << free;
        for (const Word& word : basis)
            if ((word.factors >> free & 1U) != 0U)
                letters |= 1U << leadOf(word);
        words.push_back({letters, std::popcount(letters & firstRun) % 2 == 0 ? 1 : -1});
    }
    return words;
}

Fraction fractionOfGroup(int factors, const std::vector<Word>& generators)
{
    Fraction fraction;
    fraction.factors = factors;
    fraction.basic = factors - static_cast<int>(generators.size());
    fraction.definingWords = generateWordGroup(generators);
    if (!fraction.definingWords.empty())
        fraction.resolution = fraction.definingWords.front().length();
    return fraction;
}

} // namespace

int Word::length() const
{
    return std::popcount(factors);
}

std::string lettersOf(const Word& word)
{
    std::string text = word.sign < 0 ? "-" : "";
    for (const int place : lettersOf(word.factors))
        text += study::letterOf(static_cast<std::size_t>(place));
    return word.factors == 0U ? text + "1" : text;
}

std::string nameOf(const Word& word, const std::vector<study::Factor>& factors)
{
    std::string text;
    for (const int place : lettersOf(word.factors))
        text += (text.empty() ? "" : "*") + factors[static_cast<std::size_t>(place)].name;
    return (word.sign < 0 ? "-" : "") + (text.empty() ? "1" : text);
}

std::map<int, int> Fraction::wordLengthPattern() const
{
    std::map<int, int> pattern;
    for (const Word& word : definingWords)
        ++pattern[word.length()];
    return pattern;
}

std::vector<std::string> Fraction::generators() const
{
    std::vector<std::string> texts;
    std::vector<Word> basis = basisOf(*this);
    std::ranges::sort(basis, {}, leadOf);
    for (Word word : basis) {
        const int lead = leadOf(word);
        word.factors ^= 1U << lead;
        texts.push_back(std::string(1, study::letterOf(static_cast<std::size_t>(lead))) + "=" +
                        lettersOf(word));
    }
    return texts;
}

std::vector<AliasChain> Fraction::aliasChains(int longest, bool singles) const
{
    std::vector<AliasChain> chains;
    if (factors > kMostFactors)
        return chains;
    std::vector<Word> effects;
    for (std::uint32_t letters = 1; letters < 1U << factors; ++letters)
        if (std::popcount(letters) <= longest)
            effects.push_back({letters, 1});
    std::ranges::sort(effects, isBefore);
    std::vector<bool> isListed(std::size_t{1} << factors, false);
    for (const Word& effect : effects) {
        if (isListed[effect.factors])
            continue;
        AliasChain chain = {effect};
        for (const Word& word : definingWords) {
            const Word alias = times(effect, word);
            isListed[alias.factors] = true;
            if (alias.length() <= longest && alias.length() > 0)
                chain.push_back(alias);
        }
        std::ranges::sort(chain, isBefore);
        const bool isMean = std::ranges::any_of(
            definingWords, [&](const Word& word) { return word.factors == effect.factors; });
        if (!isMean && (chain.size() > 1 || singles))
            chains.push_back(std::move(chain));
    }
    return chains;
}

Word definingWordOf(std::string_view generator, int factors)
{
    Word word;
    const auto letter = [&](char c) {
        const std::optional<std::size_t> place = study::factorOfLetter(c);
        if (!place || *place >= static_cast<std::size_t>(factors))
            throw DesignError("generator \"" + std::string(generator) + "\": '" + std::string(1, c) +
                              "' is not one of the factors A to " +
                              study::letterOf(static_cast<std::size_t>(factors) - 1) + " (without I)");
        return 1U << *place;
    };
    if (generator.size() < 3 || generator[1] != '=')
        throw DesignError("generator \"" + std::string(generator) + "\": expected a form such as D=AB");
    std::string_view product = generator.substr(2);
    if (product.front() == '-' || product.front() == '+') {
        word.sign = product.front() == '-' ? -1 : 1;
        product.remove_prefix(1);
    }
    for (const char c : product)
        word.factors ^= letter(c);
    const std::uint32_t lead = letter(generator[0]);
    if ((word.factors & lead) != 0U)
        throw DesignError("generator \"" + std::string(generator) + "\": " + generator[0] +
                          " cannot be a product of itself");
    word.factors |= lead;
    return word;
}

Fraction fractionFrom(int factors, const std::vector<Word>& generators)
{
    if (reduced(generators, factors).size() != generators.size())
        throw DesignError("the generators are not independent: one of them follows from the others");
    return fractionOfGroup(factors, generators);
}

std::optional<Fraction> fractionOf(const study::Study& study)
{
    const int factors = static_cast<int>(study.factors.size());
    if (factors == 0 || factors > kMostFactors)
        return std::nullopt;
    std::vector<std::uint32_t> minus = minusSigns(study);
    if (minus.empty())
        return std::nullopt;
    const std::vector<Word> basis = differences(minus, factors);
    const std::vector<Word> words = constantWords(basis, minus.front(), factors);
    std::map<std::uint32_t, int> counts;
    for (const std::uint32_t run : minus)
        ++counts[run];
    const bool isComplete = counts.size() == std::size_t{1} << basis.size();
    const bool isBalanced = std::ranges::all_of(
        counts, [&](const auto& entry) { return entry.second == counts.begin()->second; });
    if (!isComplete || !isBalanced)
        return std::nullopt;
    return fractionOfGroup(factors, words);
}

Eigen::MatrixXd makeFractionSigns(const Fraction& fraction)
{
    const std::vector<Word> basis = basisOf(fraction);
    std::vector<Eigen::Index> basic;
    for (int i = 0; i < fraction.factors; ++i)
        if (std::ranges::none_of(basis, [i](const Word& word) { return leadOf(word) == i; }))
            basic.push_back(i);
    const Eigen::MatrixXd full = signCombinations(static_cast<int>(basic.size()));
    Eigen::MatrixXd signs(full.rows(), fraction.factors);
    for (std::size_t i = 0; i < basic.size(); ++i)
        signs.col(basic[i]) = full.col(static_cast<Eigen::Index>(i));
    for (const Word& word : basis) {
        const int lead = leadOf(word);
        signs.col(lead).setConstant(word.sign);
        for (const int place : lettersOf(word.factors ^ (1U << lead)))
            signs.col(lead).array() *= signs.col(place).array();
    }
    return signs;
}

} // namespace quadric::design
