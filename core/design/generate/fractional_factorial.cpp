// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/generate/fractional_factorial.h"

#include "core/design/base/design_type.h"
#include "core/design/generate/design_catalog.h"

#include <algorithm>
#include <array>
#include <bit>

namespace quadric::design {

namespace {

/// The factors beyond the basic ones as products of these: bit i of a column stands for basic factor i, 7 for
/// ABC. Half fractions (one factor more, the product of all) are not listed.
struct Entry {
    int basic;
    int factors;
    std::vector<std::uint32_t> columns;
};

// clang-format off
const std::vector<Entry>& catalogue()
{
    static const std::vector<Entry> kEntries = {
        {3, 5, {3, 5}},
        {3, 6, {3, 5, 6}},
        {3, 7, {3, 5, 6, 7}},
        {4, 6, {7, 11}},
        {4, 7, {7, 11, 13}},
        {4, 8, {7, 11, 13, 14}},
        {4, 9, {3, 5, 9, 14, 15}},
        {4, 10, {3, 5, 6, 9, 14, 15}},
        {4, 11, {3, 5, 6, 9, 10, 13, 14}},
        {4, 12, {3, 5, 6, 9, 10, 13, 14, 15}},
        {4, 13, {3, 5, 6, 7, 9, 10, 11, 12, 13}},
        {4, 14, {3, 5, 6, 7, 9, 10, 11, 12, 13, 14}},
        {4, 15, {3, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15}},
        {5, 7, {7, 27}},
        {5, 8, {7, 11, 29}},
        {5, 9, {7, 11, 19, 29}},
        {5, 10, {7, 11, 19, 29, 30}},
        {5, 11, {7, 11, 13, 19, 21, 25}},
        {5, 12, {7, 11, 13, 14, 19, 21, 25}},
        {5, 13, {7, 11, 13, 14, 19, 21, 22, 25}},
        {5, 14, {7, 11, 13, 14, 19, 21, 22, 25, 26}},
        {5, 15, {7, 11, 13, 14, 19, 21, 22, 25, 26, 28}},
        {6, 8, {15, 51}},
        {6, 9, {7, 27, 45}},
        {6, 10, {7, 27, 43, 53}},
        {6, 11, {7, 11, 29, 45, 51}},
        {6, 12, {7, 11, 29, 45, 51, 62}},
        {6, 13, {7, 11, 21, 25, 38, 58, 60}},
        {6, 14, {7, 11, 19, 30, 37, 41, 49, 60}},
        {6, 15, {7, 11, 19, 30, 37, 41, 49, 60, 63}},
        {7, 9, {31, 103}},
        {7, 10, {31, 103, 43}},
        {7, 11, {31, 103, 43, 85}},
        {7, 12, {31, 103, 43, 85, 121}},
        {7, 13, {31, 103, 43, 85, 44, 86}},
        {7, 14, {31, 103, 43, 85, 46, 61, 114}},
        {7, 15, {31, 103, 43, 85, 46, 61, 114, 67}},
        {8, 10, {63, 199}},
        {8, 11, {127, 143, 179}},
        {8, 12, {127, 143, 179, 213}},
        {8, 13, {127, 143, 179, 213, 105}},
        {8, 14, {127, 143, 179, 213, 105, 27}},
        {8, 15, {127, 143, 179, 213, 105, 27, 46}},
        {9, 11, {127, 399}},
        {9, 12, {127, 399, 179}},
        {9, 13, {127, 399, 179, 341}},
        {9, 14, {127, 399, 179, 341, 489}},
        {9, 15, {127, 391, 155, 301, 206, 501}},
        {10, 12, {127, 911}},
        {10, 13, {127, 911, 435}},
        {10, 14, {127, 911, 435, 725}},
        {10, 15, {127, 911, 435, 725, 873}},
        {11, 13, {255, 1807}},
        {11, 14, {127, 911, 1459}},
        {11, 15, {127, 911, 1459, 1749}},
        {12, 14, {511, 3615}},
        {12, 15, {255, 1807, 2867}},
        {13, 15, {511, 8176}},
    };
    return kEntries;
}
// clang-format on

std::vector<std::uint32_t> columnsFor(int factors, int basic)
{
    if (factors == basic)
        return {};
    if (factors == basic + 1)
        return {(1U << basic) - 1U};
    const auto found = std::ranges::find_if(
        catalogue(), [&](const Entry& entry) { return entry.basic == basic && entry.factors == factors; });
    return found == catalogue().end() ? std::vector<std::uint32_t>{} : found->columns;
}

/// 2^basic − 1 effects can be told apart, one for each factor.
int leastBasicFactors(int factors)
{
    int basic = 2;
    while ((1 << basic) - 1 < factors)
        ++basic;
    return basic;
}

constexpr int kScreeningResolution = 4;

void requireRuns(const Fraction& fraction, const study::DesignSpec& spec)
{
    const int runs = 1 << fraction.basic;
    if (spec.runs > 0 && spec.runs != runs)
        throw DesignError("the generators give " + std::to_string(runs) + " runs, not " +
                          std::to_string(spec.runs));
}

void requireResolution(const Fraction& fraction, const study::DesignSpec& spec)
{
    if (spec.resolution == 0 || fraction.definingWords.empty() || fraction.resolution >= spec.resolution)
        return;
    const int needed = 1 << fewestBasicFactors(fraction.factors, spec.resolution);
    throw DesignError("the fraction of " + std::to_string(1 << fraction.basic) + " runs has resolution " +
                      std::to_string(fraction.resolution) + ", not " + std::to_string(spec.resolution) +
                      "; that needs " + std::to_string(needed) + " runs");
}

Fraction fractionByGenerators(const study::DesignSpec& spec, int factors)
{
    std::vector<Word> words;
    for (const std::string& generator : spec.generators)
        words.push_back(definingWordOf(generator, factors));
    Fraction fraction = fractionFrom(factors, words);
    if (fraction.resolution < 3)
        throw DesignError("with these generators " + lettersOf(fraction.definingWords.front()) +
                          " is the same in every run: the main effects of its factors cannot be separated");
    requireRuns(fraction, spec);
    return fraction;
}

int basicFactorsFor(const study::DesignSpec& spec, int factors)
{
    if (spec.runs > 0 && !std::has_single_bit(static_cast<unsigned>(spec.runs)))
        throw DesignError("a two-level fraction has a power of 2 as its number of runs, not " +
                          std::to_string(spec.runs));
    if (spec.runs > 0)
        return std::countr_zero(static_cast<unsigned>(spec.runs));
    if (spec.resolution > 0)
        return fewestBasicFactors(factors, spec.resolution);
    const int basic = fewestBasicFactors(factors, kScreeningResolution);
    return basic < factors ? basic : fewestBasicFactors(factors, 3);
}

std::vector<DesignPoint> fractionalFactorialOf(const study::Study& study, const std::stop_token& /*stop*/,
                                               const Progress& /*progress*/)
{
    requireTwoLevels(study, "A fractional factorial");
    const Fraction fraction = fractionFor(study.design, static_cast<int>(study.factors.size()));
    return blockedFraction(study, fraction, study.design.blocks);
}

std::string roman(int resolution)
{
    constexpr std::array<std::string_view, 11> kNumerals = {"",   "I",   "II",   "III", "IV", "V",
                                                            "VI", "VII", "VIII", "IX",  "X"};
    const auto index = static_cast<std::size_t>(resolution);
    return index < kNumerals.size() ? std::string(kNumerals.at(index)) : std::to_string(resolution);
}

/// The smallest fraction of resolution V and the smallest of resolution IV, where they differ from the full
/// factorial and from each other.
std::vector<DesignVariant> fractionalFactorialVariants(const study::Study& study)
{
    const auto factors = static_cast<int>(study.factors.size());
    if (factors < 3 || factors > kMostFractionFactors)
        return {{.title = "Fractional factorial"}};
    const int five = fewestBasicFactors(factors, 5);
    const int four = fewestBasicFactors(factors, 4);
    std::vector<int> sizes;
    if (five < factors)
        sizes.push_back(five);
    if (four < five)
        sizes.push_back(four);
    if (sizes.empty())
        sizes.push_back(fewestBasicFactors(factors, 3));
    std::vector<DesignVariant> variants;
    for (const int basic : sizes) {
        const int resolution = minimumAberration(factors, basic).resolution;
        variants.push_back({.title = "Fractional factorial, resolution " + roman(resolution),
                            .runs = 1 << basic,
                            .resolution = resolution});
    }
    return variants;
}

} // namespace

Fraction minimumAberration(int factors, int basic)
{
    if (factors > kMostFractionFactors)
        throw DesignError("two-level fractions are available for up to " +
                          std::to_string(kMostFractionFactors) + " factors, not for " +
                          std::to_string(factors));
    const int least = std::min(factors, leastBasicFactors(factors));
    if (basic < least || basic > factors)
        throw DesignError("a two-level fraction of " + std::to_string(factors) + " factors has " +
                          std::to_string(1 << least) + " to " + std::to_string(1 << factors) +
                          " runs, a power of 2; not " + std::to_string(1 << std::clamp(basic, 0, 20)));
    std::vector<Word> generators;
    for (const std::uint32_t column : columnsFor(factors, basic))
        generators.push_back({column | 1U << (static_cast<std::size_t>(basic) + generators.size()), 1});
    return fractionFrom(factors, generators);
}

int fewestBasicFactors(int factors, int resolution)
{
    for (int basic = std::min(factors, leastBasicFactors(factors)); basic < factors; ++basic) {
        if (minimumAberration(factors, basic).resolution >= resolution)
            return basic;
    }
    return factors;
}

Fraction fractionFor(const study::DesignSpec& spec, int factors)
{
    if (factors < 3)
        throw DesignError("A fractional factorial needs 3 factors or more, not " + std::to_string(factors) +
                          ". A full factorial can hold them");
    if (factors > kMostFractionFactors)
        throw DesignError("two-level fractions are available for up to " +
                          std::to_string(kMostFractionFactors) + " factors, not for " +
                          std::to_string(factors));
    Fraction fraction = spec.generators.empty() ? minimumAberration(factors, basicFactorsFor(spec, factors))
                                                : fractionByGenerators(spec, factors);
    requireResolution(fraction, spec);
    return fraction;
}

std::vector<DesignPoint> blockedFraction(const study::Study& study, const Fraction& fraction, int blocks)
{
    const Eigen::MatrixXd signs = makeFractionSigns(fraction);
    std::vector<DesignPoint> points = pointsOfSigns(study, signs);
    if (blocks == 1)
        return points;
    const std::vector<int> block = blocksOf(leastConfounding(fraction, blocks), signs);
    for (std::size_t i = 0; i < points.size(); ++i)
        points[i].block = block[i];
    std::ranges::stable_sort(points, {}, &DesignPoint::block);
    return points;
}

DesignType fractionalFactorialType()
{
    return {.name = "fractional-factorial",
            .title = "Fractional factorial",
            .purpose = "Screens many factors at two levels.",
            .points = fractionalFactorialOf,
            .keys = {"generators", "resolution", "runs"},
            .variants = fractionalFactorialVariants,
            .importTitle = "two-level fractional factorial design"};
}

} // namespace quadric::design
