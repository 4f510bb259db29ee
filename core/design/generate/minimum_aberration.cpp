// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/generate/minimum_aberration.h"

#include <algorithm>

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

} // namespace quadric::design
