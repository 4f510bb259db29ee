// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/clock_reasons.h"
#include "core/machine/nvml.h"
#include "machine_fixture.h"
#include "tests/support/test_paths.h"

#include <gmock/gmock.h>

using namespace quadric::machine;
using quadric::builtPath;
using quadric::test::MachineFixture;
using quadric::test::oneGpu;

TEST(Nvml, SaysInOneSentenceThatTheDriverIsNotThere)
{
    const Nvml nvml("libno-such-driver.so.1");
    EXPECT_TRUE(nvml.devices().empty());
    EXPECT_EQ(nvml.whyNot(), "no NVIDIA driver is installed");
    EXPECT_EQ(nvml.survey().whyNone, nvml.whyNot());
    EXPECT_TRUE(nvml.processes(0).empty());
    EXPECT_EQ(nvml.read(0).clockMhz, std::nullopt);
}

TEST(Nvml, SaysWhyTheDriverCannotBeReached)
{
    const MachineFixture machine;
    machine.setScript({{"init", 9}, {"driver", ""}, {"cuda", 0}, {"devices", nlohmann::json::array()}});
    const Nvml nvml(builtPath("tests/core/machine/driver/libnvidia-ml.so.1"));
    EXPECT_EQ(nvml.whyNot(), "the NVIDIA driver cannot be used (nvmlInit_v2: Driver Not Loaded)");
}

TEST(Nvml, SaysThatALibraryWithoutItsFunctionsIsTooOld)
{
    const Nvml nvml("libm.so.6");
    EXPECT_EQ(nvml.whyNot(),
              "the NVIDIA driver is too old: its management library lacks functions of version 11");
    EXPECT_EQ(nvml.energyJoules("00000000:1B:00.0"), std::nullopt);
}

TEST(Nvml, SaysThatThereIsNoDevice)
{
    const MachineFixture machine;
    EXPECT_EQ(Nvml(builtPath("tests/core/machine/driver/libnvidia-ml.so.1")).whyNot(),
              "the NVIDIA driver 550.54.15 finds no GPU");
    EXPECT_EQ(Nvml("").whyNot(), "the run uses none");
}

TEST(Nvml, ReadsWhatTheDriverTells)
{
    const MachineFixture machine;
    machine.setScript(oneGpu({{{"clock", 1755},
                               {"memory_clock", 2619},
                               {"power_mw", 612300},
                               {"temperature", 61},
                               {"energy_mj", 5000},
                               {"throttle", 0x44},
                               {"used", 2ULL << 30},
                               {"busy", 97},
                               {"processes", {{4711, 1 << 20}}}}}));
    const Nvml nvml(builtPath("tests/core/machine/driver/libnvidia-ml.so.1"));
    EXPECT_EQ(nvml.whyNot(), "");
    EXPECT_EQ(nvml.driver(), "550.54.15");
    EXPECT_EQ(nvml.cudaVersion(), "12.4");
    EXPECT_THAT(nvml.devices(), testing::ElementsAre(DeviceIdentity{0, "GPU-aaaa-1", "H100"}));
    const DeviceSample sample = nvml.read(0);
    EXPECT_EQ(sample.clockMhz, 1755.0);
    EXPECT_EQ(sample.memoryClockMhz, 2619.0);
    EXPECT_DOUBLE_EQ(sample.powerW.value_or(0), 612.3);
    EXPECT_EQ(sample.temperatureC, 61.0);
    EXPECT_EQ(sample.energyJoules, 5.0);
    EXPECT_EQ(sample.memoryMib, 2048.0);
    EXPECT_EQ(sample.busyPct, 97.0);
    EXPECT_THAT(namesOf(sample.throttle), testing::ElementsAre("heat", "power limit"));
    EXPECT_THAT(nvml.processes(0), testing::ElementsAre(GpuProcess{4711, "", 1 << 20}));
}

TEST(Nvml, LeavesEmptyWhatTheDeviceDoesNotTell)
{
    const MachineFixture machine;
    machine.setScript(oneGpu({{{"clock", 1000}}}));
    const DeviceSample sample = Nvml(builtPath("tests/core/machine/driver/libnvidia-ml.so.1")).read(0);
    EXPECT_EQ(sample.clockMhz, 1000.0);
    EXPECT_EQ(sample.powerW, std::nullopt);
    EXPECT_EQ(sample.energyJoules, std::nullopt);
    EXPECT_EQ(sample.throttle, 0U);
}
