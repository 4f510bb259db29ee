// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/base/histogram.h"

#include <gmock/gmock.h>

#include <cmath>

namespace quadric::model::test {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;

TEST(HistogramTest, BinsAreCountedAtRoundEdges)
{
    // Eight values: 1 + log2(8) = 4 bins over 3.4, so bins of 1.
    const Histogram h = histogram({0.2, 0.9, 1.0, 1.5, 2.2, 2.9, 3.0, 3.6});
    EXPECT_THAT(h.edges, Pointwise(DoubleNear(1e-12), {0.0, 1.0, 2.0, 3.0, 4.0}));
    EXPECT_THAT(h.counts, ElementsAre(2, 2, 2, 2));
}

TEST(HistogramTest, TheLastEdgeBelongsToTheLastBin)
{
    const Histogram h = histogram({-1.0, 0.0, 1.0, 2.0});
    EXPECT_DOUBLE_EQ(h.edges.front(), -1.0);
    EXPECT_DOUBLE_EQ(h.edges.back(), 2.0);
    EXPECT_THAT(h.counts, ElementsAre(1, 1, 2));
}

TEST(HistogramTest, EqualAndMissingValues)
{
    EXPECT_TRUE(histogram({}).counts.empty());
    EXPECT_TRUE(histogram({std::nan("")}).counts.empty());
    EXPECT_THAT(histogram({7.0, 7.0, std::nan("")}).counts, ElementsAre(2));
    EXPECT_THAT(histogram({0.0}).counts, ElementsAre(1));
}

} // namespace quadric::model::test
