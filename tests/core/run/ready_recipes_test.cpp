// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/proposal/ready_recipes.h"

#include "core/run/proposal/script_settings.h"
#include "core/run/recipe/output_parse.h"
#include "core/run/recipe/recipe.h"
#include "core/run/recipe/recipe_problems.h"
#include "core/study/factor.h"
#include "core/study/study.h"
#include "tests/support/test_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace quadric::run {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

study::Factor factor(const char* name, const char* unit = "")
{
    return {.name = name, .unit = unit, .low = 1, .high = 8};
}

study::Study trainingStudy()
{
    study::Study study;
    study.factors = {factor("batch_per_gpu"), factor("gpus"), factor("bucket_mib", "MiB")};
    study.responses = {{.name = "busbw"}, {.name = "time_us"}, {.name = "algbw"}};
    study.benchmark.timeoutSeconds = 77;
    return study;
}

const ReadyRecipe& named(const std::vector<ReadyRecipe>& recipes, const std::string& name)
{
    return *std::ranges::find(recipes, name, &ReadyRecipe::name);
}

TEST(UnmentionedFactors, AreThoseInNeitherArgumentsNorEnvironment)
{
    study::Study study = trainingStudy();
    EXPECT_THAT(unmentionedFactors(study), IsEmpty()) << "the built-in workload gets its settings otherwise";
    study.benchmark.workload = "command";
    study.benchmark.argv = {"train", "--gpus={gpus}", "bucket_mib", "{{batch_per_gpu}}"};
    EXPECT_THAT(unmentionedFactors(study), ElementsAre("batch_per_gpu", "bucket_mib"));
    study.benchmark.env = {{"BUCKET", "{bucket_mib}m"}};
    EXPECT_THAT(unmentionedFactors(study), ElementsAre("batch_per_gpu"));
}

TEST(ReadyRecipes, AreRunnableAsTheyStandAndKeepTheRest)
{
    study::Study study = trainingStudy();
    for (const ReadyRecipe& recipe : readyRecipes(study)) {
        study.benchmark = recipe.made;
        EXPECT_NO_THROW(checkRecipe(study)) << recipe.name;
        EXPECT_EQ(study.benchmark.timeoutSeconds, 77) << recipe.name;
    }
    study.benchmark = {};
    study.factors.clear();
    study.responses = {{.name = "y"}};
    for (const ReadyRecipe& recipe : readyRecipes(study)) {
        study.benchmark = recipe.made;
        EXPECT_NO_THROW(checkRecipe(study)) << recipe.name << " without a factor";
    }
}

TEST(ReadyRecipes, GiveEachFactorItsPlace)
{
    const auto recipes = readyRecipes(trainingStudy());
    EXPECT_THAT(named(recipes, "torchrun").made.argv,
                ElementsAre("torchrun", "--standalone", "--nproc_per_node={gpus}", "train.py",
                            "--batch_per_gpu", "{batch_per_gpu}", "--bucket_mib", "{bucket_mib}"));
    EXPECT_THAT(named(recipes, "doehelper-style script").made.argv,
                ElementsAre("./run.sh", "--batch_per_gpu", "{batch_per_gpu}", "--gpus", "{gpus}",
                            "--bucket_mib", "{bucket_mib}", "--out", "result_{run_id}.json"));
    EXPECT_THAT(named(recipes, "nccl-tests").made.argv,
                ElementsAre("all_reduce_perf", "-g", "{gpus}", "-b", "{bucket_mib}M", "-e", "{bucket_mib}M"));
    study::Study bound = trainingStudy();
    bound.factors[0].binds = "ranks";
    EXPECT_EQ(named(readyRecipes(bound), "Slurm script").made.argv[1], "--ntasks={batch_per_gpu}")
        << "the factor that binds ranks goes before names";
}

TEST(ReadyRecipes, AddToWhatIsThere)
{
    study::Study study = trainingStudy();
    study.benchmark.workload = "command";
    study.benchmark.argv = {"python3", "bench.py", "--b={batch_per_gpu}", "--fast"};
    study.benchmark.env = {{"A", "b"}};
    study.benchmark.parse = {.kind = study::ParseSpec::Kind::Regex, .patterns = {{"busbw", "bw {number}"}}};
    const auto recipes = readyRecipes(study);
    EXPECT_THAT(named(recipes, "torchrun").made.argv,
                ElementsAre("torchrun", "--standalone", "--nproc_per_node={gpus}", "bench.py",
                            "--b={batch_per_gpu}", "--fast", "--bucket_mib", "{bucket_mib}"));
    EXPECT_THAT(named(recipes, "Slurm script").made.argv,
                ElementsAre("srun", "--ntasks={gpus}", "--gpus={gpus}", "--gpu-bind=none", "python3",
                            "bench.py", "--b={batch_per_gpu}", "--fast", "--bucket_mib", "{bucket_mib}"));
    EXPECT_THAT(named(recipes, "doehelper-style script").made.argv,
                ElementsAre("python3", "bench.py", "--b={batch_per_gpu}", "--fast", "--gpus", "{gpus}",
                            "--bucket_mib", "{bucket_mib}", "--out", "result_{run_id}.json"));
    for (const ReadyRecipe& recipe : recipes) {
        EXPECT_EQ(recipe.made.env, study.benchmark.env) << recipe.name;
        EXPECT_THAT(recipe.made.argv, Not(Contains(HasSubstr("gpus-per-task"))))
            << "a rank that sees its own GPU only cannot reach the memory of its peers";
    }
    EXPECT_EQ(named(recipes, "torchrun").made.parse, study.benchmark.parse);
}

TEST(ReadyRecipes, ReadWhatNcclTestsPrints)
{
    const study::Study study = trainingStudy();
    const study::ParseSpec spec = named(readyRecipes(study), "nccl-tests").made.parse;
    const auto outcome = parseOutput(
        spec,
        "#       size         count      type   redop    root     time   algbw   busbw #wrong     time\n"
        "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)\n"
        "    67108864      16777216     float     sum      -1    812.3   82.61  144.57      0    810.1   "
        "82.84\n"
        "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 144.77\n#\n");
    const auto* result = std::get_if<Result>(&outcome);
    ASSERT_NE(result, nullptr);
    EXPECT_EQ(result->responses.at("busbw"), 144.77);
    EXPECT_EQ(result->responses.at("time_us"), 812.3);
    EXPECT_EQ(result->responses.at("algbw"), 82.61);
}

/// An excerpt of a public log (tests/references/recipes/sources.md).
std::string printedBy(const char* file)
{
    std::ifstream text(sourcePath("tests/references/recipes/") + std::string(file) + ".txt");
    EXPECT_TRUE(text) << file;
    return {std::istreambuf_iterator<char>(text), {}};
}

/// What the recipe reads in it for responses of these names.
std::map<std::string, double, std::less<>> readBy(const char* recipe, const char* file,
                                                  const std::vector<std::string>& responses)
{
    study::Study study;
    for (const std::string& name : responses)
        study.responses.push_back({.name = name});
    const auto outcome = parseOutput(named(readyRecipes(study), recipe).made.parse, printedBy(file));
    const auto* failure = std::get_if<study::Failure>(&outcome);
    EXPECT_EQ(failure, nullptr) << recipe << ": " << (failure ? failure->message : "");
    return failure ? std::map<std::string, double, std::less<>>() : std::get<Result>(outcome).responses;
}

using Numbers = std::map<std::string, double, std::less<>>;

TEST(ReadyRecipes, ReadWhatToolsPrint)
{
    EXPECT_EQ(readBy("Megatron-LM", "megatron-lm", {"step_ms", "tflops_per_gpu", "loss"}),
              (Numbers{{"step_ms", 5718.6}, {"tflops_per_gpu", 228.4}, {"loss", 1.834162}}));
    EXPECT_EQ(readBy("DeepSpeed", "deepspeed", {"samples_per_sec", "memory_gb"}),
              (Numbers{{"samples_per_sec", 157.0806611496739}, {"memory_gb", 2.62}}));
    EXPECT_EQ(readBy("Hugging Face Trainer", "hugging-face-trainer",
                     {"samples_per_sec", "steps_per_sec", "train_loss", "runtime"}),
              (Numbers{{"samples_per_sec", 1.207},
                       {"steps_per_sec", 1.207},
                       {"train_loss", 2.129377910069057},
                       {"runtime", 5.8012}}));
    EXPECT_EQ(readBy("Lightning", "lightning", {"steps_per_sec"}), (Numbers{{"steps_per_sec", 100.37}}));
    EXPECT_EQ(readBy("nccl-tests", "nccl-tests", {"busbw", "time_us", "algbw"}),
              (Numbers{{"busbw", 95.3009}, {"time_us", 158070}, {"algbw", 54.34}}));
}

TEST(ReadyRecipes, ReadWhatVllmPrints)
{
    EXPECT_EQ(readBy("vllm bench throughput", "vllm-bench-throughput",
                     {"requests_per_sec", "tokens_per_sec", "output_tokens_per_sec"}),
              (Numbers{{"requests_per_sec", 89.27},
                       {"tokens_per_sec", 22853.37},
                       {"output_tokens_per_sec", 11426.69}}));
    EXPECT_EQ(readBy("vllm bench serve", "vllm-bench-serve",
                     {"tokens_per_sec", "total_tokens_per_sec", "requests_per_sec", "ttft_ms", "ttft_p99_ms",
                      "tpot_mean_ms", "itl_ms"}),
              (Numbers{{"tokens_per_sec", 268.31},
                       {"total_tokens_per_sec", 1052.55},
                       {"requests_per_sec", 0.77},
                       {"ttft_ms", 2648.65},
                       {"ttft_p99_ms", 4610.48},
                       {"tpot_mean_ms", 51.78},
                       {"itl_ms", 46.55}}));
    EXPECT_EQ(readBy("vllm bench serve", "vllm-bench-serve-2025", {"tokens_per_sec", "total_tokens_per_sec"}),
              (Numbers{{"tokens_per_sec", 6582.87}, {"total_tokens_per_sec", 14029.44}}));
}

TEST(ReadyRecipes, WorkersOfOursSpeakTheProtocolAndReadTheirSettings)
{
    const auto recipes = readyRecipes(trainingStudy());
    EXPECT_THAT(named(recipes, "quadric-torch").made.argv,
                ElementsAre("python3", "quadric_torch.py", "--ranks", "{gpus}"));
    EXPECT_THAT(named(recipes, "PyTorch with quadric_worker.py").made.argv,
                ElementsAre("python3", "quadric_worker.py", "--ranks", "{gpus}", "train_gpt.py"));
    study::Study study = trainingStudy();
    study.benchmark.workload = "command";
    study.benchmark.argv = {"python3", "src/train.py", "--epochs", "1"};
    for (int time = 1; time <= 2; ++time) {
        study.benchmark = named(readyRecipes(study), "PyTorch with quadric_worker.py").made;
        EXPECT_THAT(study.benchmark.argv, ElementsAre("python3", "src/quadric_worker.py", "--ranks", "{gpus}",
                                                      "src/train.py", "--epochs", "1"))
            << "once and again";
    }
    EXPECT_THAT(unmentionedFactors(study), IsEmpty()) << "they are read from QUADRIC_SETTINGS";
    EXPECT_EQ(named(recipes, "quadric-torch").made.parse, study::ParseSpec{});
}

TEST(ReadyRecipes, MegatronLmHasHyphens)
{
    study::Study study;
    study.factors = {factor("micro_batch_size"), factor("gpus")};
    study.responses = {{.name = "step_ms"}};
    EXPECT_THAT(named(readyRecipes(study), "Megatron-LM").made.argv,
                ElementsAre("torchrun", "--standalone", "--nproc_per_node={gpus}", "pretrain_gpt.py",
                            "--micro-batch-size", "{micro_batch_size}"));
}

TEST(ReadyRecipes, NameAFileForEachRun)
{
    study::Study study = trainingStudy();
    study.benchmark = named(readyRecipes(study), "doehelper-style script").made;
    const study::Run run{.id = 7, .settings = {{"gpus", 2.0}, {"batch_per_gpu", 1.0}, {"bucket_mib", 4.0}}};
    const study::ParseSpec spec = study.benchmark.parse;
    EXPECT_EQ(forRun(spec, study, run).file, "result_7.json");
    study.benchmark.parse.file = "{nothing}.json";
    EXPECT_THROW(checkRecipe(study), RecipeError);
}

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

namespace {

study::Study studyWith(const char* factor, const char* workload)
{
    study::Study study;
    study.factors = {{.name = factor, .low = 1, .high = 8}};
    study.benchmark.workload = workload;
    return study;
}

std::optional<study::Failure> judged(const study::Study& study, const std::string& claimed)
{
    study::Run run;
    run.id = 1;
    run.settings = {{study.factors.front().name, 4.0}};
    return contradiction(study, run, claimed);
}

TEST(ClaimedSettings, MustBeThoseThatWereGiven)
{
    const study::Study own = studyWith("batch", "command");
    EXPECT_FALSE(judged(own, R"({"batch": 4})"));
    EXPECT_FALSE(judged(own, R"({"other": 1})")) << "what a program of the user leaves out is believed";
    EXPECT_EQ(judged(own, R"({"batch": 8})")->kind, "bad-output");
}

TEST(ClaimedSettings, OfTheBuiltInWorkloadHaveEveryFactor)
{
    EXPECT_FALSE(judged(studyWith("batch_per_rank", "builtin"), R"({"batch_per_rank": 4, "ranks": 1})"));
    const auto failure =
        judged(studyWith("batch_pre_rank", "builtin"), R"({"batch_per_rank": 16, "ranks": 1})");
    ASSERT_TRUE(failure);
    EXPECT_EQ(failure->kind, "bad-settings");
    EXPECT_THAT(failure->message, HasSubstr("has no setting batch_pre_rank"));
    study::Study bound = studyWith("gpus", "builtin");
    bound.factors.front().binds = "ranks";
    EXPECT_FALSE(judged(bound, R"({"ranks": 4})"));
}

} // namespace
} // namespace quadric::run
