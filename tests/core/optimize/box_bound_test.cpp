// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/merit/evaluator.h"
#include "core/optimize/merit/goals.h"
#include "core/optimize/search/box_bound.h"

#include "random_problem.h"

#include <gtest/gtest.h>

namespace quadric::optimize {
namespace {

/// A random box, and points in it: none of them may beat the bound. Half of the problems have a transformed
/// response, so that all kinds of lines over pieces are met.
TEST(BoxBound, LiesAboveEveryPointOfTheBox)
{
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        std::mt19937_64 generator(seed);
        Fitted fitted = randomProblem(generator, FactorMix::Continuous);
        fitted.study.constraints.clear();
        if (seed % 2 == 0) {
            fitted.fits[0].transform.kind =
                std::array{study::TransformKind::Log, study::TransformKind::Sqrt,
                           study::TransformKind::Inverse, study::TransformKind::Logit}[seed / 2 % 4];
            fitted.fits[0].transform.high = 50.0;
            fitted.fits[0].largestObserved = 50.0;
            fitted.study.responses[0].transform = fitted.fits[0].transform;
        }
        const Goals goals = goalsOf(fitted.study, fitted.fits);
        const SearchSpace space(fitted.study, fitted.fits, {});
        Evaluator evaluator(goals.fits);
        for (const Merit& merit :
             {compromiseMerit(goals.desirabilities),
              ownMerit(0, goals.desirabilities[0].goal, goals.desirabilities[0].target, 2.0)}) {
            if (merit.pieces().empty())
                continue;
            BoxBound bound(space, goals.fits, merit);
            Eigen::ArrayXd y;
            for (int box = 0; box < 20; ++box) {
                Eigen::VectorXd center(space.size());
                Eigen::VectorXd radius(space.size());
                for (Eigen::Index i = 0; i < space.size(); ++i) {
                    center[i] = uniform(generator, -0.9, 0.9);
                    radius[i] = (1.0 - std::abs(center[i])) * uniform(generator, 0.0, 1.0);
                }
                evaluator.predict(center, y);
                if (box % 2 && (merit.mode() == MeritMode::Minimum || merit(y) > 0.0))
                    bound.leanOn(center);
                const double above = bound(center, radius, -1e300);
                for (int point = 0; point < 60; ++point) {
                    Eigen::VectorXd x(space.size());
                    for (Eigen::Index i = 0; i < x.size(); ++i)
                        x[i] = center[i] + radius[i] * uniform(generator, -1.0, 1.0);
                    evaluator.predict(x, y);
                    if (merit(y) <= -1e299) // no prediction can be given back there
                        continue;
                    EXPECT_LE(merit(y), above + 1e-9 * std::max(1.0, std::abs(above)))
                        << "seed " << seed << ", box " << box;
                }
            }
        }
    }
}

/// y = 1 − a² − b², to be maximized between 0 and 2: the touching sum at the optimum 0 is the response itself
/// and no box holds anything above D = 1/2.
TEST(BoxBound, IsSharpAtAnOptimum)
{
    const Fitted fitted = overSquare({1.0, 0.0, 0.0, 0.0, -1.0, -1.0});
    const Goals goals = goalsOf(fitted.study, fitted.fits);
    const SearchSpace space(fitted.study, fitted.fits, {});
    const Merit merit = compromiseMerit(goals.desirabilities);
    BoxBound bound(space, goals.fits, merit);
    bound.leanOn(Eigen::Vector2d(0.0, 0.0));
    EXPECT_NEAR(bound(Eigen::Vector2d(0.1, -0.2), Eigen::Vector2d(0.5, 0.5), -1e300), 0.5, 1e-12);
}

TEST(BoxBound, KnowsWhichModelsItCanBound)
{
    Fitted fitted = scalingStudy();
    const Goals goals = goalsOf(fitted.study, fitted.fits);
    EXPECT_TRUE(BoxBound::isPossible(goals.fits));
    for (model::Column& column : fitted.fits[0].columns)
        column.term.powers = {1, 1, 1};
    EXPECT_FALSE(BoxBound::isPossible(goals.fits));
}

} // namespace
} // namespace quadric::optimize
