// SPDX-License-Identifier: GPL-3.0-or-later
// quadric-trainer of a build without oneDNN: what it says, and what it still does.
#include "trainer_process.h"

#include <gmock/gmock.h>

namespace quadric::trainer {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using testing::TrainerProcess;

const TrainerProcess::Environment kNoGpu = {{"CUDA_VISIBLE_DEVICES", ""}};

TEST(ProgramWithoutCpuEngine, SaysWhatIsMissingAndWhatToDo)
{
    for (const char* engine : {"cpu", "auto"}) {
        TrainerProcess trainer({"--format", "json", "--engine", engine}, "", kNoGpu);
        const json failure = trainer.last();
        EXPECT_EQ(failure.at("kind"), "bad-settings");
        const auto message = failure.at("message").get<std::string>();
        EXPECT_THAT(message, StartsWith(std::string("engine ") + engine + ": "));
        EXPECT_THAT(message, HasSubstr("built without oneDNN"));
        EXPECT_THAT(message, HasSubstr("libdnnl-dev"));
        EXPECT_EQ(trainer.wait(60s), 2);
    }
}

TEST(ProgramWithoutCpuEngine, AutoWithoutGpusNamesBothReasons)
{
    TrainerProcess trainer({"--format", "json", "--engine", "auto"}, "", kNoGpu);
    EXPECT_THAT(trainer.last().at("message").get<std::string>(), HasSubstr("GPU"));
}

TEST(ProgramWithoutCpuEngine, DevicesSayThatProcessorsAreNotMeasured)
{
    TrainerProcess trainer({"--devices", "--format", "json"}, "", kNoGpu);
    const json device = trainer.last().at("device");
    EXPECT_EQ(device.at("precisions"), json::array());
    EXPECT_THAT(device.at("about").get<std::string>(), HasSubstr("built without oneDNN"));
    EXPECT_EQ(trainer.wait(60s), 0);
}

TEST(ProgramWithoutCpuEngine, TheSimulatorWorks)
{
    TrainerProcess trainer(
        {"--format", "json", "--engine", "simulated", "--ranks", "64", "--network", "resnet50"});
    const json result = trainer.last();
    ASSERT_EQ(result.at("event"), "result") << result;
    EXPECT_EQ(result.at("provenance").at("source"), "simulated");
    EXPECT_EQ(trainer.wait(60s), 0);
}

} // namespace
} // namespace quadric::trainer
