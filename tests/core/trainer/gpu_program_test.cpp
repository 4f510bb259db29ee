// SPDX-License-Identifier: GPL-3.0-or-later
// quadric-trainer on GPUs that a driver and an engine play.
#include "tests/support/test_paths.h"
#include "trainer_process.h"

#include <gmock/gmock.h>

#include <filesystem>

namespace quadric::trainer {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using testing::TrainerProcess;

TrainerProcess::Environment onPlayedGpus(TrainerProcess::Environment more)
{
    more.insert({{"LD_LIBRARY_PATH", builtPath("tests/core/machine/driver")},
                 {"QUADRIC_CUDA_MODULE", builtPath("tests/core/trainer/played_module.so")}});
    return more;
}

json devices(TrainerProcess::Environment environment)
{
    TrainerProcess trainer({"--devices", "--format", "json"}, "", onPlayedGpus(std::move(environment)));
    return trainer.last().at("device");
}

TEST(ProgramOnGpus, ListsFourAndEightGpusWithTheirIslandsAndUsers)
{
    for (const int count : {4, 8}) {
        const json device = devices({{"PLAYED_GPUS", std::to_string(count)}});
        ASSERT_EQ(device.at("gpus").size(), static_cast<std::size_t>(count));
        EXPECT_EQ(device.at("gpu_driver"), "580.65.06");
        EXPECT_EQ(device.at("gpus_are_measured"), true);
        EXPECT_FALSE(device.contains("gpus_are_not_measured_because"));
        const json& used = device.at("gpus").at(2);
        EXPECT_EQ(used.at("name"), "NVIDIA H100 80GB HBM3");
        EXPECT_EQ(used.at("pci"), "00000000:3A:00.0");
        EXPECT_EQ(used.at("memory_bytes"), std::int64_t{80} << 30);
        EXPECT_EQ(used.at("nvlink_peers"), json({0, 1, 3}));
        EXPECT_EQ(used.at("processes"), json({4711}));
        EXPECT_EQ(
            used.at("used_by"),
            json::array({{{"pid", 4711}, {"name", "python3"}, {"memory_bytes", std::int64_t{23} << 29}}}));
        EXPECT_EQ(device.at("gpus").at(3).at("slowed_down"), true);
        EXPECT_THAT(device.at("gpus_about").get<std::string>(),
                    ::testing::HasSubstr("measures up to " + std::to_string(count) + " ranks"));
    }
    EXPECT_EQ(devices({}).at("gpus").at(5).at("nvlink_peers"), json({4, 6, 7})) << "the second island";
    EXPECT_EQ(devices({{"CUDA_VISIBLE_DEVICES", "5,1"}}).at("gpus").at(0).at("index"), 5);
}

TEST(ProgramOnGpus, SaysWhichDriverIsNeededWhereItIsTooOld)
{
    const std::string why =
        "driver 580.65.06 serves CUDA 12.4; this module needs CUDA 13.0, that is driver 580 or newer";
    const TrainerProcess::Environment old = {{"PLAYED_DRIVER_SERVES", "12040"}};
    EXPECT_EQ(devices(old).at("gpus_are_not_measured_because"), why);
    TrainerProcess trainer({"--format", "json", "--engine", "cuda"}, "", onPlayedGpus(old));
    const json failure = trainer.last();
    EXPECT_EQ(failure.at("kind"), "bad-settings");
    EXPECT_EQ(failure.at("message"), "engine cuda: " + why);
    EXPECT_EQ(trainer.wait(60s), 2);
}

json provenanceOf(const std::string& visible)
{
    TrainerProcess trainer({"--format", "json", "--engine", "cuda", "--ranks", "2", "--max-seconds", "2",
                            "--baseline", "off", "--image-size", "16"},
                           "", onPlayedGpus({{"CUDA_VISIBLE_DEVICES", visible}}));
    const json result = trainer.last();
    return result.at("event") == "result" ? result.at("provenance") : result;
}

TEST(ProgramOnGpus, NamesWhoUsesTheGpusOfTheRunAndWhatSlowedThem)
{
    const json used = provenanceOf("2,0");
    EXPECT_EQ(used.at("disturbed"), true);
    const auto why = used.at("disturbed_because").get<std::string>();
    EXPECT_THAT(why,
                ::testing::HasSubstr("before the run, GPU 2 is used by python3 (process 4711, 11.5 GiB)"));
    EXPECT_THAT(why, ::testing::HasSubstr("the GPU of rank 1 was slowed by heat for "));
    const json& held = used.at("contention").at("gpu_clocks_held_pct");
    EXPECT_NEAR(held.at("heat").get<double>(), 20.0, 5.0);
    EXPECT_EQ(held.at("power_limit"), 100.0);
    EXPECT_EQ(held.at("slowdown"), 0.0);
    EXPECT_EQ(used.at("gpu"), "played GPU");
    ASSERT_EQ(used.at("gpus").size(), 2U) << "those of the ranks";
    EXPECT_FALSE(used.at("gpus")[1].at("uuid").get<std::string>().empty());

    const auto others = provenanceOf("0,1,2").value("disturbed_because", "");
    EXPECT_THAT(others, ::testing::Not(::testing::HasSubstr("GPU 2"))) << "no rank computes there";
}

TEST(ProgramOnGpus, ARankThatFailsEndsWithoutTakingItsStaticsDown)
{
    TrainerProcess rank({"--rank", "0", "--started", "0"}, R"({"engine": "cuda"})",
                        onPlayedGpus({{"PLAYED_LEFT_THREAD", "1"}}));
    EXPECT_EQ(rank.last().at("kind"), "communication");
    EXPECT_EQ(rank.wait(60s), 1) << "it would be ended by SIGABRT (134)";
}

std::vector<std::string> warningsOn(const std::string& visible)
{
    return provenanceOf(visible).at("warnings").get<std::vector<std::string>>();
}

TEST(ProgramOnGpus, WarnsOfGpusThatAreSetInDifferentWays)
{
    using ::testing::Contains;
    const std::string power = "the GPUs of the ranks have different power_limit_w: 500.0, 700.0";
    const std::string lanes = "GPU 00000000:7E:00.0 uses 8 of its 16 PCIe lanes";
    EXPECT_THAT(warningsOn("5,6"), ::testing::IsSupersetOf({power, lanes}));
    const auto alike = warningsOn("0,1");
    EXPECT_THAT(alike, ::testing::Not(Contains(power)));
    EXPECT_THAT(alike, ::testing::Each(::testing::Not(::testing::HasSubstr("PCIe"))));
}

/// Two tasks as srun starts them; what the first one records is gathered from both.
TEST(ProgramOnGpus, RecordsTheGpuOfEveryTaskOfACluster)
{
    std::string folder = (std::filesystem::temp_directory_path() / "quadric-tasks-XXXXXX").string();
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    const auto task = [&folder](int rank) {
        return onPlayedGpus({{"SLURM_JOB_ID", "7"},
                             {"SLURM_STEP_ID", "0"},
                             {"SLURM_PROCID", std::to_string(rank)},
                             {"SLURM_LOCALID", std::to_string(rank)},
                             {"SLURM_NTASKS", "2"},
                             {"SLURM_STEP_TASKS_PER_NODE", "2"},
                             {"CUDA_VISIBLE_DEVICES", "4,7"},
                             {"QUADRIC_RENDEZVOUS", folder}});
    };
    const std::vector<std::string> arguments = {"--format",      "json", "--engine",   "cuda",
                                                "--max-seconds", "1",    "--baseline", "off",
                                                "--image-size",  "16"};
    TrainerProcess second(arguments, "", task(1));
    TrainerProcess first(arguments, "", task(0));
    const json result = first.last();
    ASSERT_EQ(result.at("event"), "result") << result;
    const json& gpus = result.at("provenance").at("gpus");
    ASSERT_EQ(gpus.size(), 2U);
    EXPECT_EQ(gpus[0].at("uuid"), "GPU-00000005");
    EXPECT_EQ(gpus[1].at("uuid"), "GPU-00000008");
    EXPECT_EQ(gpus[0].at("host"), gpus[1].at("host"));
    std::filesystem::remove_all(folder);
}

} // namespace
} // namespace quadric::trainer
