// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/record.h"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

using namespace quadric::machine;
using nlohmann::json;

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
    const auto entries = provenanceOf(summary);
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
    const auto entries = provenanceOf(summary);
    EXPECT_FALSE(entries.contains("driver"));
    EXPECT_EQ(json::parse(entries.at("telemetry")).at("no_devices_because"), summary.noDevicesBecause);
}
