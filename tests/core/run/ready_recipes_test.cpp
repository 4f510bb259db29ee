// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/recipe/ready_recipes.h"

#include "core/run/recipe/output_parse.h"
#include "core/run/recipe/recipe.h"
#include "core/run/recipe/unmentioned_factors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quadric::run {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

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
                ElementsAre("srun", "--ntasks={gpus}", "--gpus-per-task=1", "python3", "bench.py",
                            "--b={batch_per_gpu}", "--fast", "--bucket_mib", "{bucket_mib}"));
    EXPECT_THAT(named(recipes, "doehelper-style script").made.argv,
                ElementsAre("python3", "bench.py", "--b={batch_per_gpu}", "--fast", "--gpus", "{gpus}",
                            "--bucket_mib", "{bucket_mib}", "--out", "result_{run_id}.json"));
    for (const ReadyRecipe& recipe : recipes)
        EXPECT_EQ(recipe.made.env, study.benchmark.env) << recipe.name;
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

} // namespace
} // namespace quadric::run
