// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/generate/fractional_factorial.h"

#include "core/design/base/factor_levels.h"
#include "core/design/generate/design_catalog.h"
#include "core/design/generate/minimum_aberration.h"

#include <algorithm>
#include <array>
#include <bit>

namespace quadric::design {

namespace {

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

} // namespace

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
    const Eigen::MatrixXd signs = signsOf(fraction);
    std::vector<DesignPoint> points = pointsOfSigns(study, signs);
    if (blocks == 1)
        return points;
    const std::vector<int> block = blocksOf(leastConfounding(fraction, blocks), signs);
    for (std::size_t i = 0; i < points.size(); ++i)
        points[i].block = block[i];
    std::ranges::stable_sort(points, {}, &DesignPoint::block);
    return points;
}

namespace {

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
