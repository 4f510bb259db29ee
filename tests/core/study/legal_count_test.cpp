// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/legal_count.h"

#include <gtest/gtest.h>

namespace quadric::study {
namespace {

Study twoIntegers()
{
    Study study;
    study.factors.resize(2);
    study.factors[0] = {.name = "gpus", .type = FactorType::Integer, .low = 8, .high = 64, .multipleOf = 8};
    study.factors[1] = {.name = "batch", .type = FactorType::Integer, .low = 1, .high = 10};
    return study;
}

TEST(CountLegal, triesEveryCombination)
{
    Study study = twoIntegers();
    EXPECT_EQ(countLegal(study).combinations, 8 * 10);
    EXPECT_EQ(countLegal(study).legal, 80);
    study.constraints = {"gpus * batch <= 64"};
    // floor(64 / gpus) batches for 8, 16, … 64 GPUs: 8 + 4 + 2 + 2 + 1 + 1 + 1 + 1.
    EXPECT_EQ(countLegal(study).legal, 20);
    EXPECT_DOUBLE_EQ(countLegal(study).share, 0.25);
    study.constraints.push_back("gpus % 3 == 0");
    EXPECT_EQ(countLegal(study).legal, 2 + 1); // 24 and 48 GPUs
}

TEST(CountLegal, countsLevelsAndFixedSettings)
{
    Study study = twoIntegers();
    study.factors[0] = {.name = "kind", .type = FactorType::Categorical, .categories = {"a", "b", "c"}};
    study.fixed["limit"] = 4.0;
    study.constraints = {"batch <= limit or kind == \"c\""};
    EXPECT_EQ(countLegal(study).legal, 4 + 4 + 10);
}

TEST(CountLegal, measuresTheShareOfAContinuousRegion)
{
    Study study;
    study.factors.resize(2);
    study.factors[0] = {.name = "x", .low = 0.0, .high = 1.0};
    study.factors[1] = {.name = "y", .low = 0.0, .high = 1.0};
    EXPECT_EQ(countLegal(study).share, 1.0);
    EXPECT_FALSE(countLegal(study).combinations);
    study.constraints = {"x * x + y * y <= 1"};
    EXPECT_NEAR(countLegal(study).share, 0.785398, 0.005); // π/4
    study.constraints = {"x + y > 3"};
    EXPECT_EQ(countLegal(study).share, 0.0);
}

TEST(CountLegal, saysNothingCanBeRunForWhatCannotBeRead)
{
    Study study = twoIntegers();
    study.constraints = {"gpus * <= 3"};
    EXPECT_EQ(countLegal(study).legal, 0);
    study.constraints = {"nodes <= 3"};
    EXPECT_EQ(countLegal(study).legal, 0);
    study.factors[1].low = 20;
    EXPECT_THROW(countLegal(study), std::invalid_argument);
}

} // namespace
} // namespace quadric::study
