// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/select/sentinels.h"

#include "center_runs.h"

#include <gmock/gmock.h>

using namespace quadric;

using test::centers;

// R 4.2: o <- c(2, 8, 15); y <- c(100.5, 101.4, 103.2); summary(lm(y ~ o)); sd(y)
TEST(Sentinels, ThreeRunsAgainstR)
{
    const auto found = model::sentinelsOf(centers({15, 2, 8}, {103.2, 100.5, 101.4}), "speed");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->runs, 3);
    EXPECT_NEAR(found->sd, 1.37477270849, 1e-10);
    EXPECT_NEAR(found->perRun, 0.20905511811, 1e-10);
    EXPECT_NEAR(found->change, 13 * 0.20905511811, 1e-9);
    EXPECT_NEAR(found->t.value_or(0), 6.81273317644, 1e-9);
    EXPECT_NEAR(found->p.value_or(0), 0.09278300827855, 1e-10);
}

// R 4.2: o <- c(1, 5, 9, 13, 17); y <- c(10.1, 9.8, 10.4, 9.9, 10.2); summary(lm(y ~ o))
TEST(Sentinels, FiveRunsAgainstR)
{
    const auto found = model::sentinelsOf(centers({1, 5, 9, 13, 17}, {10.1, 9.8, 10.4, 9.9, 10.2}), "speed");
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->perRun, 0.0075, 1e-12);
    EXPECT_NEAR(found->t.value_or(0), 0.351123441588, 1e-9);
    EXPECT_NEAR(found->p.value_or(0), 0.748707206390, 1e-9);
}

TEST(Sentinels, NeedThreeRunsThatAreDone)
{
    study::Study study = centers({1, 2, 3}, {1, 2, 4});
    study.runs[1].status = study::RunStatus::Failed;
    EXPECT_FALSE(model::sentinelsOf(study, "speed"));
    EXPECT_FALSE(model::sentinelsOf(centers({1, 2, 3}, {1, 2, 4}), "loss"));
}

TEST(Sentinels, ALineWithoutResidualHasNoTest)
{
    const auto found = model::sentinelsOf(centers({1, 2, 3}, {5, 6, 7}), "speed");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->perRun, 1.0);
    EXPECT_FALSE(found->p);
    EXPECT_FALSE(model::sentinelsOf(centers({1, 2, 3}, {5, 5, 5}), "speed")->p);
}

TEST(Sentinels, RunsAtAnotherSettingAreNotCompared)
{
    study::Study study = centers({1, 2, 3, 4}, {1, 2, 4, 90});
    study.runs[3].settings = {{"a", 1.5}};
    EXPECT_EQ(model::sentinelsOf(study, "speed")->runs, 3);
}
