// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/runner/launcher_choice.h"

#include "core/run/recipe/recipe.h"
#include "core/study/document/document.h"

#include <gmock/gmock.h>

using namespace quadric;
using testing::HasSubstr;

namespace {

std::string problemOfChoice(const study::Study& study, const run::LauncherChoice& asked = {})
{
    try {
        run::launcherFor(study, "a.quadric", asked);
        return {};
    } catch (const run::RecipeError& error) {
        return error.what();
    }
}

study::Study saying(const std::string& parallel)
{
    return study::parseStudy(R"({"quadric": 1, "benchmark": {"parallel": )" + parallel + "}}", "x").study;
}

} // namespace

TEST(ParallelRuns, AreAsManyAsTheStudySays)
{
    EXPECT_EQ(run::launcherFor({}, "a.quadric")->mostRuns(), 1);
    EXPECT_EQ(run::launcherFor(saying("3"), "a.quadric")->mostRuns(), 3);
    EXPECT_EQ(run::launcherFor(saying("3"), "a.quadric", {.parallel = 2})->mostRuns(), 2); // the option wins
    EXPECT_EQ(run::launcherFor(saying("3"), "a.quadric", {.parallel = 1})->mostRuns(), 1);
}

TEST(ParallelRuns, NonsenseIsRefused)
{
    for (const char* nonsense : {"0", "-2", "1.5", "65", "\"two\"", "1e+300"})
        EXPECT_THAT(problemOfChoice(saying(nonsense)),
                    HasSubstr("benchmark.parallel: found " + std::string(nonsense)));
    EXPECT_THAT(problemOfChoice({}, {.parallel = 0}),
                HasSubstr("--parallel: found 0, expected a whole number from 1 to 64"));
}

TEST(ParallelRuns, SlurmHasALimitOfItsOwn)
{
    const std::string problem = problemOfChoice({}, {.name = "slurm", .parallel = 2});
    EXPECT_THAT(problem, HasSubstr("benchmark.slurm.most_jobs (now 4)"));
    EXPECT_EQ(run::launcherFor(saying("2"), "a.quadric", {.name = "slurm"})->mostRuns(), 4);
    EXPECT_THAT(problemOfChoice({}, {.name = "pbs"}), HasSubstr("expected local or slurm"));
}

TEST(ParallelRuns, GpusThatCannotBeSharedOutAreRefused)
{
    study::Study study = saying("2");
    study.benchmark.env["CUDA_VISIBLE_DEVICES"] = "{gpu}";
    EXPECT_THAT(problemOfChoice(study), HasSubstr("benchmark.env.CUDA_VISIBLE_DEVICES: found \"{gpu}\""));
    EXPECT_THAT(problemOfChoice(saying("2"), {.devices = "MIG-3fa8"}),
                HasSubstr("(MIG) cannot be shared out"));
    EXPECT_EQ(problemOfChoice(saying("1"), {.devices = "MIG-3fa8"}), "");
}
