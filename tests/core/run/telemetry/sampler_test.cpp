// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/sampler.h"
#include "reader_fixture.h"

#include <gtest/gtest.h>

#include <atomic>

using namespace quadric::machine;
using quadric::test::MachineFixture;
using quadric::test::oneGpu;

namespace {

constexpr std::chrono::milliseconds kQuick(1);

} // namespace

TEST(Sampler, SamplesUntilItIsFinishedAndNeverAfterwards)
{
    const MachineFixture machine;
    machine.setProcess(300, "python3", 0);
    machine.setScript(oneGpu({{{"clock", 1000}, {"power_mw", 1000}, {"processes", {{300, 0}}}}}));
    std::atomic<int> calls = 0;
    std::atomic<bool> isInOrder = true;
    Sampler sampler(
        quadric::test::readerOptions(machine),
        [&](const Sample& before, const Sample& now) {
            isInOrder = isInOrder && before.seconds <= now.seconds;
            ++calls;
        },
        kQuick);
    while (calls < 25)
        std::this_thread::yield();
    const Summary summary = sampler.finish();
    const int atTheEnd = calls;
    EXPECT_EQ(summary.samples, atTheEnd);
    EXPECT_TRUE(isInOrder);
    EXPECT_EQ(summary.devices.at(0).before.at(0).name, "python3");
    EXPECT_EQ(summary.devices.at(0).during.size(), 1U);
    EXPECT_EQ(sampler.finish().samples, atTheEnd);
    EXPECT_EQ(calls, atTheEnd);
}

TEST(Sampler, ARunTooShortForThePeriodHasABeginningAndAnEnd)
{
    const MachineFixture machine;
    machine.setProcess(300, "python3", 0);
    machine.setScript(oneGpu({{{"clock", 1000}, {"processes", {{300, 0}}}}}));
    std::atomic<int> calls = 0;
    Sampler sampler(
        quadric::test::readerOptions(machine), [&calls](const Sample&, const Sample&) { ++calls; },
        std::chrono::hours(1));
    while (calls == 0)
        std::this_thread::yield();
    const Summary summary = sampler.finish();
    EXPECT_EQ(summary.samples, 2);
    EXPECT_EQ(summary.devices.at(0).during.size(), 1U);
}

TEST(Sampler, ReadsThisMachine)
{
    std::atomic<int> calls = 0;
    Sampler sampler(
        {.nvmlLibrary = "libno-such-driver.so.1", .ownPid = getpid()},
        [&calls](const Sample&, const Sample&) { ++calls; }, kQuick);
    while (calls < 3)
        std::this_thread::yield();
    const Summary summary = sampler.finish();
    EXPECT_GE(summary.samples, 3);
    EXPECT_FALSE(summary.noDevicesBecause.empty());
    EXPECT_GE(summary.foreignPct, 0.0);
    EXPECT_LE(summary.foreignPct, 100.0);
}
