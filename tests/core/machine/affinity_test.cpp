// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/affinity.h"

#include <gmock/gmock.h>

#include <fstream>
#include <thread>

using namespace quadric::machine;
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
