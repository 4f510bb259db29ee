// SPDX-License-Identifier: GPL-3.0-or-later
// The quick answer while somebody drags: from the answer before, without the global search.
#include "core/optimize/merit/optimum.h"
#include "core/study/space/constraint.h"
#include "fixtures.h"

#include <gtest/gtest.h>

namespace quadric::optimize {
namespace {

TEST(LocalRefinement, FollowsADragOfAWeight)
{
    Fitted fitted = scalingStudy();
    Optimum shown = findOptimum(fitted.study, fitted.fits);
    OptimizeOptions local;
    local.isLocal = true;
    for (double weight = 0.2; weight <= 5.0; weight += 0.2) {
        fitted.study.responses.front().weight = weight;
        shown = refineOptimum(fitted.study, fitted.fits, shown, local);
        ASSERT_TRUE(shown.isOk()) << shown.message;
        EXPECT_FALSE(shown.isProven);
        EXPECT_TRUE(study::isLegal(fitted.study, shown.settings));
        EXPECT_NEAR(shown.overall, assess(fitted.study, fitted.fits, shown.settings).overall, 1e-12);
        const Optimum global = findOptimum(fitted.study, fitted.fits);
        EXPECT_LE(shown.overall, global.overall + 1e-7) << "weight " << weight;
        EXPECT_GE(shown.overall, 0.999 * global.overall) << "weight " << weight;
    }
}

TEST(LocalRefinement, WithoutAStartThatCanBeRunTheSearchIsGlobal)
{
    const Fitted fitted = scalingStudy();
    OptimizeOptions local;
    local.isLocal = true;
    local.hints = {{{"gpu_count", 12.0}}}; // names no value of the other factors
    EXPECT_NEAR(findOptimum(fitted.study, fitted.fits, local).overall,
                findOptimum(fitted.study, fitted.fits).overall, 1e-9);
}

} // namespace
} // namespace quadric::optimize
