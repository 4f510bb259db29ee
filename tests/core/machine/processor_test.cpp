// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/proc.h"
#include "core/machine/processor.h"
#include "machine_fixture.h"

#include <gmock/gmock.h>

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
