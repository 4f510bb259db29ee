// SPDX-License-Identifier: GPL-3.0-or-later
// How threads share a matrix, and how tensors lie: what kernels and convolutions rely on.
#include "core/trainer/gpu/channel_grid.h"
#include "core/trainer/gpu/weight_layout.h"

#include <gtest/gtest.h>

#include <numeric>

namespace quadric::trainer::cuda {
namespace {

TEST(ChannelGrid, EveryPackAndRowHasAThreadAndPartialSumsFit)
{
    for (const int width : {1, 4, 8}) {
        for (const int packs : {1, 3, 8, 24, 32, 33, 256}) {
            for (const std::size_t rows : {1U, 2U, 255U, 100000U, 3211264U}) {
                const ChannelGrid grid = channelGrid(rows, packs * width, width, kReducingBlocks);
                EXPECT_EQ(grid.lanes * grid.rows, kThreads);
                EXPECT_TRUE(std::has_single_bit(grid.rows)) << "rows are summed in halves";
                EXPECT_GE(grid.lanes * grid.stripes, static_cast<unsigned>(packs));
                EXPECT_LT(grid.lanes * (grid.stripes - 1), static_cast<unsigned>(packs));
                EXPECT_GE(grid.rowBlocks, 1U);
                EXPECT_LE(2U * grid.rowBlocks * static_cast<unsigned>(packs * width),
                          partialSums(packs * width));
            }
        }
    }
}

TEST(WeightLayout, ChannelsLieNextToEachOtherAndComeBack)
{
    std::vector<float> plain(2 * 3 * 2 * 2);
    std::iota(plain.begin(), plain.end(), 0.0F);
    const std::vector<std::int64_t> dims = {2, 3, 2, 2};
    const std::vector<float> last = channelsLast(dims, plain);
    for (std::size_t o = 0; o < 2; ++o)
        for (std::size_t c = 0; c < 3; ++c)
            for (std::size_t y = 0; y < 2; ++y)
                for (std::size_t x = 0; x < 2; ++x)
                    EXPECT_EQ(last[((o * 2 + y) * 2 + x) * 3 + c], plain[((o * 3 + c) * 2 + y) * 2 + x]);
    EXPECT_EQ(channelsFirst(dims, last), plain);
    EXPECT_EQ(channelsLast({24}, plain), plain) << "a bias has no order to change";
}

} // namespace
} // namespace quadric::trainer::cuda
