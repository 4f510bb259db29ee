// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/slice.h"

#include "core/study/document/document.h"

#include <gtest/gtest.h>

namespace quadric::study {
namespace {

/// The center of ranks lies at 12 on the log2 scale of 4 … 32 (11.3), of share at 45.
Study threeFactors()
{
    Study study{.name = "s"};
    study.factors = {{.name = "ranks",
                      .type = FactorType::Integer,
                      .low = 4,
                      .high = 32,
                      .scale = Scale::Log2,
                      .multipleOf = 4},
                     {.name = "share", .low = 0, .high = 90},
                     {.name = "precision", .type = FactorType::Categorical, .categories = {"fp32", "bf16"}}};
    return study;
}

TEST(SliceTest, BeginsAtTheCenterWhereItCanBeRun)
{
    const Settings expected{{"ranks", 12.0}, {"share", 45.0}, {"precision", "fp32"}};
    EXPECT_EQ(sliceOf(threeFactors()), expected);
}

TEST(SliceTest, IsKeptInTheDocument)
{
    Study study = withHeld(threeFactors(), "share", 12.625);
    study = withHeld(study, "precision", "bf16");
    study = withHeld(study, "share", 0.1);
    const Settings expected{{"ranks", 12.0}, {"share", 0.1}, {"precision", "bf16"}};
    EXPECT_EQ(sliceOf(parseStudy(writeStudy(study), "s").study), expected);
}

TEST(SliceTest, LeavesNoTraceAtTheCenter)
{
    const Study study = threeFactors();
    EXPECT_EQ(withHeld(withHeld(study, "ranks", 32.0), "ranks", 12.0), study);
}

TEST(SliceTest, TakesNoValueThatCannotBeRun)
{
    const Study study = threeFactors();
    EXPECT_EQ(withHeld(study, "ranks", 10.0), study);
    EXPECT_EQ(withHeld(study, "ranks", 36.0), study);
    EXPECT_EQ(withHeld(study, "precision", "fp8"), study);
    EXPECT_EQ(withHeld(study, "precision", 1.0), study);
    EXPECT_EQ(withHeld(study, "share", "half"), study);
    EXPECT_EQ(withHeld(study, "gpus", 4.0), study);
}

TEST(SliceTest, ForgetsValuesThatTheFactorsHaveNoLonger)
{
    Study study = withHeld(withHeld(threeFactors(), "ranks", 32.0), "precision", "bf16");
    study.factors[0].high = 16.0;
    study.factors[2].categories = {"fp32", "fp16"};
    study.view["slice"].views.push_back({"torn"});
    study.view["slice"].views.push_back({"share", "half"});
    EXPECT_EQ(std::get<double>(sliceOf(study).at("ranks")), 8.0);
    EXPECT_EQ(std::get<std::string>(sliceOf(study).at("precision")), "fp32");
    EXPECT_EQ(std::get<double>(sliceOf(study).at("share")), 45.0);
}

TEST(SliceTest, IsAViewOnly)
{
    const Study study = threeFactors();
    EXPECT_TRUE(differInViewOnly(study, withHeld(study, "share", 3.0)));
    Study renamed = study;
    renamed.name = "t";
    EXPECT_FALSE(differInViewOnly(study, renamed));
}

} // namespace
} // namespace quadric::study
