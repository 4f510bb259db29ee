// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/contention.h"
#include "core/machine/proc.h"
#include "core/machine/processor.h"
#include "machine_fixture.h"

#include <gmock/gmock.h>

#include <fstream>
#include <thread>
#include <unistd.h>

using namespace quadric::machine;
using quadric::test::MachineFixture;

TEST(Processor, IsNamedAsTheKernelNamesIt)
{
    const MachineFixture machine;
    EXPECT_EQ(readProcessorName(machine.root()), "unknown");
    machine.write("proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd40\n");
    EXPECT_EQ(readProcessorName(machine.root()), "ARM processor (implementer 0x41, part 0xd40)");
    machine.write("proc/cpuinfo", "processor\t: 0\nmodel name\t: Fast CPU 9000\n");
    EXPECT_EQ(readProcessorName(machine.root()), "Fast CPU 9000");
}

TEST(Processor, AContainersQuotaLeavesWholeCores)
{
    const MachineFixture machine;
    EXPECT_EQ(limitToQuota(8, machine.root()), 8);
    machine.write("sys/fs/cgroup/cpu.max", "max 100000\n");
    EXPECT_EQ(limitToQuota(8, machine.root()), 8);
    machine.write("sys/fs/cgroup/cpu.max", "250000 100000\n");
    EXPECT_EQ(limitToQuota(8, machine.root()), 2);
    machine.write("sys/fs/cgroup/cpu.max", "50000 100000\n");
    EXPECT_EQ(limitToQuota(8, machine.root()), 1);
}

TEST(Memory, IsWhatTheMachineHasOrItsContainerMayUse)
{
    const MachineFixture machine;
    EXPECT_EQ(readMemoryMib(machine.root()), 0.0);
    machine.write("proc/meminfo", "MemTotal:       4194304 kB\nMemAvailable:    1024 kB\n");
    EXPECT_EQ(readMemoryMib(machine.root()), 4096.0);
    EXPECT_EQ(readAvailableBytes(machine.root()), 1 << 20);
    machine.write("sys/fs/cgroup/memory.max", "max\n");
    EXPECT_EQ(readMemoryMib(machine.root()), 4096.0);
    machine.write("sys/fs/cgroup/memory.max", "1073741824\n");
    EXPECT_EQ(readMemoryMib(machine.root()), 1024.0);
}

TEST(Memory, OfProcessesIsTheSumOfTheirShares)
{
    const MachineFixture machine;
    machine.setProcess(100, "worker", 0, {200});
    machine.setProcess(200, "child", 0);
    const auto rollup = [&machine](int pid, int anonymous, int shared) {
        machine.write("proc/" + std::to_string(pid) + "/smaps_rollup",
                      "0-1 ---p 00000000 00:00 0    [rollup]\nRss:  999999 kB\nPss:  99999 kB\nPss_Anon:  " +
                          std::to_string(anonymous) + " kB\nPss_File:  77777 kB\nPss_Shmem:   " +
                          std::to_string(shared) + " kB\nPrivate_Dirty:  5 kB\n");
    };
    rollup(100, 1024, 512);
    rollup(200, 2048, 0);
    EXPECT_DOUBLE_EQ(proportionalMemoryMib(machine.root(), {100, 200}), 3.5);
    machine.write("proc/200/smaps_rollup", "0-1\nRss:  999999 kB\nPss:  99999 kB\nPrivate_Dirty:  4096 kB\n");
    EXPECT_DOUBLE_EQ(proportionalMemoryMib(machine.root(), {100, 200}), 5.5);
}

TEST(Memory, OfAProcessWhoseShareIsNotToldLeavesOutFiles)
{
    const MachineFixture machine;
    machine.setProcess(100, "guard", 0, {200});
    machine.setProcess(200, "worker", 0);
    machine.write("proc/100/statm", "9000 300 44 1 0 1 0\n");
    machine.write("proc/200/statm", "9000 512 256 1 0 1 0\n");
    const double pageMib = static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
    EXPECT_DOUBLE_EQ(proportionalMemoryMib(machine.root(), processTree(machine.root(), 100)), 512 * pageMib);
    EXPECT_DOUBLE_EQ(residentMemoryMib(machine.root(), processTree(machine.root(), 100)), 812 * pageMib);
}

using testing::ElementsAre;

TEST(CpuList, IsWrittenAndReadAsLinuxDoes)
{
    EXPECT_EQ(cpuListText({}), "");
    EXPECT_EQ(cpuListText({5}), "5");
    EXPECT_EQ(cpuListText({8, 2, 0, 1, 9}), "0-2,8-9");
    EXPECT_THAT(parseCpuList("0-2,8-9\n"), ElementsAre(0, 1, 2, 8, 9));
    EXPECT_THAT(parseCpuList("7"), ElementsAre(7));
    EXPECT_THAT(parseCpuList("2-4,3,0-2"), ElementsAre(0, 1, 2, 3, 4)) << "a processor that is named twice";
    EXPECT_TRUE(parseCpuList("").empty());
    EXPECT_TRUE(parseCpuList("all").empty());
    EXPECT_THAT(parseCpuList("3,x,5"), ElementsAre(3));
    EXPECT_TRUE(parseCpuList("0-99999999").empty());
}

TEST(Affinity, IsWhatTheKernelSays)
{
    std::ifstream status("/proc/self/status");
    const std::string key = "Cpus_allowed_list:\t";
    std::string line;
    while (std::getline(status, line) && !line.starts_with(key))
        ;
    EXPECT_EQ(cpuListText(allowedCpus()), line.substr(key.size()));
}

TEST(Affinity, AThreadIsConfinedToItsProcessors)
{
    const int last = allowedCpus().back();
    std::vector<int> within;
    std::thread([&] {
        if (CpuMask({last}).apply())
            within = allowedCpus();
    }).join();
    EXPECT_THAT(within, ElementsAre(last));
    EXPECT_FALSE(CpuMask(std::vector<int>()).apply()); // no processor at all: the kernel refuses
}

namespace {

/// Two cores for ten seconds: 20 s, of which the ranks took 12 s.
UsageReading afterTenSeconds(double busySeconds)
{
    return {.machine = {.busySeconds = busySeconds, .totalSeconds = 20.0}, .ownSeconds = 12.0};
}

ClockReading held(double seconds, double heat, double slowdown, double brake, double limit)
{
    return {.seconds = seconds, .held = {heat, slowdown, brake, limit}};
}

} // namespace

TEST(CpuTimes, AreThoseOfTheFirstLineOfProcStat)
{
    const MachineFixture machine;
    machine.write("proc/stat", "cpu  100 20 30 400 50 6 4 90 0 0\ncpu0 1 2 3\n");
    const auto times = readCpuTimes(machine.root());
    ASSERT_TRUE(times);
    EXPECT_DOUBLE_EQ(times->busySeconds, 1.6);
    EXPECT_DOUBLE_EQ(times->stealSeconds, 0.9);
    EXPECT_DOUBLE_EQ(times->totalSeconds, 7.0);
    EXPECT_FALSE(readCpuTimes(machine.root(), {0})) << "a line that has another form";
    machine.write("proc/stat", "intr 1 2 3 4 5 6 7 8 9");
    EXPECT_FALSE(readCpuTimes(machine.root()));
    machine.write("proc/stat", "");
    EXPECT_FALSE(readCpuTimes(machine.root()));
}

/// What happens on the processors of others is not counted.
TEST(CpuTimes, AreThoseOfTheProcessorsThatAreAskedFor)
{
    const MachineFixture machine;
    machine.write("proc/stat", "cpu  900 0 0 900 0 0 0 90 0 0\ncpu0 100 0 0 100 0 0 0 10 0 0\n"
                               "cpu1 200 0 50 100 0 0 0 0 0 0\ncpu11 600 0 0 700 0 0 0 80 0 0\nintr 1\n");
    const auto times = readCpuTimes(machine.root(), {0, 1});
    ASSERT_TRUE(times);
    EXPECT_DOUBLE_EQ(times->busySeconds, 3.5);
    EXPECT_DOUBLE_EQ(times->stealSeconds, 0.1);
    EXPECT_DOUBLE_EQ(times->totalSeconds, 5.6);
}

TEST(Contention, NamesWhatDisturbed)
{
    UsageReading quiet = afterTenSeconds(12.5);
    quiet.involuntarySwitches = 3000; // own threads displacing each other: nobody else was there
    EXPECT_DOUBLE_EQ(assessContention({}, quiet).shares.foreignPct, 2.5);
    quiet.machine.busySeconds = 12.1;
    EXPECT_EQ(assessContention({}, quiet).reason, "");

    const Contention foreign = assessContention({}, afterTenSeconds(17.0));
    EXPECT_DOUBLE_EQ(foreign.shares.foreignPct, 25.0);
    EXPECT_EQ(foreign.reason, "other processes used 25 % of the machine");

    UsageReading stolen = afterTenSeconds(12.0);
    stolen.machine.stealSeconds = 3.0;
    EXPECT_EQ(assessContention({}, stolen).reason, "the host took 15 % of the machine");

    UsageReading displaced = afterTenSeconds(13.9);
    displaced.involuntarySwitches = 450; // × 4 ms = 1.8 s of 13.8 s
    const Contention preempted = assessContention({}, displaced);
    EXPECT_NEAR(preempted.shares.preemptedPct, 100.0 * 1.8 / 13.8, 1e-9);
    EXPECT_EQ(preempted.reason, "other processes displaced the ranks for about 13 % of their time");
}

/// Many short interruptions: others ran for 0.6 s, so the ranks lost no more, whatever the number of
/// switches.
TEST(Contention, LosesNoMoreThanOthersHaveRun)
{
    UsageReading after = afterTenSeconds(12.6);
    after.involuntarySwitches = 3000;
    const Contention contention = assessContention({}, after);
    EXPECT_NEAR(contention.shares.preemptedPct, 100.0 * 0.6 / 12.6, 1e-9);
    EXPECT_EQ(contention.reason, "");
}

TEST(Contention, NamesTheGpuWhoseClocksWereHeldDown)
{
    // Of 50 s: 15 of heat, 5 of a brake, 50 at the limit.
    const ClockReading hot = held(60.0, 19.0, 0.0, 5.0, 55.0) - held(10.0, 4.0, 0.0, 0.0, 5.0);
    const std::vector<ClockReading> ranks = {held(50.0, 1.0, 0.0, 0.0, 0.0), hot};
    Contention contention;
    addClockContention(ranks, contention);
    EXPECT_EQ(contention.reason, "the GPU of rank 1 was slowed by heat for 30 % of the run");
    EXPECT_EQ(contention.gpuClocksHeldPct, (std::map<std::string, double>{
                                               {"heat", 30.0},
                                               {"slowdown", 0.0},
                                               {"power_limit", 100.0},
                                           }));
    Contention none;
    addClockContention(std::vector<ClockReading>(2), none);
    EXPECT_EQ(none.reason, "");
    EXPECT_TRUE(none.gpuClocksHeldPct.empty()) << "nobody counts";
    Contention both;
    both.reason = "other processes used 40 % of the machine";
    addClockContention(ranks, both);
    EXPECT_EQ(both.reason, "other processes used 40 % of the machine; the GPU of rank 1 was slowed by heat "
                           "for 30 % of the run");
}

/// What a run's telemetry calls a disturbance is one in the trainer, too.
TEST(Contention, SyncBoostDisturbsAsInTheRecordOfARun)
{
    ClockReading boosted{.seconds = 5.0};
    boosted.add(SyncBoost, 1.0);
    boosted.add(PowerLimit, 4.0);
    Contention contention;
    addClockContention(std::span(&boosted, 1), contention);
    EXPECT_EQ(contention.reason, "the GPU of rank 0 was slowed by sync boost for 20 % of the run");
    EXPECT_EQ(contention.gpuClocksHeldPct.at("power_limit"), 80.0);
}
