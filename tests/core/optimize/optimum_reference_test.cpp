// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/answer/find_optimum.h"
#include "core/optimize/merit/optimum.h"
#include "core/optimize/next/run_plan.h"
#include "core/optimize/optimum_region.h"
#include "core/study/space/constraint.h"
#include "fixtures.h"
#include "random_problem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <iostream>

namespace quadric::optimize {
namespace {

Region regionOf(const nlohmann::json& entry)
{
    const std::string type = entry.at("type");
    return {type == "sphere" ? RegionKind::Sphere : RegionKind::Cube, entry.at("size")};
}

TEST(TireTread, EveryScenarioAndRegionReachesTheReferenceOptimum)
{
    const auto file = reference("05_tire_tread_derringer_suich");
    for (const auto& scenario : file.at("desirability").at("scenarios")) {
        const Fitted fitted = tireTread(file, scenario);
        const study::Coding coding(fitted.study.factors);
        for (const auto& expected : scenario.at("optima")) {
            SCOPED_TRACE(scenario.at("name").dump() + expected.at("region").dump());
            OptimizeOptions options;
            options.region = regionOf(expected.at("region"));
            const Optimum optimum = findOptimum(fitted.study, fitted.fits, options);
            ASSERT_TRUE(optimum.isOk()) << optimum.message;
            EXPECT_NEAR(optimum.overall, expected.at("best").at("overall").get<double>(), 1e-6);
            const study::CodedPoint x = coding.toCoded(optimum.settings);
            for (std::size_t i = 0; expected.at("best").at("unique") && i < 3; ++i)
                EXPECT_NEAR(x[static_cast<Eigen::Index>(i)],
                            expected.at("best").at("coded").at(i).get<double>(), 1e-3);
        }
    }
}

/// Derringer & Suich 1980 print x = (−0.05, 0.145, −0.868), d = 0.189, 1, 0.656, 0.932 and D = 0.583.
TEST(TireTread, PublishedCompromise)
{
    const auto file = reference("05_tire_tread_derringer_suich");
    const Fitted fitted = tireTread(file, file.at("desirability").at("scenarios").at(0));
    const Optimum optimum = findOptimum(fitted.study, fitted.fits);
    EXPECT_NEAR(optimum.overall, 0.583, 5e-4);
    const study::CodedPoint x = study::Coding(fitted.study.factors).toCoded(optimum.settings);
    EXPECT_NEAR(x[0], -0.05, 5e-3);
    EXPECT_NEAR(x[1], 0.145, 5e-3);
    EXPECT_NEAR(x[2], -0.868, 5e-3);
}

TEST(TireTread, SolutionsAreRankedAndDistinct)
{
    const auto file = reference("05_tire_tread_derringer_suich");
    const Fitted fitted = tireTread(file, file.at("desirability").at("scenarios").at(0));
    const Optimum optimum = findOptimum(fitted.study, fitted.fits);
    ASSERT_FALSE(optimum.solutions.empty());
    EXPECT_EQ(optimum.solutions.front().settings, optimum.settings);
    EXPECT_NEAR(optimum.solutions.front().overall, optimum.overall, 1e-9);
    for (std::size_t i = 1; i < optimum.solutions.size(); ++i)
        EXPECT_LE(optimum.solutions[i].overall, optimum.solutions[i - 1].overall);
}

/// Own bests against a dense grid; a quadratic over a cube has its extremes in corners, on edges or inside.
TEST(TireTread, OwnBestsAndSacrifices)
{
    const auto file = reference("05_tire_tread_derringer_suich");
    const Fitted fitted = tireTread(file, file.at("desirability").at("scenarios").at(0));
    const Optimum optimum = findOptimum(fitted.study, fitted.fits);
    for (const ResponseAtOptimum& row : optimum.responses) {
        const study::Response& response = *study::findResponse(fitted.study, row.response);
        const auto fit = std::find_if(fitted.fits.begin(), fitted.fits.end(),
                                      [&](const model::Fit& f) { return f.response == row.response; });
        double onGrid = -1e300;
        const auto quality = [&](double y) {
            return response.goal == study::Goal::Target ? -std::abs(y - response.target) : y;
        };
        for (double a = -1.0; a <= 1.001; a += 0.05)
            for (double b = -1.0; b <= 1.001; b += 0.05)
                for (double c = -1.0; c <= 1.001; c += 0.05)
                    onGrid = std::max(onGrid, quality(model::predictMean(
                                                  *fit, study::CodedPoint(Eigen::Vector3d(a, b, c)))));
        EXPECT_GE(quality(row.bestAlone), onGrid - 1e-6) << row.response;
        EXPECT_GE(row.sacrifice, 0.0);
        EXPECT_NEAR(row.sacrifice, quality(row.bestAlone) - quality(row.predicted.mean), 1e-9);
    }
}

TEST(TireTread, KnownOwnBestsGiveTheSameAnswer)
{
    const auto file = reference("05_tire_tread_derringer_suich");
    const Fitted fitted = tireTread(file, file.at("desirability").at("scenarios").at(0));
    const Optimum first = findOptimum(fitted.study, fitted.fits);
    OptimizeOptions options;
    for (const ResponseAtOptimum& row : first.responses)
        options.bestAlone[row.response] = row.bestAlone;
    const Optimum second = findOptimum(fitted.study, fitted.fits, options);
    const Optimum assessed = assess(fitted.study, fitted.fits, first.settings, options.bestAlone);
    for (std::size_t i = 0; i < first.responses.size(); ++i) {
        EXPECT_EQ(second.responses[i].sacrifice, first.responses[i].sacrifice);
        EXPECT_EQ(assessed.responses[i].sacrifice, first.responses[i].sacrifice);
    }
    EXPECT_EQ(assessed.overall, first.overall);
}

/// A drag of one weight and one limit: the warm start ends where the cold one does, own bests included.
TEST(TireTread, WarmStartsEndWhereColdOnesDo)
{
    const auto file = reference("05_tire_tread_derringer_suich");
    Fitted fitted = tireTread(file, file.at("desirability").at("scenarios").at(0));
    Optimum warm = findOptimum(fitted.study, fitted.fits);
    for (int step = 0; step < 20; ++step) {
        fitted.study.responses[0].weight = 0.2 + 0.2 * step;
        *fitted.study.responses[1].low += 5.0;
        fitted.study.responses[2].target += 1.0;
        warm = refineOptimum(fitted.study, fitted.fits, warm);
        const Optimum cold = findOptimum(fitted.study, fitted.fits);
        EXPECT_NEAR(warm.overall, cold.overall, 1e-9) << "step " << step;
        for (std::size_t i = 0; i < cold.responses.size(); ++i)
            EXPECT_NEAR(warm.responses[i].bestAlone, cold.responses[i].bestAlone,
                        1e-6 * std::abs(cold.responses[i].bestAlone))
                << cold.responses[i].response << ", step " << step;
    }
}

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

// The answer of the engine is never below what dense grids with local refinement find. By default a part of
// the problems; QUADRIC_PROBLEMS=1000 runs all of them.

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

// The quick answer while somebody drags: from the answer before, without the global search.

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

// Closed forms: along a straight line every setting but the best differs from it by the same t, so that the
// region is the best end or the whole range, by the one-sided test of the slope.

/// A straight line with residuals of ±1 that leave its slope as it is.
study::Study lineStudy(double slope)
{
    study::Study study;
    study::Factor factor;
    factor.name = "a";
    factor.low = -1.0;
    factor.high = 1.0;
    study.factors = {factor};
    study::Response response;
    response.name = "y";
    response.goal = study::Goal::Maximize;
    study.responses = {response};
    study.model["y"] = "linear";
    const std::vector<double> noise{1, -1, 0, 0, -1, 1}; // at right angles to the line and to the constant
    const std::vector<double> at{-1, -1, 0, 0, 1, 1};
    for (std::size_t i = 0; i < at.size(); ++i) {
        study::Run run;
        run.id = static_cast<int>(i) + 1;
        run.settings = {{"a", at[i]}};
        run.status = study::RunStatus::Done;
        run.results["y"] = slope * at[i] + noise[i];
        study.runs.push_back(run);
    }
    return study;
}

OptimumRegion regionOf(const study::Study& study)
{
    const std::vector<model::Fit> fits = fitForGoals(study);
    return findOptimumRegion(study, fits, findOptimum(study, fits));
}

/// s² = 4/4 = 1, Var(slope) = 1/4: t = 2 × slope; the one-sided limit is 2.132 with 4 degrees of freedom.
TEST(OptimumRegionTest, OfAStraightLineIsTheOneSidedTestOfItsSlope)
{
    const OptimumRegion sure = regionOf(lineStudy(1.5));
    ASSERT_FALSE(sure.isEmpty());
    EXPECT_EQ(sure.factors()[0].low, 1.0);
    EXPECT_EQ(sure.factors()[0].high, 1.0);
    EXPECT_FALSE(sure.contains({{"a", 0.9}}));
    EXPECT_TRUE(sure.contains({{"a", 1.0}}));
    const OptimumRegion unsure = regionOf(lineStudy(0.8));
    EXPECT_TRUE(unsure.factors()[0].isWhole);
    EXPECT_TRUE(unsure.contains({{"a", -1.0}}));
}

TEST(OptimumRegionTest, HoldsWhatTheSearchHolds)
{
    const Fitted fitted = scalingStudy();
    OptimizeOptions options;
    options.fixed = {{"gpu_count", 32.0}};
    const Optimum best = findOptimum(fitted.study, fitted.fits, options);
    const OptimumRegion region = findOptimumRegion(fitted.study, fitted.fits, best, options);
    ASSERT_FALSE(region.isEmpty()) << region.message();
    EXPECT_EQ(region.factors()[0].low, 32.0);
    EXPECT_EQ(region.factors()[0].high, 32.0);
    EXPECT_TRUE(region.contains(best.settings));
    for (const FactorRange& range : region.factors()) {
        EXPECT_LE(range.low, study::numberOf(best.settings.at(range.factor)));
        EXPECT_GE(range.high, study::numberOf(best.settings.at(range.factor)));
    }
}

TEST(OptimumRegionTest, SaysWhatIsMissingWithoutAnError)
{
    study::Study study = lineStudy(1.0);
    study.runs.resize(3);
    study.runs.erase(study.runs.begin());
    const OptimumRegion region = regionOf(study);
    EXPECT_TRUE(region.isEmpty());
    EXPECT_NE(region.message(), "");
}

TEST(MeasuredBestTest, RunsAreRankedByTheDesirabilityOfTheirResults)
{
    study::Study study = lineStudy(1.5);
    study.runs[3].kind = study::RunKind::Confirmation;
    study.runs[3].results["y"] = 2.0;
    study.runs[4].status = study::RunStatus::Excluded;
    study.responses[0].low = -2.0;
    study.responses[0].high = 3.0;
    const std::vector<MeasuredRun> best = findBestMeasured(study, fitForGoals(study), 3);
    ASSERT_EQ(best.size(), 3U);
    EXPECT_EQ(best[0].run, 6);
    EXPECT_NEAR(best[0].overall, 0.9, 1e-12);
    EXPECT_EQ(best[1].run, 4);
    EXPECT_NEAR(best[1].overall, 0.8, 1e-12);
    EXPECT_TRUE(best[1].isConfirming);
    EXPECT_EQ(best[2].run, 3);
}

} // namespace
} // namespace quadric::optimize
