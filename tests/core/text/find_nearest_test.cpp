// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/find_nearest.h"

#include <gtest/gtest.h>

namespace quadric::text {

TEST(EditDistanceTest, IsTheKnownOneOfTextbookPairs)
{
    EXPECT_EQ(computeEditDistance("kitten", "sitting"), 3U);
    EXPECT_EQ(computeEditDistance("saturday", "sunday"), 3U);
    EXPECT_EQ(computeEditDistance("ca", "abc"), 3U) << "optimal string alignment edits no part twice";
    EXPECT_EQ(computeEditDistance("lr", "rl"), 1U) << "two neighbors swapped";
    EXPECT_EQ(computeEditDistance("", "abc"), 3U);
    EXPECT_EQ(computeEditDistance("Batch", "bATCH"), 0U);
}

TEST(FindNearestTest, FindsWhatWasMeant)
{
    const std::vector<std::string> names = {"lr", "batch", "workers", "optimizer"};
    EXPECT_EQ(findNearest("optimiser", names), "optimizer");
    EXPECT_EQ(findNearest("bacth", names), "batch");
    EXPECT_EQ(findNearest("Workers", names), "workers");
    EXPECT_EQ(findNearest("rl", names), "lr");
    EXPECT_EQ(findNearest("opt", names), "optimizer") << "the only one that begins so";
    EXPECT_EQ(findNearest("learning_rate", names), std::nullopt);
    EXPECT_EQ(findNearest("x", names), std::nullopt);
    EXPECT_EQ(findNearest("", names), std::nullopt);
    EXPECT_EQ(findNearest("anything", {}), std::nullopt);
}

TEST(FindNearestTest, NeverReplacesEveryLetter)
{
    EXPECT_EQ(findNearest("a", {"b"}), std::nullopt);
    EXPECT_EQ(findNearest("wor", {"workers", "worlds"}), std::nullopt) << "two begin so";
}

TEST(FindNearestTest, AsksInASentence)
{
    EXPECT_EQ(suggestNearest("optimiser", {"lr", "optimizer"}, "{", "}"), " Did you mean {optimizer}?");
    EXPECT_EQ(suggestNearest("nothing_near", {"lr"}), "");
}

} // namespace quadric::text
