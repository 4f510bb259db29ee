// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/base/design.h"
#include "core/design/base/largest_model.h"
#include "design_studies.h"

#include <gtest/gtest.h>

namespace quadric::design {
namespace {

using Points = std::vector<std::vector<double>>;

const Points kCube = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                      {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};

TEST(LargestModel, dependsOnWhatTheRunsTellApart)
{
    // Two levels know no squares; 8 runs leave 1 degree of freedom beside 3 + 3 effects.
    EXPECT_EQ(largestModel(codedStudy(kCube)), "interactions");
    // The half fraction I = ABC: each effect is an interaction too, and nothing is left for the error.
    EXPECT_EQ(largestModel(codedStudy({kCube[1], kCube[2], kCube[4], kCube[7]})), "linear");
    study::Study study = codedStudy(kCube);
    study.runs.clear();
    study.design = {.type = "box-behnken", .centerRuns = 3};
    EXPECT_EQ(largestModel(layOut(study)), "quadratic");
}

TEST(LargestModel, isWhatAnOptimalDesignWasMadeFor)
{
    study::Study study = codedStudy(kCube);
    study.design.model = "linear";
    EXPECT_EQ(largestModel(study), "interactions"); // left over from another type
    study.design.type = "d-optimal";
    EXPECT_EQ(largestModel(study), "linear");
}

} // namespace
} // namespace quadric::design
