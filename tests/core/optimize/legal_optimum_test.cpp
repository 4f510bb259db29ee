// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/document/document.h"
#include "core/study/space/constraint.h"

#include "core/model/select/model_choice.h"
#include "core/optimize/answer/find_optimum.h"
#include "core/optimize/answer/rounding.h"
#include "fixtures.h"
#include "random_problem.h"
#include "tests/support/test_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace quadric::optimize {
namespace {

/// Largest overall desirability over every legal setting of a study whose factors all have listed values.
double bestOfAll(const Fitted& fitted)
{
    const study::Coding coding(fitted.study.factors);
    std::vector<std::vector<study::Value>> values;
    for (const study::Factor& factor : fitted.study.factors) {
        values.emplace_back();
        if (factor.isNumeric())
            for (const double value : study::legalValues(factor, factor.low, factor.high))
                values.back().emplace_back(value);
        else
            values.back().assign(factor.categories.begin(), factor.categories.end());
    }
    double best = 0.0;
    std::vector<std::size_t> at(values.size(), 0);
    while (at.back() < values.back().size()) {
        study::Settings settings;
        for (std::size_t i = 0; i < at.size(); ++i)
            settings[fitted.study.factors[i].name] = values[i][at[i]];
        if (fitted.study.constraints.empty() || study::isLegal(fitted.study, settings))
            best = std::max(best, overallAt(fitted, coding.toCoded(settings)));
        for (std::size_t i = 0; i < at.size() && ++at[i] == values[i].size() && i + 1 < at.size(); ++i)
            at[i] = 0;
    }
    return best;
}

TEST(LegalOptimum, ScalingStudyMatchesEveryLegalSetting)
{
    Fitted fitted = scalingStudy();
    const double expected = bestOfAll(fitted);
    const Optimum optimum = findOptimum(fitted.study, fitted.fits);
    ASSERT_TRUE(optimum.isOk()) << optimum.message;
    EXPECT_GT(expected, 0.5);
    EXPECT_NEAR(optimum.overall, expected, 1e-9);
    expectLegal(fitted.study, optimum.settings);
}

TEST(LegalOptimum, ScalingStudyWithConstraintsAndTarget)
{
    Fitted fitted = scalingStudy();
    fitted.study.constraints = {"gpu_count * batch_per_gpu <= 8192", "batch_per_gpu % 4 == 0"};
    fitted.study.responses[1].goal = study::Goal::Target;
    fitted.study.responses[1].target = 91.0;
    const Optimum optimum = findOptimum(fitted.study, fitted.fits);
    ASSERT_TRUE(optimum.isOk()) << optimum.message;
    EXPECT_NEAR(optimum.overall, bestOfAll(fitted), 1e-9);
    expectLegal(fitted.study, optimum.settings);
}

/// The example study that comes with the program, all its factors at whole numbers.
TEST(LegalOptimum, ExampleStudyMatchesEveryLegalSetting)
{
    Fitted fitted{study::loadStudy(sourcePath("resources/examples/resnet50-scaling.quadric")).study, {}};
    for (study::Factor& factor : fitted.study.factors) {
        factor.type = study::FactorType::Integer;
        factor.multipleOf = factor.name == "gpu_count" ? 8 : 1;
    }
    fitted.fits = model::fitStudy(fitted.study);
    ASSERT_EQ(fitted.fits.size(), fitted.study.responses.size());
    const Optimum optimum = findOptimum(fitted.study, fitted.fits);
    ASSERT_TRUE(optimum.isOk()) << optimum.message;
    EXPECT_NEAR(optimum.overall, bestOfAll(fitted), 1e-9);
    expectLegal(fitted.study, optimum.settings);
}

/// The third factor continuous: the best over a fine grid of it is a lower bound that must be reached.
TEST(LegalOptimum, IntegersBesideAContinuousFactor)
{
    Fitted fitted = scalingStudy();
    fitted.study.factors[2].type = study::FactorType::Continuous;
    for (model::Fit& fit : fitted.fits)
        fit.factors = fitted.study.factors;
    fitted.study.responses[1].goal = study::Goal::Target;
    fitted.study.responses[1].target = 90.0;
    fitted.study.responses[1].low = 89.0;
    fitted.study.responses[1].high = 91.0;
    Fitted listed = fitted;
    listed.study.factors[2].type = study::FactorType::Discrete;
    for (double value = 0.0; value <= 90.0; value += 0.25)
        listed.study.factors[2].levels.push_back(value);
    const Optimum optimum = findOptimum(fitted.study, fitted.fits);
    EXPECT_GE(optimum.overall, bestOfAll(listed) - 1e-9);
    expectLegal(fitted.study, optimum.settings);
}

Fitted randomProblem(std::mt19937& generator, std::size_t factors, std::size_t responses)
{
    Fitted fitted;
    for (std::size_t i = 0; i < factors; ++i) {
        fitted.study.factors.push_back(listedFactor(generator, 60));
        fitted.study.factors.back().name = std::string(1, static_cast<char>('a' + i));
    }
    std::normal_distribution<double> normal;
    for (std::size_t r = 0; r < responses; ++r) {
        study::Response response;
        response.name = "y" + std::to_string(r);
        response.goal =
            std::array{study::Goal::Maximize, study::Goal::Minimize, study::Goal::Target}[generator() % 3];
        response.target = normal(generator);
        response.weight = 1.0 + static_cast<double>(generator() % 3);
        response.shape = {0.5 + static_cast<double>(generator() % 4), 1.0};
        response.low = response.target - 2.5;
        response.high = response.target + 2.5;
        fitted.study.responses.push_back(response);
        std::vector<double> beta(60);
        for (double& b : beta)
            b = normal(generator);
        fitted.fits.push_back(polynomialFit(fitted.study, response.name, beta, -3.0, 3.0));
    }
    return fitted;
}

TEST(LegalOptimum, RandomDiscreteProblemsMatchEveryLegalSetting)
{
    std::mt19937 generator(7);
    for (int i = 0; i < 60; ++i) {
        Fitted fitted = randomProblem(generator, 2 + generator() % 2, 1 + generator() % 4);
        if (i % 3 == 0 && fitted.study.factors[0].isNumeric() && fitted.study.factors[1].isNumeric())
            fitted.study.constraints = {"a * b <= 300", "a + b >= 5"};
        const double expected = bestOfAll(fitted);
        const Optimum optimum = findOptimum(fitted.study, fitted.fits);
        EXPECT_NEAR(optimum.overall, expected, 1e-9) << "problem " << i;
        EXPECT_EQ(optimum.isOk(), expected > 0.0) << "problem " << i;
        for (const ResponseAtOptimum& row : optimum.responses)
            EXPECT_GE(row.sacrifice, 0.0);
    }
}

/// All factors continuous: never worse than a fine grid.
TEST(LegalOptimum, RandomContinuousProblemsReachTheGrid)
{
    std::mt19937 generator(11);
    for (int i = 0; i < 40; ++i) {
        Fitted fitted = randomProblem(generator, 3, 1 + generator() % 4);
        for (std::size_t f = 0; f < 3; ++f) {
            fitted.study.factors[f] = study::Factor{};
            fitted.study.factors[f].name = std::string(1, static_cast<char>('a' + f));
        }
        std::normal_distribution<double> normal;
        for (model::Fit& fit : fitted.fits) {
            std::vector<double> beta(10);
            for (double& b : beta)
                b = normal(generator);
            fit = polynomialFit(fitted.study, fit.response, beta, -3.0, 3.0);
        }
        double onGrid = 0.0;
        for (double a = -1.0; a <= 1.001; a += 0.1)
            for (double b = -1.0; b <= 1.001; b += 0.1)
                for (double c = -1.0; c <= 1.001; c += 0.1)
                    onGrid = std::max(onGrid, overallAt(fitted, study::CodedPoint(Eigen::Vector3d(a, b, c))));
        EXPECT_GE(findOptimum(fitted.study, fitted.fits).overall, onGrid - 1e-9) << "problem " << i;
    }
}

/// y = a + b over the disc a² + b² ≤ 1 under a·b ≤ 0.4 (actual values): the optimum lies on the hyperbola
/// where it leaves the disc or, by symmetry, at its ends; D = (a + b)/2 with (a + b)² = 1 + 2·0.4.
TEST(LegalOptimum, ConstraintThroughContinuousFactors)
{
    Fitted fitted = overSquare({0.0, 1.0, 1.0});
    fitted.study.constraints = {"a * b <= 0.4"};
    OptimizeOptions options;
    options.region = {RegionKind::Sphere, 1.0};
    const Optimum optimum = findOptimum(fitted.study, fitted.fits, options);
    ASSERT_TRUE(optimum.isOk()) << optimum.message;
    EXPECT_NEAR(optimum.overall, std::sqrt(1.8) / 2.0, 1e-6);
    EXPECT_TRUE(study::isLegal(fitted.study, optimum.settings));
}

TEST(LegalOptimum, FixedFactorsStayWhereTheyAre)
{
    const Fitted fitted = scalingStudy();
    OptimizeOptions options;
    options.fixed = {{"gpu_count", 16.0}};
    const Optimum optimum = findOptimum(fitted.study, fitted.fits, options);
    EXPECT_EQ(optimum.settings.at("gpu_count"), study::Value(16.0));
    options.fixed = {{"gpu_count", 17.0}};
    const Optimum illegal = findOptimum(fitted.study, fitted.fits, options);
    EXPECT_EQ(illegal.status, OptimumStatus::NoLegalSetting);
    EXPECT_THAT(illegal.message, testing::HasSubstr("gpu_count"));
    options.fixed = {{"gpus", 16.0}};
    EXPECT_EQ(findOptimum(fitted.study, fitted.fits, options).status, OptimumStatus::NoLegalSetting);
    options.fixed = optimum.settings;
    EXPECT_EQ(findOptimum(fitted.study, fitted.fits, options).settings, optimum.settings);
}

/// y = 1 − (a − 23/28)² − b²: the best of 8 to 64 GPUs is 59, of whole nodes of eight 56.
Fitted bestAt59()
{
    Fitted fitted = overSquare({1.0 - 529.0 / 784.0, 46.0 / 28.0, 0.0, 0.0, -1.0, -1.0});
    fitted.study.factors[0] = {.name = "gpus", .type = study::FactorType::Integer, .low = 8.0, .high = 64.0};
    fitted.fits[0].factors = fitted.study.factors;
    return fitted;
}

TEST(LegalOptimum, FillsNodesWhereTheirSizeIsKnown)
{
    Fitted fitted = bestAt59();
    const auto best = [&fitted](const OptimizeOptions& options = {}) {
        return study::numberOf(findOptimum(fitted.study, fitted.fits, options).settings.at("gpus"));
    };
    EXPECT_EQ(best(), 59.0);
    fitted.study.fixed["gpus_per_node"] = 8.0;
    const Optimum optimum = findOptimum(fitted.study, fitted.fits);
    EXPECT_EQ(optimum.settings.at("gpus"), study::Value(56.0));
    EXPECT_GT(optimum.solutions.size(), 1U);
    for (const Solution& solution : withRounded(optimum))
        EXPECT_EQ(std::fmod(study::numberOf(solution.settings.at("gpus")), 8.0), 0.0);
    OptimizeOptions held;
    held.fixed = {{"gpus", 59.0}};
    EXPECT_EQ(best(held), 59.0) << "as it was asked for";
    fitted.study.constraints = {"gpus > 56 and gpus < 64"};
    EXPECT_EQ(best(), 59.0) << "no whole nodes are left";
}

/// y = a² + b² − ½ is a time: around the center the model is below 0, which no time is.
TEST(LegalOptimum, KeepsWithinPhysicalBounds)
{
    Fitted fitted = overSquare({-0.5, 0.0, 0.0, 0.0, 1.0, 1.0});
    fitted.study.responses[0].goal = study::Goal::Minimize;
    fitted.fits[0].bounds = study::Bounds{};
    findOwnBests(fitted.study, fitted.fits);
    ASSERT_TRUE(fitted.fits[0].ownBest);
    EXPECT_EQ(fitted.fits[0].ownBest->value, 0.0);
    const Optimum optimum = findOptimum(fitted.study, fitted.fits);
    ASSERT_TRUE(optimum.isOk()) << optimum.message;
    EXPECT_EQ(optimum.responses[0].bestAlone, 0.0);
    EXPECT_EQ(optimum.overall, 1.0);
    EXPECT_EQ(optimum.solutions.front().overall, optimum.overall);
    for (const FrontPoint& point : tradeOffFront(fitted.study, fitted.fits))
        EXPECT_EQ(point.responses[0].second, 0.0);
}

TEST(LegalOptimum, SaysWhenNothingIsLegalOrAcceptable)
{
    Fitted fitted = scalingStudy();
    fitted.study.constraints = {"gpu_count * batch_per_gpu < 10"};
    EXPECT_EQ(findOptimum(fitted.study, fitted.fits).status, OptimumStatus::NoLegalSetting);
    fitted.study.constraints = {"gpus < 10"};
    const Optimum unknown = findOptimum(fitted.study, fitted.fits);
    EXPECT_EQ(unknown.status, OptimumStatus::NoLegalSetting);
    EXPECT_THAT(unknown.message, testing::HasSubstr("gpus"));
    fitted.study.constraints.clear();
    fitted.study.responses[0].low = 1e6;
    fitted.study.responses[0].high = 2e6;
    const Optimum zero = findOptimum(fitted.study, fitted.fits);
    EXPECT_EQ(zero.status, OptimumStatus::ZeroDesirability);
    EXPECT_THAT(zero.message, testing::HasSubstr("images_per_sec"));
    EXPECT_EQ(zero.settings.size(), 3U);
}

TEST(LegalOptimum, SaysWhenThereIsNoModel)
{
    Fitted fitted = scalingStudy();
    EXPECT_EQ(findOptimum(fitted.study, {}).status, OptimumStatus::NoModel);
    fitted.fits[1].status = model::FitStatus::TooFewRuns;
    fitted.fits[1].message = "10 runs are needed";
    const Optimum one = findOptimum(fitted.study, fitted.fits);
    EXPECT_TRUE(one.isOk());
    EXPECT_THAT(one.message, testing::HasSubstr("scaling_efficiency (10 runs are needed)"));
    EXPECT_EQ(one.responses.size(), 1U);
    fitted.study.responses[0].weight = 0.0;
    fitted.study.responses[1].weight = 0.0;
    EXPECT_EQ(findOptimum(fitted.study, fitted.fits).status, OptimumStatus::NoModel);
    fitted.study.factors[0].high = 32;
    EXPECT_EQ(assess(fitted.study, fitted.fits, {}).status, OptimumStatus::NoModel);
}

/// 1/y = 0.5 + 0.6 a is 0 at a = −0.83: beyond, and close to it, the model predicts nothing of use.
TEST(LegalOptimum, KeepsAwayFromThePoleOfATransform)
{
    Fitted fitted;
    fitted.study.factors.resize(1);
    fitted.study.factors[0].name = "a";
    fitted.study.factors[0].low = -1.0;
    study::Response response;
    response.name = "y";
    response.transform.kind = study::TransformKind::Inverse;
    fitted.study.responses = {response};
    fitted.fits = {polynomialFit(fitted.study, "y", {0.5, 0.6}, 0.9, 10.0)};
    fitted.fits[0].transform = response.transform;
    const Optimum optimum = findOptimum(fitted.study, fitted.fits);
    ASSERT_TRUE(optimum.isOk());
    EXPECT_GT(study::numberOf(optimum.settings.at("a")), -0.5 / 0.6);
    EXPECT_EQ(optimum.overall, 1.0);
    EXPECT_LE(optimum.responses[0].bestAlone, 1e4);
    EXPECT_GE(optimum.responses[0].sacrifice, 0.0);
}

TEST(LegalOptimum, StopsWhenAsked)
{
    const Fitted fitted = scalingStudy();
    std::stop_source source;
    source.request_stop();
    OptimizeOptions options;
    options.stop = source.get_token();
    EXPECT_EQ(findOptimum(fitted.study, fitted.fits, options).status, OptimumStatus::Stopped);
}

TEST(LegalOptimum, IsTheSameEveryTime)
{
    const Fitted fitted = scalingStudy();
    EXPECT_EQ(findOptimum(fitted.study, fitted.fits).settings,
              findOptimum(fitted.study, fitted.fits).settings);
}

// Five factors, four responses and a constraint, with results of a known formula and 2 % of noise: what is
// recommended by default agrees with the formula, and what is listed beside it is what it is called.

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

/// Every legal setting with one factor at the next of its legal values, up or down; all factors are integers.
void visitNeighbors(const study::Study& study, const study::Settings& settings,
                    const std::function<void(const study::Settings&)>& visit)
{
    for (const study::Factor& factor : study.factors) {
        const std::vector<double> legal = study::legalValues(factor, factor.low, factor.high, 5000);
        const double at = study::numberOf(settings.at(factor.name));
        const auto place = std::ranges::find(legal, at) - legal.begin();
        for (const std::ptrdiff_t other : {place - 1, place + 1}) {
            if (other < 0 || other >= std::ssize(legal))
                continue;
            study::Settings neighbor = settings;
            neighbor[factor.name] = legal[static_cast<std::size_t>(other)];
            if (study::isLegal(study, neighbor))
                visit(neighbor);
        }
    }
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
    const study::Study study = model::withChosenModels(fiveFactors());
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

/// Also along the curve of a constraint.
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
