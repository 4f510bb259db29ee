// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/predict/factor_pairs.h"

#include "oracle_study.h"

#include <gtest/gtest.h>

#include <cmath>

namespace quadric::model::test {

namespace {

/// y = 10 + A + bc·B·C + ad·A·D on the corners, each twice, with a little noise.
study::Study fourFactors(double bc, double ad)
{
    study::Study study = plainStudy({"A", "B", "C", "D"});
    for (int copy = 0; copy < 2; ++copy)
        for (const std::vector<study::Value>& point : gridOf(4, {-1, 1})) {
            const auto at = [&point](std::size_t i) { return std::get<double>(point[i]); };
            const double noise = 0.1 * std::sin(40 * at(0) + 7 * at(1) + 3 * at(2) + 11 * at(3) + 5 * copy);
            addRun(study, point, 10 + at(0) + bc * at(1) * at(2) + ad * at(0) * at(3) + noise);
        }
    return study;
}

std::vector<FactorPair> pairsOf(double bc, double ad, std::size_t most)
{
    return pairsToShow(fitResponse(fourFactors(bc, ad), "y", {.model = "interactions"}), most);
}

} // namespace

TEST(FactorPairs, theStrongestInteractionIsFirst)
{
    const Fit fit = fitResponse(fourFactors(3, -5), "y", {.model = "interactions"});
    const std::vector<FactorPair> pairs = rankPairs(fit);
    ASSERT_EQ(pairs.size(), 6U);
    EXPECT_EQ(std::pair(pairs[0].first, pairs[0].second), std::pair(std::size_t{0}, std::size_t{3}));
    EXPECT_EQ(std::pair(pairs[1].first, pairs[1].second), std::pair(std::size_t{1}, std::size_t{2}));
    EXPECT_EQ(pairs[0].significance, Significance::Family);
    EXPECT_EQ(pairs[1].significance, Significance::Family);
    EXPECT_FALSE(pairs[2].isSignificant());
}

TEST(FactorPairs, onlySignificantOnesAreShownOfMany)
{
    EXPECT_EQ(pairsOf(3, -5, 6).size(), 6U); // so few are all shown
    EXPECT_EQ(pairsOf(3, -5, 3).size(), 2U);
    EXPECT_EQ(pairsOf(3, -5, 1).size(), 1U);
    EXPECT_EQ(pairsOf(0, 0, 3).size(), 1U); // none is significant: the strongest
}

TEST(FactorPairs, aModelWithoutInteractionsHasPairsOfNoSize)
{
    const Fit fit = fitResponse(fourFactors(3, -5), "y", {.model = "linear"});
    for (const FactorPair& pair : rankPairs(fit))
        EXPECT_EQ(pair.size, 0.0);
}

} // namespace quadric::model::test
