// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/summary.h"
#include "core/machine/users.h"
#include "reader_fixture.h"

#include <gmock/gmock.h>

using namespace quadric::machine;
using quadric::test::MachineFixture;
using quadric::test::oneGpu;

TEST(UsersNow, NamesProcessAndMemoryOfEveryUser)
{
    constexpr double kGib = 1073741824.0;
    const MachineFixture machine;
    machine.setProcess(4711, "python3", 0);
    nlohmann::json script = oneGpu({{{"clock", 1000}, {"processes", {{4711, 11.5 * kGib}, {99, 0}}}}});
    script["devices"].push_back({{"uuid", "GPU-bbbb-2"}, {"name", "A100"}, {"moments", {{{"clock", 900}}}}});
    machine.setScript(script);
    ReaderOptions options = quadric::test::readerOptions(machine);
    EXPECT_EQ(usersNow(options), "GPU 0 is used by python3 (process 4711, 11.5 GiB), process 99");
    options.devices = {"1"};
    EXPECT_EQ(usersNow(options), "");
}

TEST(Reader, DevicesAreChosenByNumberOrUuid)
{
    const MachineFixture machine;
    nlohmann::json script = oneGpu({{{"clock", 1000}}});
    script["devices"].push_back({{"uuid", "GPU-bbbb-2"}, {"name", "A100"}, {"moments", {{{"clock", 900}}}}});
    machine.setScript(script);
    const auto namesWith = [&machine](std::vector<std::string> wanted) {
        ReaderOptions options = quadric::test::readerOptions(machine);
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

TEST(Reader, TheRecordSaysWhyNoGpuIsWatched)
{
    const MachineFixture machine;
    EXPECT_EQ(Recorder(Reader(quadric::test::readerOptions(machine))).summary().noDevicesBecause,
              "No GPU is watched: the NVIDIA driver 550.54.15 finds no GPU");
    EXPECT_EQ(Recorder(Reader({.nvmlLibrary = ""})).summary().noDevicesBecause,
              "No GPU is watched: the run uses none");
}
