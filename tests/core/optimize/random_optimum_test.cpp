// SPDX-License-Identifier: GPL-3.0-or-later
// The answer of the engine is never below what dense grids with local refinement find. By default a part of
// the problems; QUADRIC_PROBLEMS=1000 runs all of them.
#include "core/study/space/constraint.h"

#include "random_problem.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

namespace quadric::optimize {
namespace {

constexpr std::uint64_t kSeed = 20240607;
constexpr double kTolerance = 1e-6;

int problemCount()
{
    const char* text = std::getenv("QUADRIC_PROBLEMS");
    return text ? std::atoi(text) : 120;
}

FactorMix mixOf(int problem)
{
    return problem % 5 < 2 ? FactorMix::Continuous : problem % 5 < 4 ? FactorMix::Mixed : FactorMix::Listed;
}

TEST(RandomProblems, NeverBelowDenseGridsWithRefinement)
{
    int proven = 0;
    int possible = 0;
    const int count = problemCount();
    for (int i = 0; i < count; ++i) {
        SCOPED_TRACE("problem " + std::to_string(i));
        std::mt19937_64 generator(kSeed + static_cast<std::uint64_t>(i));
        const Fitted fitted = randomProblem(generator, mixOf(i));
        const double reference = bestByGrid(fitted, generator);
        const Optimum optimum = findOptimum(fitted.study, fitted.fits);
        EXPECT_GE(optimum.overall, reference - kTolerance);
        EXPECT_GE(optimum.bound, reference - 1e-12);
        EXPECT_GE(optimum.bound, optimum.overall - 1e-12);
        if (countSettings(fitted.study) > 0) {
            EXPECT_NEAR(optimum.overall, reference, 1e-12) << "every legal setting was visited";
        }
        if (optimum.status != OptimumStatus::NoLegalSetting)
            expectLegal(fitted.study, optimum.settings);
        possible += optimum.isOk() ? 1 : 0;
        proven += optimum.isOk() && optimum.isProven ? 1 : 0;
    }
    std::cout << count << " problems, " << possible << " with a desirability above 0, of these " << proven
              << " proven to be global\n";
    EXPECT_GT(possible, count / 2);
    EXPECT_GT(proven, possible / 2);
}

} // namespace
} // namespace quadric::optimize
