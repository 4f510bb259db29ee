// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/space/legal_space.h"

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

/// 8, 16, … 64 GPUs and 5 … 10: what the optimizer and the designs ask for.
TEST(LegalSpace, listsWhatCanBeRunAndRoundsTheRest)
{
    Study study = twoIntegers();
    const LegalSpace listed(study);
    EXPECT_EQ(listed.axis(0).actual, (std::vector<double>{8, 16, 24, 32, 40, 48, 56, 64}));
    EXPECT_EQ(listed.actualAt(0, listed.snap(0, 0.0)), 32.0); // 36 is between 32 and 40
    const LegalSpace rounded(study, {.mostListed = 3});
    EXPECT_TRUE(rounded.axis(0).snaps);
    EXPECT_EQ(rounded.actualAt(0, rounded.snap(0, 0.0)), 32.0);
    EXPECT_EQ(listed.settingsAt(listed.center()), rounded.settingsAt(rounded.center()));
    const LegalSpace held(study, {.held = {{"gpus", 48.0}}});
    EXPECT_EQ(held.settingsAt(held.center()).at("gpus"), Value(48.0));
    EXPECT_THROW(LegalSpace(study, {.held = {{"gpus", 47.0}}}), std::invalid_argument);
    EXPECT_THROW(LegalSpace(study, {.held = {{"nodes", 4.0}}}), std::invalid_argument);
}

/// What a search that stops just short of an end has found is the end.
TEST(LegalSpace, placesBesideAnEndAreTheEnd)
{
    Study study;
    study.factors = {{.name = "compression", .low = 0.0, .high = 90.0}};
    const LegalSpace space(study);
    EXPECT_EQ(space.snap(0, -1.0 + 5e-10), -1.0);
    EXPECT_EQ(space.snap(0, 1.0 - 5e-10), 1.0);
    EXPECT_EQ(space.snap(0, 1.5), 1.0);
    EXPECT_EQ(space.snap(0, -1.0 + 1e-6), -1.0 + 1e-6);
}

TEST(LegalSpace, namesAFactorWithoutALegalValue)
{
    Study study = twoIntegers();
    study.factors[0].low = 9;
    study.factors[0].high = 15;
    EXPECT_THROW(LegalSpace(study).checkValues(), std::invalid_argument);
    study.factors[0].high = 1e9;
    EXPECT_NO_THROW(LegalSpace(study).checkValues()) << "too many to list is not none";
}

} // namespace
} // namespace quadric::study
