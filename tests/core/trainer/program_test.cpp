// SPDX-License-Identifier: GPL-3.0-or-later
// The real program with real ranks. No test depends on how fast the machine is.
#include "tests/support/test_paths.h"
#include "trainer_process.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <string>
#include <thread>
#include <unistd.h>

#include <sched.h>

namespace quadric::trainer {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using testing::TrainerProcess;
using testing::twoRanks;

int machineCpus()
{
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    return sched_getaffinity(0, sizeof(cpus), &cpus) == 0 ? CPU_COUNT(&cpus) : 1;
}

/// "0-3", as the kernel has it.
std::string allowedCpus(pid_t process)
{
    std::ifstream status("/proc/" + std::to_string(process) + "/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("Cpus_allowed_list:"))
            return line;
    }
    return {};
}

TEST(Program, TwoRanksSpeakTheWorkerProtocol)
{
    TrainerProcess trainer(twoRanks("2"));
    std::vector<json> events;
    while (const auto event = trainer.next(60s))
        events.push_back(*event);
    ASSERT_EQ(trainer.wait(60s), 0);
    ASSERT_GE(events.size(), 2U);
    EXPECT_EQ(events.front().at("event"), "hello");
    EXPECT_EQ(events.front().at("protocol"), 1);
    EXPECT_EQ(events.back().at("event"), "result");
    double done = 0.0;
    int samples = 0;
    for (const json& event : events) {
        if (event.at("event") == "sample") {
            EXPECT_EQ(event.at("items"), 8); // of both ranks
            EXPECT_EQ(event.at("unit"), "img");
            EXPECT_GT(event.at("seconds").get<double>(), 0.0);
            ++samples;
        }
        if (event.at("event") != "progress")
            continue;
        EXPECT_GE(event.at("done").get<double>(), done);
        done = event.at("done").get<double>();
        EXPECT_LE(done, 1.0);
    }
    EXPECT_GT(samples, 0);
    const json& responses = events.back().at("responses");
    for (const char* name : {"images_per_sec", "step_ms", "step_ms_p95", "scaling_efficiency",
                             "comm_exposed_pct", "bytes_per_step", "loss_end", "memory_peak_mib"}) {
        ASSERT_TRUE(responses.contains(name)) << name;
        EXPECT_TRUE(std::isfinite(responses.at(name).get<double>())) << name;
    }
    EXPECT_GE(responses.at("step_ms_p95").get<double>(), responses.at("step_ms").get<double>());
    const json& provenance = events.back().at("provenance");
    EXPECT_EQ(provenance.at("source"), "measured");
    EXPECT_EQ(provenance.at("engine"), "cpu");
    EXPECT_GT(provenance.at("samples").get<int>(), 2);
    EXPECT_GT(provenance.at("baseline").at("images_per_sec").get<double>(), 0.0);
    EXPECT_TRUE(provenance.at("disturbed").is_boolean());
}

/// The number of steps does not depend on how long or how fast the run is, and the images do not depend on
/// how the ranks share them.
TEST(Program, TheLossAfterFiftyStepsIsThatOfTheTrainingWhateverTheTime)
{
    const auto lossOf = [](int ranks, const char* seconds, std::vector<std::string> more) {
        std::vector<std::string> arguments = twoRanks(seconds);
        arguments[3] = std::to_string(ranks);
        arguments.insert(arguments.end(), {"--baseline", "off", "--loss-training", "on"});
        arguments.insert(arguments.end(), more.begin(), more.end());
        TrainerProcess trainer(arguments);
        const json result = trainer.last();
        EXPECT_EQ(result.at("event"), "result") << result;
        return result.at("responses").at("loss_after_50_steps").get<double>();
    };
    const double loss = lossOf(2, "0.5", {});
    EXPECT_EQ(lossOf(2, "2", {}), loss);
    EXPECT_LT(loss, 0.9 * std::log(10.0)) << "better than a guess among ten classes";
    EXPECT_GT(std::abs(lossOf(2, "0.5", {"--gradient-compression", "99"}) - loss), 0.01);
    EXPECT_NEAR(lossOf(1, "0.5", {"--aggregation", "2"}), loss, 1e-3 * loss)
        << "the same two micro-batches in every step, added up elsewhere";
    std::cout << "loss after 50 steps: " << loss << '\n';
}

/// The user binds threads: without a share of its own every rank would take the same cores.
TEST(Program, RanksWhoseThreadsAreBoundGetProcessorsOfTheirOwn)
{
    if (machineCpus() < 2)
        GTEST_SKIP() << "skipped: one processor";
    const TrainerProcess::Environment bound = {{"OMP_PROC_BIND", "close"}, {"OMP_PLACES", "cores"}};
    TrainerProcess trainer(twoRanks("1"), "", bound);
    ASSERT_TRUE(trainer.waitFor("progress"));
    std::set<std::string> allowed;
    for (const pid_t rank : trainer.ranks())
        allowed.insert(allowedCpus(rank));
    EXPECT_EQ(allowed.size(), 2U) << "the system knows the shares";
    const json result = trainer.last();
    ASSERT_EQ(result.at("event"), "result") << result;
    const json& cpus = result.at("provenance").at("rank_cpus");
    ASSERT_EQ(cpus.size(), 2U);
    EXPECT_NE(cpus[0], cpus[1]);
    EXPECT_EQ(result.at("provenance").at("cores"), machineCpus()) << "those of the machine, not of a rank";
}

TEST(Program, SettingsFromTheEnvironmentGiveWayToTheCommandLine)
{
    TrainerProcess trainer(
        {"--format", "json", "--batch-per-rank", "3"},
        R"({"gpu_count": 1, "batch_per_gpu": 8, "image_size": 16, "max_seconds": 1, "color": "red"})");
    const json result = trainer.last();
    ASSERT_EQ(result.at("event"), "result");
    EXPECT_EQ(result.at("provenance").at("settings").at("batch_per_rank"), 3);
    EXPECT_EQ(result.at("provenance").at("settings").at("image_size"), 16);
}

TEST(Program, BadSettingsAreATypedFailureBeforeAnyWork)
{
    for (const char* settings :
         {R"({"batch_per_rank": 0})", R"({"network": "alexnet"})", R"({"ranks": 4000})", "[1]"}) {
        TrainerProcess trainer({"--format", "json"}, settings);
        const json failure = trainer.last();
        EXPECT_EQ(failure.at("event"), "failure") << settings;
        EXPECT_EQ(failure.at("kind"), "bad-settings") << settings;
        EXPECT_EQ(trainer.wait(60s), 2) << settings;
    }
}

TEST(Program, AWrongCommandLineEndsWithStatusTwo)
{
    TrainerProcess trainer({"--format", "json", "--no-such-option"});
    EXPECT_EQ(trainer.wait(60s), 2);
}

struct Memory {
    double used = 0.0, estimated = 0.0; ///< MiB
};

Memory memoryOf(int batch)
{
    TrainerProcess trainer({"--format", "json", "--network", "resnet18", "--image-size", "64",
                            "--batch-per-rank", std::to_string(batch), "--max-seconds", "0.1"});
    const json result = trainer.last();
    if (result.at("event") != "result") {
        ADD_FAILURE() << result;
        return {};
    }
    return {result.at("responses").at("memory_peak_mib").get<double>(),
            result.at("provenance").at("memory_estimate_mib").get<double>()};
}

TEST(Program, MemoryIsExpectedWithinAThirdOfWhatIsUsed)
{
    const Memory small = memoryOf(8);
    const Memory large = memoryOf(64);
    const double grown = large.used - small.used;
    EXPECT_NEAR(large.estimated - small.estimated, grown, 0.33 * grown);
    EXPECT_NEAR(small.estimated, small.used, 0.33 * small.used);
    EXPECT_NEAR(large.estimated, large.used, 0.33 * large.used);
}

/// A run that fails says it too: where memory ends is learned from both.
TEST(Program, SaysAtTheBeginningWhatMemoryIsExpected)
{
    for (const char* ranks : {"1", "2"}) {
        TrainerProcess trainer({"--format", "json", "--engine", "simulated", "--ranks", ranks, "--network",
                                "resnet18", "--image-size", "64", "--batch-per-rank", "8"});
        const std::optional<json> hello = trainer.next(10s);
        ASSERT_TRUE(hello);
        const json result = trainer.last();
        ASSERT_EQ(result.at("event"), "result") << result;
        EXPECT_EQ(hello->at("memory_estimate_mib"), result.at("provenance").at("memory_estimate_mib"));
    }
    TrainerProcess failing({"--format", "json", "--engine", "simulated", "--ranks", "2", "--network",
                            "resnet50", "--image-size", "512", "--batch-per-rank", "4096"});
    const std::optional<json> hello = failing.next(10s);
    ASSERT_TRUE(hello);
    EXPECT_GT(hello->at("memory_estimate_mib").get<double>(), 2 * 80 * 1024.0);
    EXPECT_EQ(failing.last().at("kind"), "out-of-memory");
}

TEST(Program, SaysWhatThisMachineCanMeasure)
{
    TrainerProcess trainer({"--devices", "--format", "json"});
    const json event = trainer.last();
    EXPECT_EQ(event.at("event"), "hello");
    EXPECT_NE(event.at("device").at("about").get<std::string>().find("core"), std::string::npos);
    EXPECT_EQ(event.at("device").at("precisions").at(0), "fp32");
    EXPECT_EQ(trainer.wait(60s), 0);
}

TEST(Program, Bf16IsRefusedWhereOnednnHasNoInstructionsForIt)
{
    TrainerProcess trainer({"--format", "json", "--precision", "bf16"}, "", {{"ONEDNN_MAX_CPU_ISA", "AVX2"}});
    const json failure = trainer.last();
    EXPECT_EQ(failure.at("kind"), "bad-settings") << failure;
    EXPECT_TRUE(failure.at("message").get<std::string>().starts_with("precision bf16: ")) << failure;
    EXPECT_EQ(trainer.wait(60s), 2);
}

TEST(Program, WithoutAGpuCudaSaysWhyAndAutoTakesTheProcessor)
{
    const TrainerProcess::Environment noGpu = {{"CUDA_VISIBLE_DEVICES", ""}};
    TrainerProcess cuda({"--format", "json", "--engine", "cuda"}, "", noGpu);
    const json failure = cuda.last();
    EXPECT_EQ(failure.at("kind"), "bad-settings");
    EXPECT_TRUE(failure.at("message").get<std::string>().starts_with("engine cuda: ")) << failure;
    EXPECT_EQ(cuda.wait(60s), 2);

    TrainerProcess automatic(
        {"--format", "json", "--engine", "auto", "--image-size", "16", "--max-seconds", "1"}, "", noGpu);
    const json result = automatic.last();
    ASSERT_EQ(result.at("event"), "result") << result;
    EXPECT_EQ(result.at("provenance").at("engine"), "cpu");
    const std::string warnings = result.at("provenance").at("warnings").dump();
    EXPECT_NE(warnings.find("engine auto computes on the processor: "), std::string::npos) << warnings;

    TrainerProcess devices({"--devices", "--format", "json"}, "", noGpu);
    const json device = devices.last().at("device");
    EXPECT_TRUE(device.at("gpus").empty());
    EXPECT_EQ(device.at("gpus_are_measured"), false);
    EXPECT_FALSE(device.at("gpus_are_not_measured_because").get<std::string>().empty());
}

// The speed of one rank that the real program compares with.

TEST(Program, ABaselineOfAnotherDeviceDoesNotCount)
{
    std::vector<std::string> arguments = twoRanks("2");
    arguments.insert(arguments.end(), {"--baseline-rate", "250.5", "--baseline-device", "Abacus"});
    TrainerProcess trainer(arguments);
    json hello, result;
    while (const auto event = trainer.next(60s)) {
        if (event->at("event") == "hello")
            hello = *event;
        result = *event;
    }
    ASSERT_EQ(trainer.wait(60s), 0);
    const json& baseline = result.at("provenance").at("baseline");
    EXPECT_EQ(baseline.at("from"), "this run");
    const std::string here = hello.at("device").at("name");
    EXPECT_EQ(baseline.at("own_because"), "it was measured on Abacus, and this is " + here);

    arguments.back() = here;
    TrainerProcess same(arguments);
    while (const auto event = same.next(60s))
        result = *event;
    ASSERT_EQ(same.wait(60s), 0);
    EXPECT_EQ(result.at("provenance").at("baseline").at("from"), "settings");
}

// The real program as the tasks of a cluster’s step.

/// Two tasks as srun starts them, on one node.
TrainerProcess::Environment task(int rank, const std::filesystem::path& folder)
{
    return {{"SLURM_JOB_ID", "7"},
            {"SLURM_STEP_ID", "0"},
            {"SLURM_PROCID", std::to_string(rank)},
            {"SLURM_NTASKS", "2"},
            {"SLURM_STEP_TASKS_PER_NODE", "2"},
            {"QUADRIC_RENDEZVOUS", folder.string()}};
}

std::filesystem::path newFolder()
{
    std::string folder = (std::filesystem::temp_directory_path() / "quadric-tasks-XXXXXX").string();
    EXPECT_NE(mkdtemp(folder.data()), nullptr);
    return folder;
}

std::vector<std::string> smallTask(const std::string& seconds)
{
    return {"--format",   "json", "--image-size",  "16",   "--batch-per-rank", "4",
            "--baseline", "off",  "--max-seconds", seconds};
}

TEST(Cluster, TasksOfAStepMeetAndTheFirstReports)
{
    const std::filesystem::path folder = newFolder();
    TrainerProcess second(smallTask("1"), "", task(1, folder));
    TrainerProcess first(smallTask("1"), "", task(0, folder));
    ASSERT_TRUE(first.waitFor("hello"));
    const json result = first.last();
    ASSERT_EQ(result.at("event"), "result") << result;
    EXPECT_EQ(result.at("provenance").at("ranks"), 2);
    EXPECT_GT(result.at("responses").at("bytes_per_step").get<double>(), 0.0);
    EXPECT_EQ(first.wait(60s), 0);
    EXPECT_EQ(second.wait(60s), 0);
    EXPECT_FALSE(second.next(1s)) << "only the first rank speaks";
    EXPECT_TRUE(std::filesystem::is_empty(folder)) << "the rendezvous is cleared away";
    std::filesystem::remove_all(folder);
}

TEST(Cluster, ATaskThatIsKilledEndsTheOthersWithinFiveSeconds)
{
    const std::filesystem::path folder = newFolder();
    TrainerProcess second(smallTask("60"), "", task(1, folder));
    TrainerProcess first(smallTask("60"), "", task(0, folder));
    ASSERT_TRUE(first.waitFor("progress"));
    second.signal(SIGKILL);
    EXPECT_EQ(first.wait(60s), 1);
    EXPECT_EQ(first.last().at("kind"), "communication");
    std::filesystem::remove_all(folder);
}

/// Only the first rank speaks, and may be ended before it does.
TEST(Cluster, EveryRankLeavesWhyItFailed)
{
    const std::filesystem::path folder = newFolder();
    TrainerProcess second({"--format", "json", "--precision", "fp16"}, "", task(1, folder));
    EXPECT_EQ(second.wait(60s), 2);
    std::ifstream file(folder / "failure-1.json");
    const json failure = json::parse(file, nullptr, false);
    ASSERT_TRUE(failure.is_object());
    EXPECT_EQ(failure.at("event"), "failure");
    EXPECT_EQ(failure.at("kind"), "bad-settings");
    EXPECT_TRUE(failure.at("message").get<std::string>().starts_with("rank 1: precision fp16"));
    std::filesystem::remove_all(folder);
}

TEST(Cluster, RanksThatDifferFromTheTasksAreRefused)
{
    const std::filesystem::path folder = newFolder();
    TrainerProcess first(smallTask("1"), R"({"ranks": 4})", task(0, folder));
    const json failure = first.last();
    EXPECT_EQ(failure.at("kind"), "bad-settings");
    EXPECT_EQ(first.wait(60s), 2);
    std::filesystem::remove_all(folder);
}

bool allGone(const std::vector<pid_t>& processes)
{
    for (const auto end = std::chrono::steady_clock::now() + 60s; std::chrono::steady_clock::now() < end;
         std::this_thread::sleep_for(10ms)) {
        if (std::ranges::none_of(processes, testing::isAlive))
            return true;
    }
    return false;
}

// The real program when a process of it is ended.

TEST(Program, ARankThatIsKilledEndsTheRun)
{
    TrainerProcess trainer(twoRanks("60"));
    ASSERT_TRUE(trainer.waitFor("progress"));
    const std::vector<pid_t> ranks = trainer.ranks();
    ASSERT_EQ(ranks.size(), 2U);
    kill(ranks[1], SIGKILL);
    EXPECT_EQ(trainer.wait(60s), 1);
    EXPECT_TRUE(allGone(ranks));
    const json failure = trainer.last();
    EXPECT_EQ(failure.at("event"), "failure");
    EXPECT_EQ(failure.at("kind"), "rank-lost");
    EXPECT_NE(failure.at("message").get<std::string>().find("rank 1"), std::string::npos);
}

TEST(Program, AnEndedLauncherTakesItsRanksAlong)
{
    for (const int signal : {SIGTERM, SIGKILL}) {
        TrainerProcess trainer(twoRanks("60"));
        ASSERT_TRUE(trainer.waitFor("progress"));
        const std::vector<pid_t> ranks = trainer.ranks();
        ASSERT_EQ(ranks.size(), 2U);
        trainer.signal(signal);
        EXPECT_EQ(trainer.wait(60s), 128 + signal);
        EXPECT_TRUE(allGone(ranks));
        if (signal == SIGTERM) {
            EXPECT_EQ(trainer.last().at("kind"), "cancelled");
        }
    }
}

} // namespace
} // namespace quadric::trainer
