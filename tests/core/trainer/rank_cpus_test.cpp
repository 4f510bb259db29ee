// SPDX-License-Identifier: GPL-3.0-or-later
// Where ranks compute, on machines that are made of files.
#include "core/trainer/measure/rank_group.h"
#include "core/trainer/measure/rank_session.h"
#include "machine_fixture.h"

#include <gmock/gmock.h>

#include <csignal>
#include <cstdlib>
#include <numeric>

namespace quadric::trainer {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;
using Cpus = std::vector<int>;

/// Two sockets with a NUMA node and four cores each, numbered as Linux does: first one thread of every core,
/// core by core on one socket after the other, then the second threads.
class TwoSockets : public ::testing::Test {
protected:
    TwoSockets()
    {
        m_machine.write("sys/devices/system/node/node0/cpulist", "0-3,8-11\n");
        m_machine.write("sys/devices/system/node/node1/cpulist", "4-7,12-15\n");
        for (int cpu = 0; cpu < 16; ++cpu)
            m_machine.write("sys/devices/system/cpu/cpu" + std::to_string(cpu) +
                                "/topology/thread_siblings_list",
                            std::to_string(cpu % 8) + ',' + std::to_string(cpu % 8 + 8) + '\n');
        m_machine.write("sys/bus/pci/devices/0000:1b:00.0/numa_node", "0\n");
        m_machine.write("sys/bus/pci/devices/0000:c1:00.0/numa_node", "1\n");
        m_machine.write("sys/bus/pci/devices/0000:d1:00.0/numa_node", "-1\n");
    }

    std::vector<machine::Core> cores(Cpus allowed = {}) const
    {
        if (allowed.empty()) {
            allowed.resize(16);
            std::iota(allowed.begin(), allowed.end(), 0);
        }
        return machine::readCores(m_machine.root(), allowed);
    }
    RankCpus shares(int ranks, int threads, bool userBinds = false, const Cpus& allowed = {}) const
    {
        Workload workload;
        workload.ranks = ranks;
        workload.threadsPerRank = threads;
        return distributeCores(workload, cores(allowed), userBinds);
    }

    test::MachineFixture m_machine;
};

TEST_F(TwoSockets, RanksOfProcessorsGetWholeCoresOfOneNode)
{
    EXPECT_THAT(shares(2, 4), ElementsAre(Cpus{0, 8, 1, 9, 2, 10, 3, 11}, Cpus{4, 12, 5, 13, 6, 14, 7, 15}));
    EXPECT_THAT(shares(4, 2),
                ElementsAre(Cpus{0, 8, 1, 9}, Cpus{2, 10, 3, 11}, Cpus{4, 12, 5, 13}, Cpus{6, 14, 7, 15}));
}

TEST_F(TwoSockets, MoreThreadsThanCoresGetHardwareThreads)
{
    EXPECT_THAT(shares(3, 5),
                ElementsAre(Cpus{0, 8, 1, 9, 2}, Cpus{10, 3, 11, 4, 12}, Cpus{5, 13, 6, 14, 7, 15}));
    EXPECT_THAT(shares(4, 4),
                ElementsAre(Cpus{0, 8, 1, 9}, Cpus{2, 10, 3, 11}, Cpus{4, 12, 5, 13}, Cpus{6, 14, 7, 15}));
}

/// Whatever is asked for and allowed: enough processors for every rank, and none in two shares.
TEST_F(TwoSockets, EveryShareHoldsTheThreadsOfItsRank)
{
    for (const Cpus& allowed : {Cpus{}, Cpus{0, 1, 2, 4, 5, 12, 13}, Cpus{3, 11, 4}}) {
        const int cpus = allowed.empty() ? 16 : static_cast<int>(allowed.size());
        for (int ranks = 1; ranks <= cpus; ++ranks) {
            for (int threads = 1; ranks * threads <= cpus; ++threads) {
                std::set<int> taken;
                const RankCpus found = shares(ranks, threads, false, allowed);
                ASSERT_EQ(found.size(), static_cast<std::size_t>(ranks));
                for (const Cpus& share : found) {
                    EXPECT_GE(share.size(), static_cast<std::size_t>(threads)) << ranks << " × " << threads;
                    for (const int cpu : share)
                        EXPECT_TRUE(taken.insert(cpu).second) << cpu << " is in two shares";
                }
            }
        }
    }
}

TEST_F(TwoSockets, NobodyIsConfinedOnOneNodeOrWithTooManyThreads)
{
    EXPECT_THAT(shares(2, 2, false, {0, 1, 2, 3}), IsEmpty());
    EXPECT_THAT(shares(2, 2, true, {0, 1, 2, 3}), ElementsAre(Cpus{0, 1}, Cpus{2, 3}))
        << "the user binds threads";
    EXPECT_THAT(shares(4, 5), IsEmpty()) << "oversubscribed";
}

TEST_F(TwoSockets, RanksOfGpusGetTheCoresOfTheNodeOfTheirGpu)
{
    std::vector<int> nodes;
    for (const char* pci : {"00000000:1B:00.0", "00000000:C1:00.0", "00000000:D1:00.0"})
        nodes.push_back(machine::readNodeOfPci(m_machine.root(), pci));
    EXPECT_THAT(nodes, ElementsAre(0, 1, -1));
    const Cpus first{0, 8, 1, 9, 2, 10, 3, 11};
    const Cpus second{4, 12, 5, 13, 6, 14, 7, 15};
    const RankCpus found = assignCoresNearGpus(4, nodes, cores());
    ASSERT_EQ(found.size(), 4U);
    EXPECT_EQ(found[0], first);
    EXPECT_EQ(found[1], second);
    EXPECT_EQ(found[2].size(), 16U) << "the node of its GPU is not known";
    EXPECT_EQ(found[3], first) << "ranks take the GPUs in turn";
    EXPECT_THAT(assignCoresNearGpus(2, {0, 0}, cores({0, 1})), IsEmpty()) << "there is one node";
    EXPECT_THAT(assignCoresNearGpus(2, {}, cores()), IsEmpty());
}

TEST(RankEnvironment, KeepsTheUsersBindingAndNoOtherRuleOfOpenMp)
{
    setenv("OMP_PROC_BIND", "spread", 1);
    setenv("OMP_PLACES", "cores", 1);
    setenv("OMP_NUM_THREADS", "64", 1);
    setenv("GOMP_SPINCOUNT", "9", 1);
    EXPECT_TRUE(userBindsThreads());
    Workload workload;
    workload.threadsPerRank = 3;
    const std::vector<std::string> variables = rankEnvironment(workload);
    EXPECT_THAT(variables, Contains("OMP_PROC_BIND=spread"));
    EXPECT_THAT(variables, Contains("OMP_PLACES=cores"));
    EXPECT_THAT(variables, Contains("OMP_NUM_THREADS=3"));
    EXPECT_THAT(variables, Not(Contains("OMP_NUM_THREADS=64")));
    EXPECT_THAT(variables, Not(Contains("GOMP_SPINCOUNT=9")));
    for (const char* name : {"OMP_PROC_BIND", "OMP_PLACES", "OMP_NUM_THREADS", "GOMP_SPINCOUNT"})
        unsetenv(name);
    EXPECT_FALSE(userBindsThreads());
}

using ::testing::HasSubstr;

constexpr int kExitedWithOne = 1 << 8; // as wait() tells it

// Why a run of several ranks failed, and what got in the way of one, from what the ranks say.

TEST(CauseOf, WhatARankReportedComesBeforeTheCrashOfItsPeers)
{
    const std::vector<RankEnd> ends = {{0, SIGABRT}, {1, kExitedWithOne}, {2, std::nullopt}};
    const Failure found = findFailureCause(
        ends, {{kCommunication, "rank 0 is gone"}, {kOutOfMemory, "cudaMalloc: out of memory"}});
    EXPECT_EQ(found.kind(), kOutOfMemory);
    EXPECT_STREQ(found.what(), "cudaMalloc: out of memory");
}

TEST(CauseOf, ARankThatWasKilledComesBeforeLostConnections)
{
    const Failure found =
        findFailureCause({{0, kExitedWithOne}, {1, SIGKILL}}, {{kCommunication, "rank 1 is gone"}});
    EXPECT_EQ(found.kind(), kRankLost);
    EXPECT_THAT(found.what(), HasSubstr("rank 1 was ended by signal 9"));
}

TEST(CauseOf, LostConnectionsAndBadStatusesAreTheLastToBeNamed)
{
    EXPECT_EQ(findFailureCause({{0, kExitedWithOne}}, {{kCommunication, "no answer"}}).kind(),
              kCommunication);
    EXPECT_THAT(findFailureCause({{0, 0}, {1, kExitedWithOne}}, {}).what(),
                HasSubstr("rank 1 ended with status 1"));
    EXPECT_EQ(findFailureCause({{0, 0}}, {}).kind(), kInternal);
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
    EXPECT_EQ(assessRankContention(quiet, false).reason, "");
    EXPECT_DOUBLE_EQ(assessRankContention(quiet, false).shares.foreignPct, 0.0);
    EXPECT_DOUBLE_EQ(assessRankContention(quiet, false).involuntarySwitches, 4.0);

    // With the time of all hosts taken from that of the first one, nobody could ever disturb.
    std::vector<RankUsage> loaded = quiet;
    loaded[0].after.machine.busySeconds = 40.0;
    EXPECT_EQ(assessRankContention(loaded, false).reason, "other processes used 25 % of the machine");
    loaded = quiet;
    loaded[2].after.machine.busySeconds = 36.0;
    EXPECT_EQ(assessRankContention(loaded, false).reason, "other processes used 20 % of the machine")
        << "the second host counts as well";
}

TEST(JudgeRanks, OthersOnProcessorsDoNotDisturbRanksThatComputeOnGpus)
{
    const std::vector<RankUsage> loaded = {usage(1, 40.0, 10.0)};
    EXPECT_NE(assessRankContention(loaded, false).reason, "");
    EXPECT_EQ(assessRankContention(loaded, true).reason, "");
    EXPECT_GT(assessRankContention(loaded, true).shares.foreignPct, 30.0) << "it is recorded";
    const std::vector<RankUsage> stolen = {usage(1, 10.0, 10.0, 12.0)};
    EXPECT_EQ(assessRankContention(stolen, true).reason, "the host took 15 % of the machine");
    std::vector<RankUsage> displaced = {usage(1, 40.0, 2.0)};
    displaced[0].after.involuntarySwitches = 200.0;
    EXPECT_THAT(assessRankContention(displaced, true).reason, HasSubstr("displaced the ranks"));
}

} // namespace
} // namespace quadric::trainer
