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

TEST(Memory, OfAProcessLeavesOutWhatItSharesWithFiles)
{
    const MachineFixture machine;
    machine.setProcess(100, "guard", 0, {200});
    machine.setProcess(200, "worker", 0);
    machine.write("proc/100/statm", "9000 300 44 1 0 1 0\n");
    machine.write("proc/200/statm", "9000 512 256 1 0 1 0\n");
    const double pageMib = static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
    EXPECT_DOUBLE_EQ(privateMemoryMib(machine.root(), processTree(machine.root(), 100)), 512 * pageMib);
}
