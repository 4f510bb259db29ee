// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/recipe/claimed_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quadric::run {
namespace {

using ::testing::HasSubstr;

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
