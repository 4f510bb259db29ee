// SPDX-License-Identifier: GPL-3.0-or-later
// The speed of one rank that the real program compares with.
#include "tests/support/test_paths.h"
#include "trainer_process.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

namespace quadric::trainer {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using testing::TrainerProcess;
using testing::twoRanks;

TEST(Program, ABaselineThatIsGivenIsNotMeasured)
{
    std::vector<std::string> arguments = twoRanks("2");
    arguments.insert(arguments.end(), {"--baseline-rate", "250.5", "--baseline-half-width", "2.5"});
    TrainerProcess trainer(arguments);
    json result;
    while (const auto event = trainer.next(60s)) {
        EXPECT_NE(event->value("stage", ""), "baseline");
        result = *event;
    }
    ASSERT_EQ(result.at("event"), "result") << result;
    const double rate = result.at("responses").at("images_per_sec").get<double>();
    EXPECT_NEAR(result.at("responses").at("scaling_efficiency").get<double>(), 100.0 * rate / (2 * 250.5),
                1e-9);
    const double relative = result.at("spread").at("images_per_sec").get<double>() / rate;
    EXPECT_NEAR(result.at("spread").at("scaling_efficiency").get<double>(),
                100.0 * rate / (2 * 250.5) * std::hypot(relative, 2.5 / 250.5), 1e-9);
    EXPECT_EQ(result.at("provenance").at("baseline"),
              (json{{"from", "settings"}, {"images_per_sec", 250.5}, {"half_width", 2.5}}));
}

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
    ASSERT_EQ(trainer.wait(5s), 0);
    const json& baseline = result.at("provenance").at("baseline");
    EXPECT_EQ(baseline.at("from"), "this run");
    const std::string here = hello.at("device").at("name");
    EXPECT_EQ(baseline.at("own_because"), "it was measured on Abacus, and this is " + here);

    arguments.back() = here;
    TrainerProcess same(arguments);
    while (const auto event = same.next(60s))
        result = *event;
    ASSERT_EQ(same.wait(5s), 0);
    EXPECT_EQ(result.at("provenance").at("baseline").at("from"), "settings");
}

/// The answers are what a run is to be given whose speed is the baseline.
TEST(Program, SaysWhichBaselinesRunsNeed)
{
    const std::filesystem::path folder = std::filesystem::temp_directory_path();
    const std::string file = (folder / ("quadric-baselines-" + std::to_string(::getpid()))).string();
    std::ofstream(file) << R"({"ranks": 2, "batch_per_rank": 4, "bucket_mib": 1})"
                        << "\n"
                        << R"({"ranks": 8, "batch_per_rank": 4, "gradient_compression": 50})"
                        << "\n"
                        << R"({"ranks": 1})"
                        << "\n"
                        << R"({"ranks": 2, "baseline": "off"})"
                        << "\n"
                        << R"({"ranks": "many"})"
                        << "\n"
                        << R"({"ranks": 2, "batch_per_rank": 4, "engine": "simulated"})"
                        << "\n";
    std::vector<json> answers;
    const std::string command = std::string(builtPath("bin/quadric-trainer")) + " --baselines <" + file;
    FILE* output = ::popen(command.c_str(), "r");
    ASSERT_NE(output, nullptr);
    std::array<char, 65536> line{};
    while (std::fgets(line.data(), static_cast<int>(line.size()), output))
        answers.push_back(json::parse(line.data()));
    EXPECT_EQ(::pclose(output), 0);
    std::filesystem::remove(file);
    ASSERT_EQ(answers.size(), 6U);
    EXPECT_EQ(answers[0], answers[1]);
    EXPECT_EQ(answers[0].at("baseline").at("ranks"), 1);
    EXPECT_EQ(answers[0].at("baseline").at("batch_per_rank"), 4);
    EXPECT_FALSE(answers[0].at("conditions").at("cpu").get<std::string>().empty());
    EXPECT_EQ(answers[2], json::object()) << "one rank is its own baseline";
    EXPECT_EQ(answers[3], json::object());
    EXPECT_TRUE(answers[4].at("failure").get<std::string>().starts_with("ranks: expected a whole number"));
    EXPECT_NE(answers[5].at("baseline"), answers[0].at("baseline"));
    EXPECT_FALSE(answers[5].at("conditions").contains("host"))
        << "a simulation says nothing about this machine";
}

TEST(Program, OneRankNeedsNoBaseline)
{
    TrainerProcess trainer({"--format", "json", "--image-size", "16", "--max-seconds", "1"});
    const json result = trainer.last();
    ASSERT_EQ(result.at("event"), "result");
    EXPECT_EQ(result.at("responses").at("scaling_efficiency"), 100.0);
    EXPECT_EQ(result.at("responses").at("bytes_per_step"), 0.0);
    EXPECT_EQ(trainer.wait(5s), 0);
}

TEST(Program, StrongScalingSharesTheBatchAndMeasuresItWhole)
{
    std::vector<std::string> arguments = twoRanks("1");
    arguments.insert(arguments.end(), {"--scaling", "strong", "--global-batch", "9"});
    TrainerProcess trainer(arguments);
    const json result = trainer.last();
    ASSERT_EQ(result.at("event"), "result") << result;
    const json& provenance = result.at("provenance");
    EXPECT_EQ(provenance.at("scaling").at("global_batch_computed"), 8);
    EXPECT_EQ(provenance.at("batch_per_rank"), 4);
    EXPECT_EQ(provenance.at("baseline").at("batch_per_rank"), 4) << "two micro-batches";
    EXPECT_GT(result.at("responses").at("scaling_efficiency").get<double>(), 0.0);
    EXPECT_EQ(trainer.wait(5s), 0);
}

} // namespace
} // namespace quadric::trainer
