// SPDX-License-Identifier: GPL-3.0-or-later
// The real program as the tasks of a cluster’s step.
#include "trainer_process.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace quadric::trainer {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using testing::TrainerProcess;

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
    EXPECT_EQ(first.wait(5s), 0);
    EXPECT_EQ(second.wait(5s), 0);
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
    EXPECT_EQ(first.wait(5s), 1);
    EXPECT_EQ(first.last().at("kind"), "communication");
    std::filesystem::remove_all(folder);
}

/// Only the first rank speaks, and may be ended before it does.
TEST(Cluster, EveryRankLeavesWhyItFailed)
{
    const std::filesystem::path folder = newFolder();
    TrainerProcess second({"--format", "json", "--precision", "fp16"}, "", task(1, folder));
    EXPECT_EQ(second.wait(10s), 2);
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
    EXPECT_EQ(first.wait(5s), 2);
    std::filesystem::remove_all(folder);
}

} // namespace
} // namespace quadric::trainer
