// SPDX-License-Identifier: GPL-3.0-or-later
// Five factors, four responses and a constraint, with results of a known formula and 2 % of noise: what is
// recommended by default agrees with the formula, and what is listed beside it is what it is called.
#include "core/optimize/answer/own_best.h"
#include "core/optimize/answer/rounding.h"
#include "core/study/document/document.h"
#include "core/study/space/constraint.h"

#include "fixtures.h"
#include "tests/support/test_paths.h"

#include <gtest/gtest.h>

#include <cmath>

namespace quadric::optimize {
namespace {

study::Study fiveFactors()
{
    return study::loadStudy(sourcePath("tests/references/scaling-five-factors.quadric")).study;
}

/// The formula that the results of the reference were made from.
double truth(const std::string& response, const study::Settings& settings)
{
    const auto number = [&](const char* name) { return study::numberOf(settings.at(name)); };
    const double gpus = number("gpus"), batch = number("batch_per_gpu"), rate = number("learning_rate");
    const bool isHalf = settings.at("precision") == study::Value(std::string("bf16"));
    const double throughput = 180 * std::pow(gpus, 0.95) * std::pow(batch / 128, 0.35) *
                              (isHalf ? 2.1 : 1.0) *
                              std::exp(-0.02 * std::pow(std::log2(number("bucket_mb") / 8), 2));
    if (response == "throughput")
        return throughput;
    if (response == "energy")
        return gpus * (isHalf ? 310 : 290) / throughput;
    if (response == "memory")
        return 2.5 + batch * (isHalf ? 0.05 : 0.09);
    return 76 - 0.0625 * std::pow(std::log2(gpus * batch / 4096), 2) - 60 * std::pow(rate - 0.24, 2) -
           (isHalf ? 0.15 : 0.0);
}

/// How many predictions have the formula inside their interval for a single run.
int countCovered(const Optimum& optimum)
{
    int covered = 0;
    for (const ResponseAtOptimum& at : optimum.responses) {
        const double value = truth(at.response, optimum.settings);
        covered += value >= at.predicted.prediction->low && value <= at.predicted.prediction->high ? 1 : 0;
    }
    return covered;
}

/// One level up or down in any combination of the numeric factors of a grid.
void visitNeighbors(const study::Study& study, const study::Settings& settings,
                    const std::function<void(const study::Settings&)>& visit)
{
    std::vector<study::Settings> neighbors{settings};
    for (const study::Factor& factor : study.factors) {
        const std::vector<double> legal = study::legalValues(factor, factor.low, factor.high, 5000);
        const double at = study::numberOf(settings.at(factor.name));
        const auto place = std::ranges::find(legal, at) - legal.begin();
        for (std::size_t i = neighbors.size(); i-- > 0;)
            for (const std::ptrdiff_t other : {place - 1, place + 1})
                if (other >= 0 && other < std::ssize(legal)) {
                    neighbors.push_back(neighbors[i]);
                    neighbors.back()[factor.name] = legal[static_cast<std::size_t>(other)];
                }
    }
    for (std::size_t i = 1; i < neighbors.size(); ++i)
        if (study::isLegal(study, neighbors[i]))
            visit(neighbors[i]);
}

TEST(FewDigits, ArePutIntoContinuousFactorsWhereThatIsLegal)
{
    study::Study study;
    study.factors = {{.name = "a", .low = 0.125, .high = 2.0, .scale = study::Scale::Log2},
                     {.name = "b", .low = 0.123456, .high = 9.0},
                     {.name = "c", .type = study::FactorType::Integer, .low = 1, .high = 100000},
                     {.name = "d", .low = -5.0, .high = 5.0},
                     {.name = "e", .low = 0.0, .high = 1.0}};
    const study::Settings found{
        {"a", 0.125005}, {"b", 0.123456}, {"c", 12345.0}, {"d", -1.23456}, {"e", 0.98765}};
    study::Settings rounded = found;
    rounded["a"] = 0.125;
    rounded["b"] = 0.124; // 0.123 is below its range
    rounded["d"] = -1.23;
    EXPECT_EQ(withFewDigits(study, found, 3, {{"e", 0.98765}}), rounded);
    study.constraints = {"a >= 0.125002"};
    rounded["a"] = 0.126;
    EXPECT_EQ(withFewDigits(study, found, 3, {{"e", 0.98765}}), rounded);
}

} // namespace

TEST(DefaultModels, RecommendASettingWhereTheFormulaIsInsideTheIntervals)
{
    const study::Study study = fiveFactors();
    const std::vector<model::Fit> fits = fitForGoals(study);
    const Optimum optimum = findOptimum(study, fits);
    ASSERT_TRUE(optimum.isOk()) << optimum.message;
    EXPECT_EQ(countCovered(optimum), 4);
    EXPECT_EQ(fits.front().transform.kind, study::TransformKind::Log);
}

/// Without the transforms that the runs recommend the same study names a setting where they are not.
TEST(DefaultModels, WouldNotWithoutTheTransforms)
{
    const study::Study study = fiveFactors();
    std::vector<model::Fit> fits = model::fitStudy(study);
    findOwnBests(study, fits);
    EXPECT_LT(countCovered(findOptimum(study, fits)), 4);
}

/// A constraint along a curve: steps of single factors stop short of the best settings of its edge.
TEST(Solutions, OptimaHaveNoBetterLegalNeighbor)
{
    Fitted fitted = scalingStudy();
    fitted.study.constraints = {"gpu_count * batch_per_gpu <= 6000"};
    for (const int count : {3, 8, 20}) {
        OptimizeOptions options;
        options.solutions = count;
        for (const Solution& solution : findOptimum(fitted.study, fitted.fits, options).solutions) {
            double best = 0.0;
            visitNeighbors(fitted.study, solution.settings, [&](const study::Settings& neighbor) {
                best = std::max(best, assess(fitted.study, fitted.fits, neighbor).overall);
            });
            EXPECT_EQ(solution.isOptimum, best <= solution.overall + 1e-9)
                << solution.overall << " against " << best;
        }
    }
}

TEST(Solutions, AShorterListIsTheBeginningOfALongerOne)
{
    const study::Study study = fiveFactors();
    const std::vector<model::Fit> fits = fitForGoals(study);
    OptimizeOptions options;
    options.solutions = 20;
    const std::vector<Solution> all = findOptimum(study, fits, options).solutions;
    for (const int count : {1, 4, 7}) {
        options.solutions = count;
        const std::vector<Solution> some = findOptimum(study, fits, options).solutions;
        ASSERT_LE(some.size(), all.size());
        for (std::size_t i = 0; i < some.size(); ++i)
            EXPECT_EQ(some[i].settings, all[i].settings) << count << ": " << i;
    }
    ASSERT_EQ(all.front().predicted.size(), 4U);
    const Optimum there = assess(study, fits, all.back().settings);
    EXPECT_DOUBLE_EQ(all.back().predicted.front().second.mean, there.responses.front().predicted.mean);
}

TEST(Rounding, HasFewerDigitsForNextToNothing)
{
    const study::Study study = fiveFactors();
    const std::vector<model::Fit> fits = fitForGoals(study);
    const Optimum optimum = findOptimum(study, fits);
    ASSERT_TRUE(optimum.rounded);
    const Solution& rounded = *optimum.rounded;
    EXPECT_TRUE(study::isLegal(study, rounded.settings));
    EXPECT_GE(rounded.overall, optimum.overall * (1.0 - kRoundingCost));
    EXPECT_NEAR(rounded.overall, assess(study, fits, rounded.settings).overall, 1e-12);
    for (const char* name : {"bucket_mb", "learning_rate"}) {
        const std::string text = study::toText(rounded.settings.at(name));
        EXPECT_LT(text.size(), study::toText(optimum.settings.at(name)).size()) << text;
    }
    OptimizeOptions held;
    held.fixed = {{"learning_rate", 0.23456}};
    const std::optional<Solution> other = findOptimum(study, fits, held).rounded;
    ASSERT_TRUE(other);
    EXPECT_EQ(other->settings.at("learning_rate"), study::Value(0.23456));
}

} // namespace quadric::optimize
