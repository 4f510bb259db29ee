// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/generate/confounding.h"

#include <algorithm>
#include <array>
#include <bit>
#include <set>

namespace quadric::design {

namespace {

/// Lengths of confounded effects that are told apart; longer ones count as harmless.
constexpr int kLengths = 8;

/// Partial choices that are kept on every level of the search: enough to keep them all for two generators of
/// up to seven factors, fewer where each has many extensions.
std::size_t beamFor(std::size_t chains)
{
    constexpr std::size_t kBeam = 200;
    constexpr std::size_t kMostExtensions = std::size_t{1} << 18;
    return std::clamp(kMostExtensions / chains, std::size_t{1}, kBeam);
}

using Counts = std::array<int, kLengths>;

/// An alias chain of the fraction, named by its smallest word of basic factors, with its effects by length.
struct Chain {
    std::uint32_t basic = 0;
    Word shortest = {};
    Counts effects = {};
};

/// Chains by their word of basic factors.
std::vector<Chain> chainsOf(const Fraction& fraction)
{
    // The sign columns of the factors as words of basic factors: a word's chain is the product of them.
    const Eigen::MatrixXd signs = signsOf(fraction);
    std::vector<std::uint32_t> columns(static_cast<std::size_t>(fraction.factors), 0U);
    for (int i = 0; i < fraction.factors; ++i)
        for (int bit = 0; bit < fraction.basic; ++bit)
            if (signs(0, i) != signs(Eigen::Index{1} << bit, i))
                columns[static_cast<std::size_t>(i)] |= 1U << bit;

    std::vector<Chain> chains(std::size_t{1} << fraction.basic);
    std::vector<std::uint32_t> chainOf(std::size_t{1} << fraction.factors, 0U);
    for (std::uint32_t word = 1; word < chainOf.size(); ++word) {
        const std::uint32_t lowest = word & (~word + 1U);
        chainOf[word] = chainOf[word ^ lowest] ^ columns[static_cast<std::size_t>(std::countr_zero(word))];
        Chain& chain = chains[chainOf[word]];
        const int length = std::popcount(word);
        if (chain.shortest.factors == 0U || length < chain.shortest.length())
            chain.shortest = {word, 1};
        if (length < kLengths)
            ++chain.effects[static_cast<std::size_t>(length)];
    }
    for (std::size_t i = 0; i < chains.size(); ++i)
        chains[i].basic = static_cast<std::uint32_t>(i);
    return chains;
}

/// A set of generators, as words of basic factors, and everything that it confounds.
struct Choice {
    std::vector<std::uint32_t> generators;
    std::vector<std::uint32_t> confounded;
    Counts counts = {};
};

std::optional<Choice> extended(const Choice& choice, std::uint32_t generator,
                               const std::vector<Chain>& chains)
{
    if (std::ranges::find(choice.confounded, generator) != choice.confounded.end())
        return std::nullopt;
    Choice longer = choice;
    longer.generators.push_back(generator);
    const std::size_t size = choice.confounded.size();
    for (std::size_t i = 0; i <= size; ++i) {
        const std::uint32_t word = i < size ? choice.confounded[i] ^ generator : generator;
        const Chain& chain = chains[word];
        if (chain.shortest.length() < 2)
            return std::nullopt;
        longer.confounded.push_back(word);
        for (std::size_t length = 0; length < longer.counts.size(); ++length)
            longer.counts[length] += chain.effects[length];
    }
    return longer;
}

/// The same set of confounded effects is met from many generators.
void keepBest(std::vector<Choice>& choices, std::size_t most)
{
    std::ranges::stable_sort(choices, {}, &Choice::counts);
    std::set<std::vector<std::uint32_t>> seen;
    std::vector<Choice> kept;
    for (Choice& choice : choices) {
        std::vector<std::uint32_t> group = choice.confounded;
        std::ranges::sort(group);
        if (kept.size() < most && seen.insert(std::move(group)).second)
            kept.push_back(std::move(choice));
    }
    choices = std::move(kept);
}

} // namespace

Blocking leastConfounding(const Fraction& fraction, int blocks)
{
    if (!std::has_single_bit(static_cast<unsigned>(blocks)))
        throw DesignError("A two-level design is divided into 2, 4, 8 … blocks, not into " +
                          std::to_string(blocks));
    const int count = std::countr_zero(static_cast<unsigned>(blocks));
    const std::vector<Chain> chains = chainsOf(fraction);
    std::vector<Choice> choices = {Choice{}};
    for (int i = 0; i < count; ++i) {
        std::vector<Choice> longer;
        for (const Choice& choice : choices)
            for (std::uint32_t word = 1; word < chains.size(); ++word)
                if (auto next = extended(choice, word, chains))
                    longer.push_back(std::move(*next));
        keepBest(longer, beamFor(chains.size()));
        choices = std::move(longer);
        if (choices.empty())
            throw DesignError("No way was found to divide the " + std::to_string(chains.size()) +
                              " runs of " + std::to_string(fraction.factors) + " factors into " +
                              std::to_string(blocks) + " blocks without losing a main effect");
    }
    Blocking blocking;
    for (const std::uint32_t word : choices.front().generators)
        blocking.generators.push_back(chains[word].shortest);
    for (const std::uint32_t word : choices.front().confounded)
        blocking.confounded.push_back(chains[word].shortest);
    std::ranges::sort(blocking.confounded, {},
                      [](const Word& word) { return std::pair(word.length(), word.factors); });
    return blocking;
}

int confoundedInteractions(const Fraction& fraction, const Blocking& blocking)
{
    int count = 0;
    for (const Word& word : blocking.confounded) {
        count += word.length() == 2 ? 1 : 0;
        for (const Word& defining : fraction.definingWords)
            count += std::popcount(word.factors ^ defining.factors) == 2 ? 1 : 0;
    }
    return count;
}

std::vector<int> blocksOf(const Blocking& blocking, const Eigen::MatrixXd& signs)
{
    std::vector<int> blocks(static_cast<std::size_t>(signs.rows()), 1);
    for (std::size_t i = 0; i < blocking.generators.size(); ++i)
        for (Eigen::Index row = 0; row < signs.rows(); ++row) {
            double product = 1.0;
            for (Eigen::Index factor = 0; factor < signs.cols(); ++factor)
                if ((blocking.generators[i].factors >> factor & 1U) != 0U)
                    product *= signs(row, factor);
            if (product > 0.0)
                blocks[static_cast<std::size_t>(row)] += 1 << i;
        }
    return blocks;
}

} // namespace quadric::design
