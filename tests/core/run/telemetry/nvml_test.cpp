// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/telemetry/nvml.h"
#include "core/run/telemetry/users.h"
#include "machine_fixture.h"

#include <gmock/gmock.h>

using namespace quadric::telemetry;
using quadric::test::MachineFixture;
using quadric::test::oneGpu;

TEST(Nvml, SaysInOneSentenceThatTheDriverIsNotThere)
{
    const Nvml nvml("libno-such-driver.so.1");
    EXPECT_TRUE(nvml.devices().empty());
    EXPECT_EQ(nvml.whyNot(), "No GPU is watched: the NVIDIA driver's library libno-such-driver.so.1 is not "
                             "installed here");
    EXPECT_TRUE(nvml.processes(0).empty());
    EXPECT_EQ(nvml.read(0).clockMhz, std::nullopt);
}

TEST(Nvml, SaysWhyTheDriverCannotBeReached)
{
    const MachineFixture machine;
    machine.setScript({{"init", 9}, {"driver", ""}, {"cuda", 0}, {"devices", nlohmann::json::array()}});
    const Nvml nvml(FAKE_NVML);
    EXPECT_EQ(nvml.whyNot(), "No GPU is watched: the NVIDIA driver cannot be reached (Driver Not Loaded)");
}

TEST(Nvml, SaysThatThereIsNoDevice)
{
    const MachineFixture machine;
    EXPECT_EQ(Nvml(FAKE_NVML).whyNot(), "No GPU is watched: the NVIDIA driver sees none");
    EXPECT_EQ(Nvml("").whyNot(), "No GPU is watched: the run uses none");
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
    const Nvml nvml(FAKE_NVML);
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
    EXPECT_THAT(nvml.processes(0), testing::ElementsAre(ForeignProcess{4711, "", 1.0}));
}

TEST(Nvml, LeavesEmptyWhatTheDeviceDoesNotTell)
{
    const MachineFixture machine;
    machine.setScript(oneGpu({{{"clock", 1000}}}));
    const DeviceSample sample = Nvml(FAKE_NVML).read(0);
    EXPECT_EQ(sample.clockMhz, 1000.0);
    EXPECT_EQ(sample.powerW, std::nullopt);
    EXPECT_EQ(sample.energyJoules, std::nullopt);
    EXPECT_EQ(sample.throttle, 0U);
}

TEST(UsersNow, NamesProcessAndMemoryOfEveryUser)
{
    constexpr double kGib = 1073741824.0;
    const MachineFixture machine;
    machine.setProcess(4711, "python3", 0);
    nlohmann::json script = oneGpu({{{"clock", 1000}, {"processes", {{4711, 11.5 * kGib}, {99, 0}}}}});
    script["devices"].push_back({{"uuid", "GPU-bbbb-2"}, {"name", "A100"}, {"moments", {{{"clock", 900}}}}});
    machine.setScript(script);
    ReaderOptions options = machine.options();
    EXPECT_EQ(usersNow(options), "GPU 0 is used by python3 (process 4711, 11.5 GiB), process 99");
    options.devices = {"1"};
    EXPECT_EQ(usersNow(options), "");
}

TEST(Nvml, DevicesAreChosenByNumberOrUuid)
{
    const MachineFixture machine;
    nlohmann::json script = oneGpu({{{"clock", 1000}}});
    script["devices"].push_back({{"uuid", "GPU-bbbb-2"}, {"name", "A100"}, {"moments", {{{"clock", 900}}}}});
    machine.setScript(script);
    const auto namesWith = [&machine](std::vector<std::string> wanted) {
        ReaderOptions options = machine.options();
        options.devices = std::move(wanted);
        std::vector<std::string> names;
        const Reader reader(options);
        for (const DeviceIdentity& device : reader.devices())
            names.push_back(device.name);
        return names;
    };
    EXPECT_THAT(namesWith({}), testing::ElementsAre("H100", "A100"));
    EXPECT_THAT(namesWith({"1"}), testing::ElementsAre("A100"));
    EXPECT_THAT(namesWith({"GPU-aaaa"}), testing::ElementsAre("H100"));
}
