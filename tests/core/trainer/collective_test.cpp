// SPDX-License-Identifier: GPL-3.0-or-later
// Sums and messages between ranks: one thread a rank, over real sockets, by the library of this build and by
// our own ring.
#include "core/trainer/base/failure.h"

#include "rank_threads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <numeric>

namespace quadric::trainer {
namespace {

using testing::asRanks;
using testing::Meet;

class AnyCollective : public ::testing::TestWithParam<Meet> {};

TEST_P(AnyCollective, SumsOverAllRanks)
{
    for (const int ranks : {2, 3}) {
        asRanks(
            ranks,
            [ranks](Collective& collective) {
                std::vector<float> values(1000);
                for (std::size_t i = 0; i < values.size(); ++i)
                    values[i] = static_cast<float>(i) + static_cast<float>(collective.rank());
                collective.sum(std::span(values));
                const int rankSum = ranks * (ranks - 1) / 2;
                for (std::size_t i = 0; i < values.size(); ++i)
                    ASSERT_EQ(values[i], static_cast<float>(ranks * static_cast<int>(i) + rankSum));
            },
            GetParam());
    }
}

TEST_P(AnyCollective, SumsFewerNumbersThanRanksAndMoreThanASocketHolds)
{
    for (const std::size_t count : {std::size_t{1}, std::size_t{2}, std::size_t{3'000'001}}) {
        asRanks(
            4,
            [count](Collective& collective) {
                std::vector<double> values(count, 1.0 + collective.rank());
                collective.sum(std::span(values));
                for (const double value : values)
                    ASSERT_EQ(value, 10.0);
            },
            GetParam());
    }
}

TEST_P(AnyCollective, RoundsEverySumOfSixteenBits)
{
    asRanks(
        2,
        [](Collective& collective) {
            // 1 + 2⁻⁸ lies between two neighbors in bfloat16; the even one is 1.
            const float mine = collective.rank() == 0 ? 1.0F : 0x1p-8F;
            std::vector<std::uint16_t> values(3, encode16(WireType::Bf16, mine));
            collective.sum(std::span(values), WireType::Bf16);
            EXPECT_EQ(decode16(WireType::Bf16, values[2]), 1.0F);
        },
        GetParam());
}

TEST_P(AnyCollective, GathersInTheOrderOfTheRanksAndCountsItsBytes)
{
    asRanks(
        3,
        [](Collective& collective) {
            const std::vector<int> mine(5, collective.rank());
            std::vector<int> all(15);
            collective.gather(std::as_bytes(std::span(mine)), std::as_writable_bytes(std::span(all)));
            EXPECT_THAT(all, ::testing::ElementsAre(0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2));
            EXPECT_EQ(collective.bytesSent(), 2 * 5 * sizeof(int));
            std::vector<float> values(300, 1.0F);
            collective.sum(std::span(values));
            EXPECT_EQ(collective.bytesSent(), 2 * 5 * sizeof(int) + 2U * 2U * 300U * 4U / 3U);
        },
        GetParam());
}

TEST_P(AnyCollective, AMissingPeerIsATypedFailure)
{
    asRanks(
        2,
        [](Collective& collective) {
            double value = 1.0;
            collective.sum(std::span(&value, 1));
            if (collective.rank() == 1)
                return;
            try {
                collective.sum(std::span(&value, 1));
                ADD_FAILURE() << "the sum of a rank that is gone was returned";
            } catch (const Failure& failure) {
                EXPECT_EQ(failure.kind(), kCommunication);
            }
        },
        GetParam());
}

TEST_P(AnyCollective, AFolderThatIsNotThereIsATypedFailure)
{
    try {
        GetParam()(0, 2, {.folder = "/nowhere/at/all"});
        ADD_FAILURE() << "ranks cannot meet there";
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.kind(), kCommunication);
        EXPECT_THAT(failure.what(), ::testing::HasSubstr("rank 0 could not reach its peers"));
    }
}

INSTANTIATE_TEST_SUITE_P(Kinds, AnyCollective, ::testing::Values(makeCollective, makeRingCollective),
                         [](const auto& instance) {
                             return instance.param == Meet{makeRingCollective} ? "Ring" : "Library";
                         });

} // namespace
} // namespace quadric::trainer
