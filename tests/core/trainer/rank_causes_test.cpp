// SPDX-License-Identifier: GPL-3.0-or-later
// Why a run of several ranks failed, and what got in the way of one, from what the ranks say.
#include "core/trainer/measure/rank_contention.h"
#include "core/trainer/measure/rank_group.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

namespace quadric::trainer {
namespace {

using ::testing::HasSubstr;

constexpr int kExitedWithOne = 1 << 8; // as wait() tells it

TEST(CauseOf, WhatARankReportedComesBeforeTheCrashOfItsPeers)
{
    const std::vector<RankEnd> ends = {{0, SIGABRT}, {1, kExitedWithOne}, {2, std::nullopt}};
    const Failure found =
        causeOf(ends, {{kCommunication, "rank 0 is gone"}, {kOutOfMemory, "cudaMalloc: out of memory"}});
    EXPECT_EQ(found.kind(), kOutOfMemory);
    EXPECT_STREQ(found.what(), "cudaMalloc: out of memory");
}

TEST(CauseOf, ARankThatWasKilledComesBeforeLostConnections)
{
    const Failure found = causeOf({{0, kExitedWithOne}, {1, SIGKILL}}, {{kCommunication, "rank 1 is gone"}});
    EXPECT_EQ(found.kind(), kRankLost);
    EXPECT_THAT(found.what(), HasSubstr("rank 1 was ended by signal 9"));
}

TEST(CauseOf, LostConnectionsAndBadStatusesAreTheLastToBeNamed)
{
    EXPECT_EQ(causeOf({{0, kExitedWithOne}}, {{kCommunication, "no answer"}}).kind(), kCommunication);
    EXPECT_THAT(causeOf({{0, 0}, {1, kExitedWithOne}}, {}).what(), HasSubstr("rank 1 ended with status 1"));
    EXPECT_EQ(causeOf({{0, 0}}, {}).kind(), kInternal);
}

/// Ten seconds on eight processors of which all programs used `busy` and this rank `own` seconds.
RankUsage usage(std::uint64_t place, double busy, double own, double steal = 0.0)
{
    RankUsage used;
    used.place = place;
    used.after.machine = {.busySeconds = busy, .totalSeconds = 80.0, .stealSeconds = steal};
    used.after.ownSeconds = own;
    used.after.involuntarySwitches = 1.0;
    return used;
}

TEST(JudgeRanks, TakesFromEachHostTheTimeOfItsOwnRanksOnly)
{
    const std::vector<RankUsage> quiet = {usage(1, 20.0, 10.0), usage(1, 20.0, 10.0), usage(2, 20.0, 10.0),
                                          usage(2, 20.0, 10.0)};
    EXPECT_EQ(judgeRanks(quiet, false).reason, "");
    EXPECT_DOUBLE_EQ(judgeRanks(quiet, false).shares.foreignPct, 0.0);
    EXPECT_DOUBLE_EQ(judgeRanks(quiet, false).involuntarySwitches, 4.0);

    // With the time of all hosts taken from that of the first one, nobody could ever disturb.
    std::vector<RankUsage> loaded = quiet;
    loaded[0].after.machine.busySeconds = 40.0;
    EXPECT_EQ(judgeRanks(loaded, false).reason, "other processes used 25 % of the machine");
    loaded = quiet;
    loaded[2].after.machine.busySeconds = 36.0;
    EXPECT_EQ(judgeRanks(loaded, false).reason, "other processes used 20 % of the machine")
        << "the second host counts as well";
}

TEST(JudgeRanks, OthersOnProcessorsDoNotDisturbRanksThatComputeOnGpus)
{
    const std::vector<RankUsage> loaded = {usage(1, 40.0, 10.0)};
    EXPECT_NE(judgeRanks(loaded, false).reason, "");
    EXPECT_EQ(judgeRanks(loaded, true).reason, "");
    EXPECT_GT(judgeRanks(loaded, true).shares.foreignPct, 30.0) << "it is recorded";
    const std::vector<RankUsage> stolen = {usage(1, 10.0, 10.0, 12.0)};
    EXPECT_EQ(judgeRanks(stolen, true).reason, "the host took 15 % of the machine");
    std::vector<RankUsage> displaced = {usage(1, 40.0, 2.0)};
    displaced[0].after.involuntarySwitches = 200.0;
    EXPECT_THAT(judgeRanks(displaced, true).reason, HasSubstr("displaced the ranks"));
}

} // namespace
} // namespace quadric::trainer
