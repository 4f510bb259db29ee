// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/recipe/builtin_workload.h"

#include "core/run/recipe/recipe.h"
#include "core/study/derived.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quadric::run {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

study::Study builtinStudyWith(const std::string& factor, const std::string& response)
{
    study::Study study;
    study.factors = {{.name = "ranks", .low = 1, .high = 8}, {.name = factor, .low = 1, .high = 8}};
    study.responses = {{.name = "images_per_sec"}, {.name = response}};
    return study;
}

/// The runner computes them from what the trainer reports.
TEST(BuiltinWorkload, NeedNotReportWhatIsComputed)
{
    study::Study study = builtinStudyWith("batch_per_rank", "ms_per_image");
    EXPECT_EQ(gapsOfBuiltin(study).size(), 1U);
    study::setDerived(study, "ms_per_image", "step_ms / batch_per_rank");
    EXPECT_THAT(gapsOfBuiltin(study), IsEmpty());
    EXPECT_THAT(gapsOfBuiltin(builtinStudyWith("batch_per_rank", "run_seconds")), IsEmpty());
}

TEST(BuiltinWorkload, NamesWhatItDoesNotHaveAndWhere)
{
    EXPECT_THAT(gapsOfBuiltin(builtinStudyWith("batch_per_rank", "step_ms")), IsEmpty());
    EXPECT_EQ(gapsInWords(builtinStudyWith("batch_per_rank", "step_ms")), "");
    const auto gaps = gapsOfBuiltin(builtinStudyWith("batch_pre_rank", "speed"));
    ASSERT_EQ(gaps.size(), 2U);
    EXPECT_EQ(gaps[0].where, "factors[1]");
    EXPECT_THAT(gaps[0].why, HasSubstr("no setting \"batch_pre_rank\""));
    EXPECT_EQ(gaps[1].where, "responses[1]");
    EXPECT_THAT(gaps[1].why, HasSubstr("does not report \"speed\""));
    const std::string words = gapsInWords(builtinStudyWith("batch_pre_rank", "step_ms"));
    EXPECT_THAT(words, HasSubstr("factors[1]: the built-in workload"));
    EXPECT_THAT(words, HasSubstr("Its settings are engine, ranks, batch_per_rank, "));
    EXPECT_THAT(words, Not(HasSubstr("It reports")));
}

TEST(BuiltinWorkload, UnderstandsWhatAFactorBindsAndOtherNames)
{
    study::Study study = builtinStudyWith("gpus", "step_ms");
    study.factors[0].name = "batch_per_gpu";
    study.factors[1].binds = "ranks";
    EXPECT_THAT(gapsOfBuiltin(study), IsEmpty());
    study.factors[1].binds = "nodes";
    ASSERT_EQ(gapsOfBuiltin(study).size(), 1U);
    EXPECT_THAT(gapsOfBuiltin(study)[0].why, HasSubstr("no setting \"nodes\""));
}

TEST(BuiltinWorkload, IsNotAskedForWhatTheOthersMeasure)
{
    study::Study study = builtinStudyWith("color", "speed");
    for (const char* workload : {"command", "none"}) {
        study.benchmark.workload = workload;
        EXPECT_THAT(gapsOfBuiltin(study), IsEmpty()) << workload;
    }
}

std::string whyNot(const char* response, const study::Settings& fixed)
{
    study::Study study = builtinStudyWith("seed", response);
    study.fixed = fixed;
    const auto gaps = gapsOfBuiltin(study);
    return gaps.empty() ? std::string() : gaps.front().why;
}

TEST(BuiltinWorkload, KnowsWhichResponsesNeedASetting)
{
    const std::string simulated = "simulated";
    EXPECT_THAT(whyNot("cost_per_epoch", {}), HasSubstr("expected a setting price_per_rank_hour above 0"));
    EXPECT_THAT(whyNot("cost_per_epoch", {{"price_per_rank_hour", 0.0}}), HasSubstr("only with a price"));
    EXPECT_EQ(whyNot("cost_per_epoch", {{"price_per_rank_hour", 1.5}}), "");
    EXPECT_THAT(whyNot("loss_end", {{"engine", simulated}}), HasSubstr("the engine is \"simulated\""));
    EXPECT_EQ(whyNot("loss_end", {}), "");
    EXPECT_THAT(whyNot("loss_after_50_steps", {{"engine", simulated}}), HasSubstr("is \"simulated\""));
    EXPECT_THAT(whyNot("loss_after_50_steps", {{"loss_training", std::string("off")}}),
                HasSubstr("only with loss_training on, and that is switched off"));
    EXPECT_EQ(whyNot("loss_after_50_steps", {}), "") << "the runner switches it on";
    EXPECT_THAT(whyNot("joules_per_image", {{"engine", std::string("cpu")}}), HasSubstr("only on GPUs"));
    EXPECT_EQ(whyNot("joules_per_image", {}), "") << "there may be GPUs";
    EXPECT_THAT(whyNot("scaling_efficiency", {{"baseline", std::string("off")}}), HasSubstr("switched off"));
    study::Study varied = builtinStudyWith("price_per_rank_hour", "cost_per_epoch");
    EXPECT_THAT(gapsOfBuiltin(varied), IsEmpty());
}

/// Fifty steps before the measurement are for those who want to know their loss.
TEST(BuiltinWorkload, TrainsForTheLossWhereTheStudyAsksForIt)
{
    study::Study study = builtinStudyWith("seed", "loss_after_50_steps");
    EXPECT_EQ(study::toText(workerSettings(study, {}).at("loss_training")), "on");
    study.fixed["loss_training"] = std::string("off");
    EXPECT_EQ(study::toText(workerSettings(study, {}).at("loss_training")), "off") << "as the study says";
    EXPECT_FALSE(workerSettings(builtinStudyWith("seed", "loss_end"), {}).contains("loss_training"));
}

} // namespace
} // namespace quadric::run
