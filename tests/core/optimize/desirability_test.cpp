// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/merit/desirability.h"
#include "core/optimize/merit/evaluator.h"
#include "core/optimize/search/box_bound.h"
#include "core/study/space/constraint.h"
#include "fixtures.h"
#include "random_problem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace quadric::optimize {
namespace {

model::Fit observed(double smallest, double largest)
{
    model::Fit fit;
    fit.smallestObserved = smallest;
    fit.largestObserved = largest;
    return fit;
}

TEST(Desirability, FollowsTheReferenceAlongEachResponse)
{
    const auto file = reference("05_tire_tread_derringer_suich");
    for (const auto& scenario : file.at("desirability").at("scenarios")) {
        const Fitted fitted = tireTread(file, scenario);
        for (const auto& sweep : scenario.at("d_sweep")) {
            const study::Response* response =
                study::findResponse(fitted.study, sweep.at("response").get<std::string>());
            ASSERT_NE(response, nullptr);
            const Desirability desirability = desirabilityOf(*response, fitted.fits.front());
            for (std::size_t i = 0; i < sweep.at("value").size(); ++i)
                EXPECT_NEAR(valueOf(desirability, sweep.at("value").at(i)), sweep.at("d").at(i).get<double>(),
                            1e-12)
                    << scenario.at("name") << " " << response->name << " " << sweep.at("value").at(i);
        }
    }
}

TEST(Desirability, OverallFollowsTheReference)
{
    const auto file = reference("05_tire_tread_derringer_suich");
    for (const auto& scenario : file.at("desirability").at("scenarios")) {
        const Fitted fitted = tireTread(file, scenario);
        for (const auto& entry : scenario.at("evaluations")) {
            study::Settings settings;
            for (std::size_t i = 0; i < 3; ++i)
                settings[fitted.study.factors[i].name] = entry.at("actual").at(i).get<double>();
            EXPECT_NEAR(assess(fitted.study, fitted.fits, settings).overall,
                        entry.at("overall_weighted").get<double>(), 1e-6)
                << scenario.at("name");
        }
    }
}

TEST(Desirability, LimitsDefaultToTheObservedRange)
{
    study::Response response;
    const Desirability both = desirabilityOf(response, observed(3.0, 9.0));
    EXPECT_EQ(both.low, 3.0);
    EXPECT_EQ(both.high, 9.0);
    EXPECT_TRUE(both.lowIsDefault);
    EXPECT_TRUE(both.highIsDefault);
    response.low = 5.0;
    const Desirability one = desirabilityOf(response, observed(3.0, 9.0));
    EXPECT_EQ(one.low, 5.0);
    EXPECT_FALSE(one.lowIsDefault);
}

TEST(Desirability, DefaultLimitsStayOnTheirSide)
{
    study::Response response;
    response.goal = study::Goal::Target;
    response.target = 20.0;
    const Desirability outside = desirabilityOf(response, observed(3.0, 9.0));
    EXPECT_LT(outside.low, outside.target);
    EXPECT_LT(outside.target, outside.high);
    EXPECT_EQ(valueOf(outside, 20.0), 1.0);
    response.goal = study::Goal::Maximize;
    response.low = 50.0;
    EXPECT_GT(desirabilityOf(response, observed(3.0, 9.0)).high, 50.0);
    EXPECT_GT(desirabilityOf(response, observed(50.0, 50.0)).high, 50.0);
}

/// 0.1 + 0.2 is the number after 0.3: with a small exponent, a share of 1e-16 would count as 0.16.
TEST(Desirability, IsNothingOnALimitThatRoundingMissed)
{
    study::Response response;
    response.low = 0.3;
    response.high = 1.0;
    response.shape = {0.05};
    const Desirability desirability = desirabilityOf(response, observed(0.0, 1.0));
    EXPECT_EQ(valueOf(desirability, 0.1 + 0.2), 0.0);
    EXPECT_NEAR(valueOf(desirability, 0.3 + 0.7e-6), std::pow(1e-6, 0.05), 1e-6);
}

TEST(Desirability, IsAStepWithoutAWidth)
{
    Desirability desirability;
    desirability.low = desirability.high = 5.0;
    EXPECT_EQ(valueOf(desirability, 4.999), 0.0);
    EXPECT_EQ(valueOf(desirability, 5.0), 1.0);
    EXPECT_EQ(valueOf(desirability, std::numeric_limits<double>::quiet_NaN()), 0.0);
}

TEST(Overall, LeavesOutWhatHasNoGoalOrNoWeight)
{
    Desirability half;
    Desirability none = half;
    none.goal = study::Goal::None;
    Desirability weightless = half;
    weightless.weight = 0.0;
    EXPECT_DOUBLE_EQ(overall({half, none, weightless}, {0.25, -5.0, -5.0}), 0.25);
    EXPECT_EQ(overall({none, weightless}, {0.0, 0.0}), 1.0);
    EXPECT_EQ(overall({half, half}, {0.5, -1.0}), 0.0);
    Desirability triple = half;
    triple.weight = 3.0;
    EXPECT_DOUBLE_EQ(overall({half, triple}, {0.5, 1.0}), std::pow(0.5, 0.25));
}

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
                    bound.setReferencePoint(center);
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
    bound.setReferencePoint(Eigen::Vector2d(0.0, 0.0));
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

// What surrounds an optimum: other solutions, limits on extrapolation, the price of a fixed factor, the pull
// of weights and limits.

/// All legal settings of the scaling study, with batch and compression thinned out.
template <class Visit> void visitSettings(double step, Visit visit)
{
    for (double gpus = 8; gpus <= 64; gpus += 8)
        for (double batch = 32; batch <= 256; batch += step)
            for (double compression = 0; compression <= 90; compression += step)
                visit(study::Settings{
                    {"gpu_count", gpus}, {"batch_per_gpu", batch}, {"gradient_compression", compression}});
}

TEST(Solutions, AreRankedDistinctAndLegal)
{
    Fitted fitted = scalingStudy();
    fitted.study.constraints = {"gpu_count * batch_per_gpu <= 8192"};
    OptimizeOptions options;
    options.solutions = 6;
    const Optimum optimum = findOptimum(fitted.study, fitted.fits, options);
    ASSERT_EQ(optimum.solutions.size(), 6U);
    EXPECT_EQ(optimum.solutions.front().settings, optimum.settings);
    EXPECT_TRUE(optimum.solutions.front().isOptimum);
    for (std::size_t i = 0; i < optimum.solutions.size(); ++i) {
        const Solution& a = optimum.solutions[i];
        EXPECT_TRUE(study::isLegal(fitted.study, a.settings));
        EXPECT_NEAR(a.overall, assess(fitted.study, fitted.fits, a.settings).overall, 1e-12);
        for (std::size_t j = 0; j < i; ++j) {
            EXPECT_NE(optimum.solutions[j].settings, a.settings);
            EXPECT_GE(optimum.solutions[j].overall, a.overall);
        }
    }
}

/// y = a² over −1…1 without its middle has two peaks; both must be listed as optima.
TEST(Solutions, ListEveryPeak)
{
    const Fitted fitted = overSquare({0.5, 0.1, 0.0, 0.0, 1.0, -0.5});
    const Optimum optimum = findOptimum(fitted.study, fitted.fits);
    EXPECT_TRUE(optimum.isProven);
    int peaks = 0;
    for (const Solution& solution : optimum.solutions)
        peaks += solution.isOptimum && std::abs(study::numberOf(solution.settings.at("b"))) < 1e-4 ? 1 : 0;
    EXPECT_EQ(peaks, 2);
    EXPECT_NEAR(optimum.overall, 0.8, 1e-9);
}

TEST(Extrapolation, NearRunsIsTheBestOfAllSettingsThatAreNone)
{
    const Fitted fitted = scalingStudy();
    OptimizeOptions options;
    options.staysNearRuns = true;
    const Optimum near = findOptimum(fitted.study, fitted.fits, options);
    ASSERT_TRUE(near.isOk()) << near.message;
    EXPECT_FALSE(isExtrapolation(near));
    EXPECT_LT(near.overall, findOptimum(fitted.study, fitted.fits).overall);
    visitSettings(8.0, [&](const study::Settings& settings) {
        const Optimum there = assess(fitted.study, fitted.fits, settings);
        if (!isExtrapolation(there)) {
            EXPECT_LE(there.overall, near.overall + 1e-9);
        }
    });
}

TEST(Extrapolation, NearTheRunsNothingIsBetter)
{
    const auto file = reference("05_tire_tread_derringer_suich");
    const Fitted fitted = tireTread(file, file.at("desirability").at("scenarios").at(0));
    OptimizeOptions options;
    options.region = {RegionKind::Cube, 1.6};
    options.staysNearRuns = true;
    const Optimum optimum = findOptimum(fitted.study, fitted.fits, options);
    ASSERT_TRUE(optimum.isOk()) << optimum.message;
    for (const ResponseAtOptimum& row : optimum.responses)
        EXPECT_FALSE(row.predicted.isExtrapolation);
    for (double a = -1.6; a <= 1.6; a += 0.1)
        for (double b = -1.6; b <= 1.6; b += 0.1)
            for (double c = -1.6; c <= 1.6; c += 0.1) {
                const study::CodedPoint point(Eigen::Vector3d(a, b, c));
                if (overallAt(fitted, point) > optimum.overall + 1e-6) {
                    EXPECT_TRUE(model::predict(fitted.fits[0], point).isExtrapolation);
                }
            }
}

} // namespace
} // namespace quadric::optimize
