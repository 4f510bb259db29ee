// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/gpu.h"
#include "machine_fixture.h"
#include "tests/support/test_paths.h"

#include <gmock/gmock.h>

namespace quadric::machine {
namespace {

using nlohmann::json;
using test::MachineFixture;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr unsigned long long kGib = 1ULL << 30;

/// Two GPUs joined by NVLink; the second one is busy, hot, and does not count energy.
json twoGpusScript()
{
    const json quiet = {{"throttle", 0x1}, {"energy_mj", 1234500}}; // idle
    const json hot = {{"throttle", 0x41},
                      {"power_limit_mw", 500000},
                      {"most_clock", 1980},
                      {"pcie_generation", 5},
                      {"pcie_lanes", 8},
                      {"pcie_most_lanes", 16},
                      {"persistent", 1},
                      {"ecc", 0},
                      {"violations", {{80e6, 5e9}, {80e6, 20e9}, {80e6, 0}, {80e6, 0}}},
                      {"processes", {{4711, 13 * kGib / 2}}}};
    const auto gpu = [](const char* uuid, const char* pci, unsigned long long free, const json& moment) {
        return json{{"uuid", uuid},
                    {"name", "NVIDIA H100 80GB HBM3"},
                    {"pci", pci},
                    {"memory", {80 * kGib, free}},
                    {"moments", json::array({moment})}};
    };
    return {{"driver", "580.65.06"},
            {"devices",
             {gpu("GPU-aaaa-1", "00000000:1B:00.0", 79 * kGib, quiet),
              gpu("GPU-bbbb-2", "00000000:2C:00.0", 10 * kGib, hot)}},
            {"peers", {{true, true}, {true, true}}},
            {"programs", {{"4711", "/opt/conda/bin/python3"}}}};
}

GpuSurvey surveyOf(const json& script)
{
    const MachineFixture machine;
    machine.setScript(script);
    return Nvml(builtPath("tests/core/machine/driver/libnvidia-ml.so.1")).survey();
}

GpuSurvey twoGpus()
{
    return surveyOf(twoGpusScript());
}

/// The first GPU in MIG mode: parts in the places 0 and 2 of three.
std::vector<Gpu> withParts()
{
    json script = twoGpusScript();
    const auto part = [](const char* uuid, unsigned long long free) {
        return json{{"uuid", uuid}, {"name", "NVIDIA H100 MIG 1g.10gb"}, {"memory", {10 * kGib, free}}};
    };
    script["devices"][0]["parts"] = {part("MIG-cccc-1", 9 * kGib), nullptr,
                                     part("MIG-GPU-aaaa-1/2/0", 8 * kGib)};
    return surveyOf(script).gpus;
}

TEST(Nvml, ListsGpusWithMemoryPeersAndWhoUsesThem)
{
    const GpuSurvey found = twoGpus();
    EXPECT_EQ(found.driver, "580.65.06");
    EXPECT_THAT(found.whyNone, IsEmpty());
    ASSERT_EQ(found.gpus.size(), 2U);
    EXPECT_EQ(found.gpus[0], (Gpu{0,
                                  "NVIDIA H100 80GB HBM3",
                                  "GPU-aaaa-1",
                                  "00000000:1B:00.0",
                                  static_cast<std::int64_t>(80 * kGib),
                                  static_cast<std::int64_t>(79 * kGib),
                                  {1},
                                  {},
                                  true,
                                  false}));
    EXPECT_THAT(found.gpus[1].processes, ElementsAre(GpuProcess{4711, "python3", 13LL << 29}));
    EXPECT_THAT(found.gpus[1].nvlinkPeers, ElementsAre(0));
    EXPECT_FALSE(found.gpus[1].countsEnergy);
    EXPECT_TRUE(found.gpus[1].isSlowed);
    EXPECT_EQ(describe(found.gpus[0]),
              "GPU 0 NVIDIA H100 80GB HBM3 (79.0 of 80.0 GiB free, PCI 00000000:1B:00.0, "
              "NVLink to 1)");
    EXPECT_EQ(describeForeignUse(found.gpus),
              "GPU 1 is used by python3 (process 4711, 6.5 GiB); GPU 1 is slowed down "
              "by heat or a power brake");
    EXPECT_EQ(describeForeignUse(std::span(found.gpus).first(1)), "");
    Gpu vague = found.gpus[0];
    vague.processes = {{7, "", 0}, {8, "", 1 << 30}, {9, "train", 0}};
    EXPECT_EQ(describeForeignUse(std::span(&vague, 1)),
              "GPU 0 is used by process 7, process 8 (1.0 GiB), train (process 9)");
}

TEST(Nvml, ReadsTheMetersOfTheGpuWithThatPciId)
{
    const MachineFixture machine;
    machine.setScript(twoGpusScript());
    const Nvml nvml(builtPath("tests/core/machine/driver/libnvidia-ml.so.1"));
    EXPECT_EQ(nvml.energyJoules("00000000:1B:00.0"), 1234.5);
    EXPECT_EQ(nvml.energyJoules("00000000:2C:00.0"), std::nullopt);
    EXPECT_EQ(nvml.powerWatts("00000000:1B:00.0"), std::nullopt);
    const GpuSurvey survey = nvml.survey();
    const GpuSettings& settings = survey.gpus.at(1).settings;
    EXPECT_EQ(settings.powerLimitW, 500.0);
    EXPECT_EQ(settings.clockLimitMhz, 1980.0);
    EXPECT_EQ(settings.pcieGeneration, 5.0);
    EXPECT_EQ(settings.pcieLanes, 8.0);
    EXPECT_EQ(settings.pcieMostLanes, 16.0);
    EXPECT_EQ(settings.isPersistent, true);
    EXPECT_EQ(settings.correctsErrors, false);
    EXPECT_FALSE(settings.applicationClockMhz) << "not told";
    EXPECT_EQ(survey.gpus.at(0).settings, GpuSettings());
    const std::optional<ClockReading> hot = nvml.clocks("00000000:2C:00.0");
    ASSERT_TRUE(hot);
    EXPECT_DOUBLE_EQ(hot->seconds, 80.0);
    EXPECT_DOUBLE_EQ(hot->held[0], 20.0) << kClockReasons[0].name;
    EXPECT_DOUBLE_EQ(hot->held[1], 0.0) << kClockReasons[1].name;
    EXPECT_DOUBLE_EQ(hot->held[3], 5.0) << kClockReasons[3].name;
    EXPECT_FALSE(nvml.clocks("00000000:1B:00.0")) << "a driver that does not count";
    EXPECT_FALSE(nvml.clocks("00000000:FF:00.0"));
}

std::vector<int> visible(const char* variable)
{
    std::vector<int> indices;
    for (const Gpu& gpu : visibleGpus(twoGpus().gpus, variable))
        indices.push_back(gpu.index);
    return indices;
}

TEST(VisibleGpus, FollowTheRulesOfCuda)
{
    EXPECT_THAT(visible(nullptr), ElementsAre(0, 1));
    EXPECT_THAT(visible("1,0"), ElementsAre(1, 0));
    EXPECT_THAT(visible("GPU-bbbb"), ElementsAre(1));
    EXPECT_THAT(visible(" 1 , GPU-aaaa-1"), ElementsAre(1, 0));
    EXPECT_THAT(visible(""), IsEmpty());
    EXPECT_THAT(visible("0,7,1"), ElementsAre(0)) << "an unknown number ends the list";
    EXPECT_THAT(visible("-1,0"), IsEmpty());
    EXPECT_THAT(visible("1,1"), ElementsAre(1)) << "so does a GPU that is named twice";
    EXPECT_THAT(visible("GPU-"), IsEmpty()) << "that would be any GPU";
    EXPECT_THAT(restricted(twoGpus(), "9").whyNone, HasSubstr("CUDA_VISIBLE_DEVICES is \"9\""));
    EXPECT_THAT(restricted(twoGpus(), "0").whyNone, IsEmpty());
}

std::vector<std::string> visibleUuids(const char* variable)
{
    std::vector<std::string> uuids;
    for (const Gpu& gpu : visibleGpus(withParts(), variable))
        uuids.push_back(gpu.uuid);
    return uuids;
}

TEST(VisibleGpus, AreOnePartWhereAGpuIsDivided)
{
    ASSERT_EQ(withParts().at(0).parts.size(), 2U) << "one place is empty";
    EXPECT_THAT(withParts().at(1).parts, IsEmpty());
    EXPECT_THAT(visibleUuids("MIG-cccc-1"), ElementsAre("MIG-cccc-1"));
    EXPECT_THAT(visibleUuids("MIG-GPU-aaaa-1/2/0"), ElementsAre("MIG-GPU-aaaa-1/2/0")) << "older drivers";
    EXPECT_THAT(visibleUuids("MIG-GPU-aaaa-1/2/0,MIG-cccc-1,1"), ElementsAre("MIG-GPU-aaaa-1/2/0"));
    EXPECT_THAT(visibleUuids("0"), ElementsAre("MIG-cccc-1"));
    EXPECT_THAT(visibleUuids("1,0"), ElementsAre("MIG-cccc-1")) << "no whole GPU beside a part";
    EXPECT_THAT(visibleUuids("1"), ElementsAre("GPU-bbbb-2"));
    EXPECT_THAT(visibleUuids(nullptr), ElementsAre("MIG-cccc-1"));
    EXPECT_THAT(visibleUuids("MIG-"), IsEmpty()) << "that would be any part";
    EXPECT_THAT(visibleUuids("MIG-dddd"), IsEmpty());
    const Gpu part = visibleGpus(withParts(), "MIG-cccc").at(0);
    EXPECT_EQ(part.memoryBytes, static_cast<std::int64_t>(10 * kGib));
    EXPECT_FALSE(part.countsEnergy);
    EXPECT_EQ(describe(part),
              "GPU 0 NVIDIA H100 MIG 1g.10gb (9.0 of 10.0 GiB free, PCI 00000000:1B:00.0, no NVLink)");
}

} // namespace
} // namespace quadric::machine

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
