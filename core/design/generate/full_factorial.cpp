// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/generate/full_factorial.h"

#include "core/design/base/design_type.h"
#include "core/design/generate/design_catalog.h"

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
    const Eigen::MatrixXd signs = makeFractionSigns(fraction);
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

using study::Factor;
using study::Study;

constexpr double kMostPoints = 100000.0;

/// `count` of the indices 0 … size − 1, first and last among them.
std::vector<std::size_t> spreadIndices(std::size_t size, std::size_t count)
{
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < count; ++i)
        indices.push_back((i * (size - 1) + (count - 1) / 2) / (count - 1));
    return indices;
}

std::vector<double> discreteLevels(const Factor& factor, int count)
{
    const study::Coding coding({factor});
    std::vector<double> legal;
    for (const double level : factor.levels)
        if (level >= factor.low && level <= factor.high)
            legal.push_back(coding.toCoded(0, level));
    if (count > static_cast<int>(legal.size()))
        throw DesignError("factor '" + factor.name + "' has " + std::to_string(legal.size()) +
                          " levels, not " + std::to_string(count));
    std::vector<double> levels;
    for (const std::size_t i :
         spreadIndices(legal.size(), count > 0 ? static_cast<std::size_t>(count) : legal.size()))
        levels.push_back(legal[i]);
    return levels;
}

std::vector<double> categoryLevels(const Factor& factor, int count)
{
    if (count > 0 && count != static_cast<int>(factor.categories.size()))
        throw DesignError("categorical factor '" + factor.name + "' is run at all of its " +
                          std::to_string(factor.categories.size()) + " levels, not at " +
                          std::to_string(count));
    std::vector<double> levels;
    for (std::size_t i = 0; i < factor.categories.size(); ++i)
        levels.push_back(static_cast<double>(i));
    return levels;
}

std::vector<double> evenLevels(int count)
{
    std::vector<double> levels;
    levels.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i)
        levels.push_back(-1.0 + 2.0 * i / (count - 1.0));
    return levels;
}

std::vector<std::vector<double>> allLevels(const Study& study)
{
    std::vector<std::vector<double>> levels;
    double points = 1.0;
    for (const Factor& factor : study.factors) {
        const auto count = study.design.levels.find(factor.name);
        levels.push_back(factorialLevels(factor, count == study.design.levels.end() ? 0 : count->second));
        points *= static_cast<double>(levels.back().size());
    }
    if (points > kMostPoints)
        throw DesignError("a full factorial of these factors would have " + study::toText(points) +
                          " runs. A fraction or an optimal design needs fewer");
    return levels;
}

/// Index of the level of every factor, one row a point.
Eigen::MatrixXi levelIndices(const std::vector<std::vector<double>>& levels)
{
    Eigen::Index rows = 1;
    for (const auto& factor : levels)
        rows *= static_cast<Eigen::Index>(factor.size());
    Eigen::MatrixXi indices(rows, static_cast<Eigen::Index>(levels.size()));
    Eigen::Index stride = 1;
    for (std::size_t i = 0; i < levels.size(); ++i) {
        const auto size = static_cast<Eigen::Index>(levels[i].size());
        for (Eigen::Index row = 0; row < rows; ++row)
            indices(row, static_cast<Eigen::Index>(i)) = static_cast<int>(row / stride % size);
        stride *= size;
    }
    return indices;
}

std::vector<Eigen::Index> factorsOfLevels(const std::vector<std::vector<double>>& levels, std::size_t count)
{
    std::vector<Eigen::Index> places;
    for (std::size_t i = 0; i < levels.size(); ++i)
        if (levels[i].size() == count)
            places.push_back(static_cast<Eigen::Index>(i));
    return places;
}

std::vector<int> twoLevelBlocks(const Eigen::MatrixXi& indices, const std::vector<Eigen::Index>& places,
                                int blocks)
{
    const Fraction full = fractionFrom(static_cast<int>(places.size()), {});
    const Eigen::MatrixXd signs = 2.0 * indices(Eigen::all, places).cast<double>().array() - 1.0;
    return blocksOf(leastConfounding(full, blocks), signs);
}

/// Three blocks by the component AB… of the interaction of all three-level factors: the sum of their levels
/// modulo 3 (Montgomery 9).
std::vector<int> threeLevelBlocks(const Eigen::MatrixXi& indices, const std::vector<Eigen::Index>& places)
{
    const Eigen::VectorXi sums = indices(Eigen::all, places).rowwise().sum();
    std::vector<int> blocks;
    for (const int sum : sums)
        blocks.push_back(sum % 3 + 1);
    return blocks;
}

std::vector<int> factorialBlocks(const std::vector<std::vector<double>>& levels,
                                 const Eigen::MatrixXi& indices, int blocks)
{
    const std::vector<Eigen::Index> two = factorsOfLevels(levels, 2);
    const std::vector<Eigen::Index> three = factorsOfLevels(levels, 3);
    if (blocks == 3 && three.size() >= 2)
        return threeLevelBlocks(indices, three);
    if (blocks % 2 == 0 && two.size() >= 2)
        return twoLevelBlocks(indices, two, blocks);
    throw DesignError(
        "A full factorial is divided into blocks by interactions of its two-level factors (2, 4, "
        "8 … blocks) or of its three-level factors (3 blocks); these factors cannot make " +
        std::to_string(blocks) + ". As many replicates as blocks can always be divided");
}

/// Every combination of the levels, the first factor changing fastest. Blocks: two-level factorials are
/// divided by their longest interactions, factorials of three levels into 3 blocks by a component of theirs,
/// mixed ones by their two-level factors.
std::vector<DesignPoint> fullFactorialOf(const Study& study, const std::stop_token& /*stop*/,
                                         const Progress& /*progress*/)
{
    const std::vector<std::vector<double>> levels = allLevels(study);
    const Eigen::MatrixXi indices = levelIndices(levels);
    const std::vector<int> blocks = study.design.blocks == 1
                                        ? std::vector<int>(static_cast<std::size_t>(indices.rows()), 1)
                                        : factorialBlocks(levels, indices, study.design.blocks);
    std::vector<DesignPoint> points;
    for (Eigen::Index row = 0; row < indices.rows(); ++row) {
        study::CodedPoint point{Eigen::VectorXd(indices.cols())};
        for (std::size_t i = 0; i < levels.size(); ++i) {
            const auto column = static_cast<Eigen::Index>(i);
            point[column] = levels[i][static_cast<std::size_t>(indices(row, column))];
        }
        points.push_back({std::move(point), study::RunKind::Design, blocks[static_cast<std::size_t>(row)]});
    }
    std::ranges::stable_sort(points, {}, &DesignPoint::block);
    return points;
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

std::vector<double> factorialLevels(const Factor& factor, int count)
{
    if (!factor.isNumeric())
        return categoryLevels(factor, count);
    if (factor.type == study::FactorType::Discrete)
        return discreteLevels(factor, count);
    return evenLevels(count > 0 ? count : 2);
}

DesignType fullFactorialType()
{
    return {.name = "full-factorial",
            .title = "Full factorial",
            .purpose = "Every combination of the levels.",
            .points = fullFactorialOf,
            .keys = {"levels"},
            .importTitle = "full factorial design"};
}

} // namespace quadric::design
