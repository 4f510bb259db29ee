// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/proposal/script_settings.h"

#include "core/study/coding.h"
#include "core/study/study.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace quadric::run {
namespace {

constexpr const char* kScript = R"(import torch.distributed as dist
import quadric_worker as quadric
# quadric.setting("left_out", 7)
batch = quadric.setting("micro_batch", 4)
rate, fused = quadric.setting('lr', 3e-4), quadric.setting("fused", False)
again = quadric.setting("micro_batch", 4)
text, none = quadric.setting("precision", "bf16"), quadric.setting("warm", 0)
for x, y in quadric.steps(loader, items_per_rank=batch * 64,
                          unit="tokens"):
    pass
)";

study::Study proposed(const std::string& script, int ranks)
{
    return withScriptSettings({}, script, ranks);
}

} // namespace

TEST(ScriptSettings, AreFactorsWhoseMiddleIsTheDefault)
{
    const study::Study study = proposed(kScript, 4);
    ASSERT_EQ(study.factors.size(), 4U);
    EXPECT_EQ(study.factors[0],
              (study::Factor{.name = "gpus", .type = study::FactorType::Integer, .low = 1, .high = 4}));
    EXPECT_EQ(study.factors[1], (study::Factor{.name = "micro_batch",
                                               .type = study::FactorType::Integer,
                                               .low = 2,
                                               .high = 8,
                                               .scale = study::Scale::Log2}));
    EXPECT_EQ(study.factors[2].name, "lr");
    EXPECT_EQ(study.factors[2].type, study::FactorType::Continuous);
    EXPECT_NEAR(study::Coding(study.factors).toActual(2, 0.0), 3e-4, 1e-12);
    EXPECT_EQ(study.factors[3].categories, (std::vector<std::string>{"no", "yes"}));
}

TEST(ScriptSettings, HaveTheSpeedOfTheirStepsAsResponse)
{
    const study::Study study = proposed(kScript, 4);
    ASSERT_EQ(study.responses.size(), 2U);
    EXPECT_EQ(study.responses[0].name, "tokens_per_sec");
    EXPECT_EQ(study.responses[0].unit, "tok/s");
    EXPECT_EQ(study.responses[1].name, "scaling_efficiency");
    EXPECT_EQ(study.fixed, (study::Settings{{"scaling", std::string("weak")}}))
        << "the work of a rank is said";
    EXPECT_TRUE(proposed("import torch.distributed\nsteps(loader, items=8)", 4).fixed.empty());
    EXPECT_EQ(proposed("import quadric_worker as q\nq.steps(loader, items=8)", 4).responses[0].name,
              "items_per_sec");
    EXPECT_EQ(proposed("import quadric_worker as q\nq.steps(loader)", 4).responses[0].name, "steps_per_sec");
}

TEST(ScriptSettings, VaryRanksWhereTheMachineHasSeveral)
{
    EXPECT_EQ(proposed(kScript, 1).factors.front().name, "micro_batch");
    EXPECT_EQ(proposed(kScript, 1).responses.size(), 1U) << "one rank has no scaling efficiency";
    EXPECT_EQ(proposed(kScript, 192).factors.front().high, 8.0);
    const study::Study named = proposed("n = setting(\"ranks\", 1)\nb = setting(\"batch\", 8)", 2);
    ASSERT_EQ(named.factors.size(), 2U);
    EXPECT_EQ(named.factors[0].name, "ranks");
    EXPECT_EQ(named.factors[0].high, 2.0) << "what the machine has, not twice the default";
}

TEST(ScriptSettings, LeaveWhatIsThereAlone)
{
    study::Study typed;
    typed.factors = {{.name = "lr"}};
    EXPECT_EQ(withScriptSettings(typed, kScript, 4), typed);
    EXPECT_EQ(withScriptSettings({}, "", 4), study::Study{}) << "a script of another kind";
}

TEST(ScriptSettings, AreReadFromScriptsThatImportTheWorker)
{
    const auto folder =
        std::filesystem::temp_directory_path() / ("script-settings-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "train.py") << kScript;
    std::ofstream(folder / "short.py") << "from quadric_worker import steps\n";
    std::ofstream(folder / "other.py") << "print('quadric_worker.py is not for me')\n";
    EXPECT_EQ(readWorkerScript(folder / "train.py"), kScript);
    EXPECT_FALSE(readWorkerScript(folder / "short.py").empty());
    EXPECT_EQ(readWorkerScript(folder / "other.py"), "");
    EXPECT_EQ(readWorkerScript(folder / "missing.py"), "");
    std::filesystem::remove_all(folder);
}

} // namespace quadric::run
