// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/reader.h"
#include "core/machine/summary.h"
#include "reader_fixture.h"

#include <gmock/gmock.h>

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

TEST(CpuReader, CountsTheTimeOfTheWholeTreeAndOfEndedChildren)
{
    const MachineFixture machine;
    machine.setProcess(100, "quadric", 5, {200, 300});
    machine.setProcess(200, "a name) with (brackets", 100, {400});
    machine.setProcess(300, "rank", 20);
    machine.setProcess(400, "grandchild", 7);
    machine.setProcess(500, "stranger", 1000);
    EXPECT_THAT(processTree(machine.root(), 100), testing::UnorderedElementsAre(100, 200, 300, 400));
    EXPECT_DOUBLE_EQ(processSeconds(machine.root(), {100, 200, 300, 400}), 1.32);
    machine.write("proc/600/stat", "600 (x) S 1 1 1 0 -1 0 0 0 0 0 10 20 30 40 20 0 1\n");
    EXPECT_DOUBLE_EQ(processSeconds(machine.root(), {600}), 1.0);
    EXPECT_EQ(processName(machine.root(), 500), "stranger");
    EXPECT_EQ(processName(machine.root(), 501), "");
}

TEST(CpuReader, TellsOursFromTheOthers)
{
    const MachineFixture machine;
    Reader reader(quadric::test::readerOptions(machine));
    machine.setMachine(1000, 1000);
    machine.setProcess(100, "quadric", 100);
    const Sample before = reader.read();
    machine.setMachine(1150, 1050); // 200 ticks: 150 busy, of which 120 ours
    machine.setProcess(100, "quadric", 220);
    const Sample after = reader.read();
    EXPECT_DOUBLE_EQ(sharesBetween(before, after).busyPct, 75.0);
    EXPECT_NEAR(sharesBetween(before, after).foreignPct, 15.0, 1e-9);
}

/// Another run of ours on the other processors changes nothing; a stranger on these does.
TEST(CpuReader, AConfinedRunIsJudgedByItsOwnProcessors)
{
    const MachineFixture machine;
    ReaderOptions options = quadric::test::readerOptions(machine);
    options.cpus = {1, 3};
    Reader reader(options);
    EXPECT_TRUE(reader.watchesOwnCores());
    const auto set = [&machine](int one, int two, int three) {
        const auto line = [](const std::string& label, int busy) {
            return label + " " + std::to_string(busy) + " 0 0 " + std::to_string(1000 - busy) +
                   " 0 0 0 0 0 0\n";
        };
        machine.write("proc/stat", line("cpu ", 777) + line("cpu1", one) + line("cpu2", two) +
                                       line("cpu13", 900) + line("cpu3", three));
    };
    set(0, 0, 0);
    const Sample before = reader.read();
    EXPECT_DOUBLE_EQ(before.cpu.machine.totalSeconds, 20.0);
    set(500, 1000, 300); // of 800 ticks on its own ones the run has used 600
    machine.setProcess(100, "worker", 600);
    Sample after = reader.read();
    after.cpu.machine.totalSeconds += 20.0;
    EXPECT_DOUBLE_EQ(sharesBetween(before, after).busyPct, 40.0);
    EXPECT_DOUBLE_EQ(sharesBetween(before, after).foreignPct, 10.0);
}

TEST(CpuReader, ReadsTheClockOfTheChosenProcessors)
{
    const MachineFixture machine;
    machine.write("proc/cpuinfo",
                  "processor\t: 0\ncpu MHz\t\t: 1000.0\n\nprocessor\t: 1\ncpu MHz\t\t: 3000.0\n");
    EXPECT_EQ(CpuSensors(machine.root(), {1}).clockMhz(), 3000.0);
    EXPECT_EQ(CpuSensors(machine.root()).clockMhz(), 2000.0);
    for (const auto& [cpu, khz] :
         std::map<std::string, std::string>{{"0", "1500000"}, {"1", "2500000"}, {"10", "9"}})
        machine.write("sys/devices/system/cpu/cpu" + cpu + "/cpufreq/scaling_cur_freq", khz);
    EXPECT_EQ(CpuSensors(machine.root(), {1}).clockMhz(), 2500.0);
}

TEST(CpuReader, SharesStayWithinBoundsWhereTheClocksOfTheKernelDisagree)
{
    Sample before, after;
    after.cpu.machine = {1.0, 2.0};
    after.cpu.ownSeconds = 1.2;
    EXPECT_EQ(sharesBetween(before, after).foreignPct, 0.0);
    EXPECT_EQ(sharesBetween(before, before).busyPct, 0.0);
}

TEST(CpuReader, ReadsCpufreqThermalZoneAndThrottling)
{
    const MachineFixture machine;
    machine.write("sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "3000000\n");
    machine.write("sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "2000000\n");
    machine.write("sys/devices/system/cpu/cpu0/thermal_throttle/package_throttle_total_time_ms", "2500\n");
    machine.write("sys/class/thermal/thermal_zone0/type", "acpitz\n");
    machine.write("sys/class/thermal/thermal_zone0/temp", "27800\n");
    machine.write("sys/class/thermal/thermal_zone1/type", "x86_pkg_temp\n");
    machine.write("sys/class/thermal/thermal_zone1/temp", "61000\n");
    machine.write("proc/cpuinfo", "cpu MHz\t\t: 1.5\n");
    machine.write("proc/loadavg", "1.25 0.50 0.25 2/345 6789\n");
    const CpuSensors sensors(machine.root());
    EXPECT_EQ(sensors.clockMhz(), 2500.0);
    EXPECT_EQ(sensors.temperatureC(), 61.0);
    EXPECT_EQ(sensors.throttleSeconds(), 2.5);
    EXPECT_EQ(readLoad(machine.root()), 1.25);
}

TEST(CpuReader, FallsBackToCpuinfoAndChips)
{
    const MachineFixture machine;
    machine.write("proc/cpuinfo",
                  "processor\t: 0\ncpu MHz\t\t: 2596.150\nflags\t: fpu\ncpu MHz\t\t: 2603.850\n");
    machine.write("sys/class/hwmon/hwmon0/name", "nvme\n");
    machine.write("sys/class/hwmon/hwmon0/temp1_input", "33000\n");
    machine.write("sys/class/hwmon/hwmon1/name", "k10temp\n");
    machine.write("sys/class/hwmon/hwmon1/temp1_input", "54500\n");
    const CpuSensors sensors(machine.root());
    EXPECT_DOUBLE_EQ(sensors.clockMhz().value_or(0), 2600.0);
    EXPECT_EQ(sensors.temperatureC(), 54.5);
    EXPECT_EQ(sensors.throttleSeconds(), std::nullopt);
}

TEST(CpuReader, SaysNothingWhereThereIsNothing)
{
    const MachineFixture machine;
    machine.write("proc/stat", "intr 1 2 3\n");
    const CpuSensors sensors(machine.root());
    EXPECT_EQ(sensors.clockMhz(), std::nullopt);
    EXPECT_EQ(sensors.temperatureC(), std::nullopt);
    EXPECT_FALSE(readCpuTimes(machine.root()));
    EXPECT_EQ(readLoad(machine.root() / "nowhere"), 0.0);
}
