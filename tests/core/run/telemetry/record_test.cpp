// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/proc.h"
#include "core/machine/record.h"
#include "core/machine/summary.h"
#include "reader_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace quadric::machine;
using nlohmann::json;
using quadric::test::MachineFixture;
using quadric::test::oneGpu;

namespace {

Sample sampleWith(std::vector<DeviceSample> devices)
{
    Sample sample{.seconds = 1.5, .cpu = {}, .devices = std::move(devices)};
    sample.cpu.machine = {1.0, 2.0};
    sample.cpu.ownSeconds = 0.5;
    sample.cpu.clockMhz = 2596.15;
    sample.cpu.temperatureC = 55.0;
    return sample;
}

} // namespace

TEST(TelemetryRecord, WithoutGpuTheProcessorIsRead)
{
    const auto reading = parseReading(sampleText(Sample{}, sampleWith({})));
    ASSERT_TRUE(reading);
    EXPECT_EQ(*reading, (Reading{.seconds = 1.5,
                                 .clockMhz = 2596.15,
                                 .powerW = {},
                                 .temperatureC = 55.0,
                                 .busyPct = 50.0,
                                 .foreignPct = 25.0}));
}

TEST(TelemetryRecord, SeveralGpusBecomeOneReading)
{
    const DeviceSample first{.index = 0, .clockMhz = 1700.0, .powerW = 600.0, .temperatureC = 60.0};
    const DeviceSample second{.index = 1, .clockMhz = 1500.0, .powerW = 500.0, .temperatureC = 70.0};
    const auto reading = parseReading(sampleText(Sample{}, sampleWith({first, second})));
    ASSERT_TRUE(reading);
    EXPECT_EQ(reading->clockMhz, 1600.0);
    EXPECT_EQ(reading->powerW, 1100.0);
    EXPECT_EQ(reading->temperatureC, 70.0);
}

TEST(TelemetryRecord, AnythingElseIsNoReading)
{
    for (const char* text : {"", "{", "[]", "{\"cpu\": 3}", "{\"cpu\": {}}", "{\"seconds\": 1}",
                             "{\"seconds\": \"1\", \"cpu\": {}}"})
        EXPECT_FALSE(parseReading(text)) << text;
    EXPECT_TRUE(parseReading(R"({"seconds": 1, "cpu": {}, "devices": [3, {"clock_mhz": "fast"}]})"));
}

TEST(TelemetryRecord, ProvenanceNamesDevicesDriverAndOthers)
{
    Summary summary;
    summary.samples = 10;
    summary.driver = "550.54.15";
    summary.cudaVersion = "12.4";
    summary.devices = {{.identity = {0, "GPU-a", "H100"},
                        .energyJoules = 42.0,
                        .throttledPct = {{"heat", 12.5}},
                        .before = {{5, "python3", 3 << 20}}}};
    summary.devices[0].clockMhz.add(1755.0);
    const auto entries = makeProvenanceEntries(summary);
    EXPECT_EQ(json::parse(entries.at("driver")), json({{"version", "550.54.15"}, {"cuda", "12.4"}}));
    const json gpu = json::parse(entries.at("telemetry")).at("devices").at(0);
    EXPECT_EQ(gpu.at("uuid"), "GPU-a");
    EXPECT_EQ(gpu.at("clock_mhz").at("mean"), 1755.0);
    EXPECT_EQ(gpu.at("energy_joules"), 42.0);
    EXPECT_EQ(gpu.at("throttled_pct").at("heat"), 12.5);
    EXPECT_EQ(gpu.at("foreign_processes").at(0).at("when"), "before");
    EXPECT_EQ(gpu.at("foreign_processes").at(0).at("memory_mib"), 3.0);
    EXPECT_FALSE(gpu.contains("power_w"));
}

TEST(TelemetryRecord, ProvenanceSaysWhyNoGpuIsWatched)
{
    Summary summary;
    summary.noDevicesBecause = "No GPU is watched: the NVIDIA driver sees none";
    const auto entries = makeProvenanceEntries(summary);
    EXPECT_FALSE(entries.contains("driver"));
    EXPECT_EQ(json::parse(entries.at("telemetry")).at("no_devices_because"), summary.noDevicesBecause);
}

using namespace quadric;

namespace {

Summary summaryWith(double foreignPct, double heatPct)
{
    Summary summary;
    summary.samples = 20;
    summary.seconds = 2.0;
    summary.foreignPct = foreignPct;
    summary.ownCores = 1.0;
    summary.driver = "550.54.15";
    summary.devices = {{.identity = {0, "GPU-a", "H100"}, .throttledPct = {{"heat", heatPct}}}};
    return summary;
}

} // namespace

TEST(NodeRecord, NodesOfAJobAreToldApart)
{
    const Findings found =
        mergeNodeFindings({nodeRecord("n1", summaryWith(30.0, 0.0)), nodeRecord("n2", summaryWith(0.0, 50.0)),
                           "", "{\"node\": 3}", "{\"node\": \"n3\", \"telemetry\": 1}", "half a li"});
    const json nodes = json::parse(found.entries.at("telemetry")).at("nodes");
    ASSERT_EQ(nodes.size(), 2U);
    EXPECT_EQ(nodes[0].at("node"), "n1");
    EXPECT_EQ(nodes[0].at("samples"), 20);
    EXPECT_EQ(nodes[1].at("devices").at(0).at("throttled_pct").at("heat"), 50.0);
    EXPECT_EQ(json::parse(found.entries.at("driver")).at("version"), "550.54.15");
    EXPECT_EQ(found.foreignLoad, "n1: other processes used 30 % of the machine");
    EXPECT_EQ(found.disturbance, "n2: GPU 0 was slowed by heat for 50 % of the run");
    EXPECT_EQ(found.loss, "");
}

TEST(NodeRecord, WithoutNodesNothingIsFound)
{
    EXPECT_TRUE(mergeNodeFindings({}).entries.empty());
}

/// Two steps of job 12 and one of job 1; the shell of a user who looks for them is none.
TEST(JobProcesses, AreThoseOfItsSteps)
{
    const test::MachineFixture machine;
    for (const int pid : {10, 11, 20, 30, 40, 50})
        machine.setProcess(pid, "slurmstepd", 5, pid == 10 ? std::vector{11} : std::vector<int>{});
    machine.write("proc/10/cmdline", "slurmstepd: [12.batch]");
    machine.write("proc/11/cmdline", "sleep");
    machine.write("proc/20/cmdline", "slurmstepd: [12.0]");
    machine.write("proc/30/cmdline", "slurmstepd: [1.0]");
    machine.write("proc/40/cmdline", "grep slurmstepd: [12.0]");
    machine.write("proc/50/cmdline", "slurmstepd: [122.0]");
    std::vector<int> found = processesOfJob(machine.root(), "12");
    std::ranges::sort(found);
    EXPECT_EQ(found, (std::vector<int>{10, 11, 20}));
}

/// Of 400 ticks process 100 has used 100, the job 200.
TEST(JobProcesses, AreNoStrangers)
{
    const test::MachineFixture machine;
    machine.setProcess(100, "watch", 0);
    machine.setProcess(10, "slurmstepd", 0);
    machine.write("proc/10/cmdline", "slurmstepd: [12.0]");
    machine.setMachine(0, 0);
    ReaderOptions options = test::readerOptions(machine);
    options.ownJob = "12";
    Reader reader(options);
    const Sample before = reader.read();
    machine.setProcess(100, "watch", 100);
    machine.setProcess(10, "slurmstepd", 200);
    machine.setMachine(400, 400);
    EXPECT_NEAR(sharesBetween(before, reader.read()).foreignPct, 12.5, 1e-9);
}

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
    EXPECT_EQ(disturbance(summary), "GPU 0 was slowed by heat for 30 % of the run");
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
    summary.ownCores = 1.0;
    summary.foreignPct = 10.0;
    summary.throttledPct = 10.0;
    summary.devices = {device({{"heat", 10.0}})};
    EXPECT_EQ(disturbance(summary), "");
    EXPECT_EQ(foreignLoad(summary), "");
    summary.foreignPct = 34.2;
    summary.throttledPct = 12.0;
    EXPECT_EQ(foreignLoad(summary), "other processes used 34 % of the machine");
    EXPECT_EQ(disturbance(summary), "heat held the processor back for 12 % of the run");
    summary.isOfOwnCores = true;
    EXPECT_EQ(foreignLoad(summary), "other processes used 34 % of the run's cores");
}

TEST(Disturbance, AShortRunIsNotJudged)
{
    Summary summary{.samples = 9, .seconds = 0.9};
    summary.ownCores = 1.0;
    summary.foreignPct = 100.0;
    EXPECT_EQ(foreignLoad(summary), "");
}

TEST(Disturbance, LoadDisturbsOnlyWhatComputesOnProcessors)
{
    Summary summary{.samples = 600, .seconds = 60.0};
    summary.foreignPct = 100.0;
    summary.throttledPct = 100.0;
    summary.ownCores = 0.05; // the client of a cluster
    EXPECT_EQ(foreignLoad(summary), "");
    EXPECT_EQ(disturbance(summary), "");
    summary.ownCores = 4.0;
    EXPECT_NE(foreignLoad(summary), "");
    summary.devices = {device({}, {}, true)};
    EXPECT_EQ(foreignLoad(summary), "") << "a process of the run is on the GPU";
    EXPECT_EQ(disturbance(summary), "");
    summary.devices = {device({})};
    EXPECT_NE(foreignLoad(summary), "") << "the GPU is idle";
    summary.devices[0].busyPct.add(95.0);
    EXPECT_EQ(foreignLoad(summary), "") << "nobody else is on the GPU";
    summary.devices[0].before = {{5, "python3", 100}};
    EXPECT_NE(foreignLoad(summary), "") << "somebody else is";
}

TEST(Disturbance, AHaltIsOneHoweverShortTheRun)
{
    const MachineFixture machine;
    Recorder recorder(Reader(quadric::test::readerOptions(machine)));
    recorder.addDelay(0.1);
    recorder.addDelay(1.0);
    EXPECT_EQ(disturbance(recorder.summary()), "");
    recorder.addDelay(6.1);
    recorder.addDelay(2.0);
    EXPECT_EQ(disturbance(recorder.summary()), "this machine or its watcher stood still for 8 s");
}

TEST(Disturbance, ThePowerLimitIsTheNormalStateUnderLoad)
{
    Summary summary{.samples = 600, .seconds = 60.0};
    summary.devices = {device({{"power limit", 100.0}})};
    EXPECT_EQ(disturbance(summary), "");
}

TEST(Disturbance, NamesWhoSharedTheDevice)
{
    Summary summary{.samples = 600, .seconds = 60.0};
    summary.devices = {device({}, {{5, "python3", 100}, {6, "blender", 50}})};
    EXPECT_EQ(disturbance(summary), "GPU 0 was shared with python3 and 1 more");
    summary.devices = {device({}, {{5, "", 100}})};
    EXPECT_EQ(disturbance(summary), "GPU 0 was shared with process 5");
}

TEST(Disturbance, DevicesThatTheRunDidNotUseDoNotCount)
{
    Summary summary{.samples = 600, .seconds = 60.0};
    summary.devices = {device({}, {}, true), device({{"heat", 50.0}}, {{5, "python3", 100}})};
    EXPECT_EQ(disturbance(summary), "");
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
