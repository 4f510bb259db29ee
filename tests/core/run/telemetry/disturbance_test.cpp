// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/summary.h"
#include "reader_fixture.h"

#include <gmock/gmock.h>

using namespace quadric::machine;
using quadric::test::MachineFixture;
using quadric::test::oneGpu;

namespace {

/// Ten samples, 0.2 s apart, of the device's moments.
Summary summaryOf(const MachineFixture& machine, int samples = 10)
{
    Reader reader(quadric::test::readerOptions(machine));
    Recorder recorder(reader);
    for (int i = 0; i < samples; ++i) {
        Sample sample = reader.read();
        sample.seconds = 0.2 * i;
        recorder.add(sample);
    }
    return recorder.summary();
}

DeviceSummary device(std::map<std::string, double> throttled, std::vector<GpuProcess> during = {},
                     bool hasOwn = false)
{
    return {.identity = {0, "GPU-a", "H100"},
            .throttledPct = std::move(throttled),
            .during = std::move(during),
            .hasOwn = hasOwn};
}

} // namespace

TEST(Telemetry, SummarizesClockPowerAndThrottling)
{
    const MachineFixture machine;
    nlohmann::json moments = nlohmann::json::array();
    for (int i = 0; i < 10; ++i)
        moments.push_back(
            {{"clock", 1000 + 100 * i}, {"power_mw", 300000}, {"throttle", i < 3 ? 0x20 : 0x4}});
    machine.setScript(oneGpu(moments));
    const Summary summary = summaryOf(machine);
    const DeviceSummary& gpu = summary.devices.at(0);
    EXPECT_EQ(summary.samples, 10);
    EXPECT_NEAR(summary.seconds, 1.8, 1e-12);
    EXPECT_EQ(gpu.clockMhz.min, 1000.0);
    EXPECT_NEAR(gpu.clockMhz.mean, 1450.0, 1e-9);
    EXPECT_EQ(gpu.clockMhz.max, 1900.0);
    EXPECT_NEAR(gpu.throttledPct.at("heat"), 30.0, 1e-9);
    EXPECT_NEAR(gpu.throttledPct.at("power limit"), 70.0, 1e-9);
    EXPECT_NEAR(gpu.energyJoules.value_or(0), 1.8 * 300.0, 1e-9); // constant power over the time
    EXPECT_EQ(disturbance(summary, true), "GPU 0 was slowed by heat for 30 % of the run");
}

TEST(Telemetry, TheEnergyCounterIsPreferredToTheIntegral)
{
    const MachineFixture machine;
    machine.setScript(oneGpu({{{"clock", 1}, {"power_mw", 300000}, {"energy_mj", 7000}},
                              {{"clock", 1}, {"power_mw", 300000}, {"energy_mj", 57000}}}));
    EXPECT_NEAR(summaryOf(machine, 2).devices.at(0).energyJoules.value_or(0), 50.0, 1e-9);
}

TEST(Telemetry, EnergyIsAbsentWithoutAMeter)
{
    const MachineFixture machine;
    machine.setScript(oneGpu({{{"clock", 1}}}));
    EXPECT_EQ(summaryOf(machine, 2).devices.at(0).energyJoules, std::nullopt);
}

TEST(Disturbance, NeedsMoreThanATenth)
{
    Summary summary{.samples = 600, .seconds = 60.0};
    summary.foreignPct = 10.0;
    summary.throttledPct = 10.0;
    summary.devices = {device({{"heat", 10.0}})};
    EXPECT_EQ(disturbance(summary, false), "");
    summary.foreignPct = 34.2;
    summary.throttledPct = 12.0;
    EXPECT_EQ(disturbance(summary, false),
              "other processes used 34 % of the machine; heat held the processor "
              "back for 12 % of the run");
    summary.throttledPct.reset();
    summary.isOfOwnCores = true;
    EXPECT_EQ(disturbance(summary, false), "other processes used 34 % of the run's cores");
}

TEST(Disturbance, AShortRunIsNotJudged)
{
    Summary summary{.samples = 9, .seconds = 0.9};
    summary.foreignPct = 100.0;
    EXPECT_EQ(disturbance(summary, false), "");
}

TEST(Disturbance, AWorkerThatJudgesTheMachineIsBelieved)
{
    Summary summary{.samples = 600, .seconds = 60.0};
    summary.foreignPct = 34.2;
    EXPECT_EQ(disturbance(summary, true), "");
}

TEST(Disturbance, ThePowerLimitIsTheNormalStateUnderLoad)
{
    Summary summary{.samples = 600, .seconds = 60.0};
    summary.devices = {device({{"power limit", 100.0}})};
    EXPECT_EQ(disturbance(summary, false), "");
}

TEST(Disturbance, NamesWhoSharedTheDevice)
{
    Summary summary{.samples = 600, .seconds = 60.0};
    summary.devices = {device({}, {{5, "python3", 100}, {6, "blender", 50}})};
    EXPECT_EQ(disturbance(summary, false), "GPU 0 was shared with python3 and 1 more");
    summary.devices = {device({}, {{5, "", 100}})};
    EXPECT_EQ(disturbance(summary, false), "GPU 0 was shared with process 5");
}

TEST(Disturbance, DevicesThatTheRunDidNotUseDoNotCount)
{
    Summary summary{.samples = 600, .seconds = 60.0};
    summary.devices = {device({}, {}, true), device({{"heat", 50.0}}, {{5, "python3", 100}})};
    EXPECT_EQ(disturbance(summary, false), "");
}

TEST(DeviceUsers, TellsOursFromOthersAndFromOtherWorlds)
{
    const MachineFixture machine;
    machine.setProcess(100, "quadric", 0, {200});
    machine.setProcess(200, "rank", 0);
    machine.setProcess(300, "python3", 0);
    const int beforeOnly = 77, unknown = 88;
    machine.setScript(
        oneGpu({{{"clock", 1}, {"processes", {{200, 0}, {300, 1 << 20}, {beforeOnly, 0}, {unknown, 0}}}}}));
    const Reader reader(quadric::test::readerOptions(machine));
    const DeviceUsers users = reader.users(0, {{beforeOnly, "", 0}});
    EXPECT_TRUE(users.hasOwn);
    EXPECT_THAT(users.foreign,
                testing::ElementsAre(GpuProcess{300, "python3", 1 << 20}, GpuProcess{beforeOnly, "", 0}));
}
