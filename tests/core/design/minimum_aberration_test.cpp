// SPDX-License-Identifier: GPL-3.0-or-later
#include "design_fixture.h"

#include "core/design/generate/minimum_aberration.h"

#include <gtest/gtest.h>

#include <bit>
#include <unordered_set>

namespace quadric::design {
namespace {

using Pattern = std::vector<int>; ///< number of words of length 3, 4, …

Pattern patternOf(const Fraction& fraction)
{
    Pattern pattern(static_cast<std::size_t>(fraction.factors) - 2, 0);
    for (const auto& [length, count] : fraction.wordLengthPattern())
        pattern.at(static_cast<std::size_t>(length) - 3) = count;
    return pattern;
}

/// The least pattern of all fractions of `factors` factors in 2^basic runs: all sets of columns, one after
/// another. Two shortcuts that lose nothing: the basic columns are in every set (some relabeling does that),
/// and the columns beyond are taken in ascending order.
class BruteForce {
public:
    BruteForce(int factors, int basic)
        : m_factors(factors)
        , m_basic(basic)
        , m_best(static_cast<std::size_t>(factors) - 2, 1 << 30)
    {
        extend({0U}, 1U, 0);
    }
    const Pattern& best() const { return m_best; }

private:
    void extend(const std::vector<std::uint32_t>& words, std::uint32_t from, int added)
    {
        if (added == m_factors - m_basic) {
            Pattern pattern(m_best.size(), 0);
            for (std::size_t i = 1; i < words.size(); ++i) {
                const int length = std::popcount(words[i]);
                if (length < 3)
                    return;
                ++pattern[static_cast<std::size_t>(length) - 3];
            }
            m_best = std::min(m_best, pattern);
            return;
        }
        for (std::uint32_t column = from; column < 1U << m_basic; ++column) {
            if (std::popcount(column) < 2)
                continue;
            std::vector<std::uint32_t> longer = words;
            for (const std::uint32_t word : words)
                longer.push_back(word ^ column ^ (1U << (m_basic + added)));
            extend(longer, column + 1, added + 1);
        }
    }

    int m_factors;
    int m_basic;
    Pattern m_best;
};

class MinimumAberration : public ::testing::TestWithParam<std::pair<int, int>> {};

TEST_P(MinimumAberration, HasTheLeastPatternOfAllFractions)
{
    const auto [factors, basic] = GetParam();
    EXPECT_EQ(patternOf(minimumAberration(factors, basic)), BruteForce(factors, basic).best());
}

std::vector<std::pair<int, int>> sizes()
{
    std::vector<std::pair<int, int>> all;
    for (int factors = 3; factors <= 9; ++factors)
        for (int basic = 2; basic < factors; ++basic)
            if ((1 << basic) - 1 >= factors)
                all.emplace_back(factors, basic);
    return all;
}

INSTANTIATE_TEST_SUITE_P(Sizes, MinimumAberration, ::testing::ValuesIn(sizes()), [](const auto& instance) {
    return std::to_string(instance.param.first) + "FactorsIn" + std::to_string(1 << instance.param.second);
});

/// tests/references/designs/catalogue.R made the file.
TEST(MinimumAberrationCatalogue, HasThePublishedPatternsUpToFifteenFactors)
{
    const nlohmann::json catalogue = test::reference("designs/catalogue.json")["fractions"];
    EXPECT_GT(catalogue.size(), 60U);
    for (const nlohmann::json& entry : catalogue) {
        const int factors = entry["factors"];
        const Fraction fraction = minimumAberration(factors, std::countr_zero(entry["runs"].get<unsigned>()));
        std::map<int, int> expected;
        for (const auto& [length, count] : entry["words"].items())
            expected[std::stoi(length)] = count.get<int>();
        EXPECT_EQ(fraction.wordLengthPattern(), expected) << entry;
        EXPECT_EQ(fraction.resolution, entry["resolution"].get<int>()) << entry;
        EXPECT_EQ(signsOf(fraction).rows(), entry["runs"].get<int>());
    }
}

/// Every size that exists can be asked for.
TEST(MinimumAberrationCatalogue, HasEverySize)
{
    for (int factors = 3; factors <= kMostFractionFactors; ++factors)
        for (int basic = 2; basic <= factors; ++basic) {
            if ((1 << basic) - 1 < factors) {
                EXPECT_THROW(minimumAberration(factors, basic), DesignError);
                continue;
            }
            const Fraction fraction = minimumAberration(factors, basic);
            EXPECT_EQ(fraction.factors, factors);
            EXPECT_EQ(fraction.basic, basic);
            EXPECT_TRUE(basic == factors || fraction.resolution >= 3) << factors << " " << basic;
        }
    EXPECT_THROW(minimumAberration(16, 5), DesignError);
}

} // namespace
} // namespace quadric::design
