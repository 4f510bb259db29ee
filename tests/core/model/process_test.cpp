// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/process/process.h"
#include "core/model/process/process_choice.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace quadric::model {
namespace {

study::Factor numeric(const char* name)
{
    return {.name = name, .low = -1.0, .high = 1.0};
}

KrigingData eightRuns()
{
    KrigingData data{Correlation({numeric("a"), numeric("b")})};
    data.points.resize(8, 2);
    data.points << -1, 0.5, -0.4, -1, 0.1, 0.2, 0.6, 0.9, 1, -0.6, -0.7, 0, 0.3, -0.2, 0.3, -0.2;
    data.trend.resize(8, 3);
    data.trend << Eigen::VectorXd::Ones(8), data.points;
    data.values.resize(8);
    data.values << 1.2, 0.4, 2.1, 2.9, 3.3, 0.9, 2.4, 2.6;
    return data;
}

Eigen::VectorXd givenParameters()
{
    return Eigen::Vector3d(std::log(0.8), std::log(1.5), std::log(0.02));
}

/// R 4.2, from the formulas of universal kriging with solve(): product of Matérn 5/2 with length scales 0.8
/// and 1.5, noise 0.02 s².
TEST(Kriging, AgreesWithR)
{
    const KrigingData data = eightRuns();
    const std::optional<Kriging> kriging = Kriging::solve(data, givenParameters());
    ASSERT_TRUE(kriging);
    EXPECT_NEAR(kriging->beta()[0], 1.912319989034, 1e-10);
    EXPECT_NEAR(kriging->beta()[1], 1.223310901807, 1e-10);
    EXPECT_NEAR(kriging->beta()[2], 0.505555929676, 1e-10);
    EXPECT_NEAR(kriging->variance(), 0.548602424247, 1e-10);
    EXPECT_NEAR(kriging->logLikelihood(), 3.972888206654, 1e-10);
    const Kriging::Value value =
        kriging->at(data, Eigen::Vector2d(0.45, 0.35), Eigen::Vector3d(1.0, 0.45, 0.35));
    EXPECT_NEAR(value.mean, 2.738041406247, 1e-10);
    EXPECT_NEAR(value.varianceFactor, 0.055192153761, 1e-10);
}

/// The closed form against fits without the runs of each setting (the last two are one), same parameters.
TEST(Kriging, LeavesSettingsOutLikeRefits)
{
    const KrigingData data = eightRuns();
    const Kriging kriging = *Kriging::solve(data, givenParameters());
    const LeftOut left = leaveOutGroups(data, kriging, {0, 1, 2, 3, 4, 5, 6, 6});
    for (Eigen::Index i = 0; i < 8; ++i) {
        std::vector<Eigen::Index> others;
        for (Eigen::Index j = 0; j < 8; ++j) {
            if (j != i && !(i >= 6 && j >= 6))
                others.push_back(j);
        }
        const KrigingData rest{data.correlation, data.points(others, Eigen::all),
                               data.trend(others, Eigen::all), data.values(others)};
        const Kriging refit = *Kriging::solve(rest, givenParameters());
        const Kriging::Value value =
            refit.at(rest, data.points.row(i).transpose(), data.trend.row(i).transpose());
        EXPECT_NEAR(left.residuals[i], data.values[i] - value.mean, 1e-9) << i;
        EXPECT_NEAR(left.deviations[i], std::sqrt(kriging.variance() * (value.varianceFactor + 0.02)), 1e-9)
            << i;
    }
}

TEST(Correlation, SlopesAreThoseOfDifferences)
{
    const Correlation correlation(
        {numeric("a"),
         numeric("b"),
         {.name = "c", .type = study::FactorType::Categorical, .categories = {"x", "y"}}});
    Eigen::MatrixXd points(3, 3);
    points << -1, 0.5, 0, 0.3, -0.2, 1, 0.8, 0.9, 0;
    const Eigen::Vector3d at(0.2, -0.3, 0.7);
    Eigen::Matrix3d weights;
    weights << 1, 0.4, -0.7, 0.4, 2, 0.9, -0.7, 0.9, 0.5;
    const Eigen::VectorXd slopes = correlation.slopes(points, at, weights);
    for (Eigen::Index i = 0; i < 3; ++i) {
        Eigen::Vector3d above = at, below = at;
        above[i] += 1e-5;
        below[i] -= 1e-5;
        const double difference = (correlation.matrix(points, above) - correlation.matrix(points, below))
                                      .cwiseProduct(weights)
                                      .sum() /
                                  2e-5;
        EXPECT_NEAR(slopes[i], difference, 1e-7) << i;
    }
}

/// 27 runs of y = f(a, b), `noise` in its unit.
template <class Function> study::Study played(Function f, double noise)
{
    study::Study study;
    study.factors = {numeric("a"), numeric("b")};
    study.responses = {{.name = "y"}};
    std::mt19937_64 random(3);
    std::normal_distribution<double> normal;
    for (int i = 0; i < 27; ++i) {
        const double a = -1.0 + 2.0 * std::fmod(0.5 + i * std::sqrt(2.0), 1.0);
        const double b = -1.0 + 2.0 * std::fmod(0.5 + i * std::sqrt(3.0), 1.0);
        study::Run run{
            .id = i + 1, .order = i + 1, .settings = {{"a", a}, {"b", b}}, .status = study::RunStatus::Done};
        run.results["y"] = f(a, b) + noise * normal(random);
        study.runs.push_back(run);
    }
    return study;
}

/// Where the surface bends more than a quadratic can, the process predicts settings left out better; where it
/// is a quadratic, not notably worse.
TEST(Process, IsComparedWithThePolynomialAtSettingsLeftOut)
{
    const study::Study bent =
        played([](double a, double b) { return 10.0 + 3.0 * std::tanh(5.0 * a) + b; }, 0.1);
    const Process process = fitProcess(bent, "y");
    ASSERT_TRUE(process.isOk()) << process.message;
    const auto polynomial = leaveSettingOut(fitResponse(bent, "y"));
    ASSERT_TRUE(polynomial);
    EXPECT_LT(process.leftOut.error, 0.6 * polynomial->error);
    EXPECT_EQ(polynomial->settings, 27);

    const study::Study quadratic =
        played([](double a, double b) { return 10.0 + 3.0 * a - 2.0 * a * a + b; }, 0.3);
    EXPECT_LT(fitProcess(quadratic, "y").leftOut.error,
              1.2 * leaveSettingOut(fitResponse(quadratic, "y"))->error);
}

/// PRESS of the fit is the same sum where every setting has one run.
TEST(Process, LeaveSettingOutOfAPolynomialIsPress)
{
    const study::Study study = played([](double a, double b) { return 10.0 + 3.0 * a + b; }, 0.3);
    const Fit fit = fitResponse(study, "y");
    EXPECT_NEAR(std::pow(leaveSettingOut(fit)->error, 2) * 27.0, *fit.press, 1e-9);
}

TEST(Process, PredictsInTheUnitOfATransformedResponse)
{
    study::Study study = played([](double a, double b) { return std::exp(2.0 + 0.5 * a + 0.2 * b); }, 0.0);
    study.responses[0].transform.kind = study::TransformKind::Log;
    const Process process = fitProcess(study, "y");
    ASSERT_TRUE(process.isOk()) << process.message;
    const Prediction there = process.predict(study::CodedPoint(Eigen::Vector2d(0.3, -0.4)));
    EXPECT_NEAR(there.mean, std::exp(2.0 + 0.15 - 0.08), 0.02);
    EXPECT_TRUE(there.isMedian);
    EXPECT_LT(there.prediction->low, there.mean);
    EXPECT_GT(there.prediction->high, there.mean);
}

/// One more run as predicted: same means, less uncertainty there.
TEST(Process, RunAsPredictedOnlyMakesSurer)
{
    const Process process = fitProcess(played([](double a, double b) { return 3.0 * a * b; }, 0.3), "y");
    const Eigen::Vector2d x(0.9, 0.9);
    const Process more = process.withRun(x);
    EXPECT_NEAR(more.meanAt(x), process.meanAt(x), 1e-9);
    EXPECT_LT(more.deviationAt(x), process.deviationAt(x));
}

/// A rate that is a product of effects is predicted on the logarithmic scale, also where nobody asked for it;
/// a transform that was chosen stays.
TEST(Process, ChoosesTheLogarithmForProducts)
{
    study::Study study = played([](double a, double b) { return std::exp(4.0 + 1.5 * a - b); }, 0.3);
    EXPECT_EQ(fitProcess(study, "y").transform.kind, study::TransformKind::Log);
    study.responses[0].transform.kind = study::TransformKind::Sqrt;
    EXPECT_EQ(fitProcess(study, "y").transform.kind, study::TransformKind::Sqrt);
    EXPECT_EQ(fitProcess(played([](double a, double b) { return a + b; }, 0.1), "y").transform.kind,
              study::TransformKind::None)
        << "values below 0 have no logarithm";
}

/// 95 % intervals for new runs on surfaces of another kind than the process assumes (waves of random
/// direction), 60 studies of 27 runs.
TEST(Process, IntervalsCoverNewRuns)
{
    std::mt19937_64 random(17);
    std::normal_distribution<double> normal;
    int inside = 0, all = 0;
    for (int surface = 0; surface < 60; ++surface) {
        const double u = normal(random), v = normal(random), w = 3.0 * normal(random);
        const auto truth = [=](double a, double b) {
            return 20.0 + 3.0 * std::sin(u * a + v * b + w) + 2.0 * v * a - u * b;
        };
        study::Study study = played(truth, 0.0);
        for (study::Run& run : study.runs)
            run.results["y"] += 0.3 * normal(random);
        const Process process = fitProcess(study, "y");
        ASSERT_TRUE(process.isOk()) << process.message;
        for (int i = 0; i < 40; ++i) {
            const double a = -1.0 + 2.0 * std::fmod(0.1 + i * 0.7548776662, 1.0);
            const double b = -1.0 + 2.0 * std::fmod(0.3 + i * 0.5698402910, 1.0);
            const double y = truth(a, b) + 0.3 * normal(random);
            const Interval interval = *process.predict(study::CodedPoint(Eigen::Vector2d(a, b))).prediction;
            inside += y >= interval.low && y <= interval.high ? 1 : 0;
            ++all;
        }
    }
    const double covered = static_cast<double>(inside) / all;
    EXPECT_GT(covered, 0.93);
    EXPECT_LT(covered, 0.98);
}

TEST(ModelChoice, TakesTheSmallerErrorAtSettingsLeftOut)
{
    const study::Study bent =
        played([](double a, double b) { return 10.0 + 3.0 * std::tanh(5.0 * a) + b; }, 0.1);
    const std::vector<ModelErrors> errors = compareErrors(fitStudy(bent), fitProcesses(bent));
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_TRUE(isProcessBetter(errors));
    EXPECT_EQ(errors.front().polynomial.error, leaveSettingOut(fitResponse(bent, "y"))->error);
    EXPECT_FALSE(isProcessBetter({})) << "nothing to compare";
    EXPECT_TRUE(isProcessBetterThanByChance(bent, fitResponse(bent, "y"), fitProcess(bent, "y")));
}

/// Three levels of two factors; the truth is a quadratic.
study::Study nineRuns()
{
    std::mt19937_64 random(7);
    std::normal_distribution<double> normal;
    study::Study study;
    study.factors = {{.name = "a", .low = -1.0, .high = 1.0}, {.name = "b", .low = -1.0, .high = 1.0}};
    study.responses = {{.name = "y"}};
    for (const double a : {-1.0, 0.0, 1.0}) {
        for (const double b : {-1.0, 0.0, 1.0}) {
            study::Run run{.id = static_cast<int>(study.runs.size()) + 1,
                           .settings = {{"a", a}, {"b", b}},
                           .status = study::RunStatus::Done};
            run.order = run.id;
            run.results["y"] = 50.0 + 1.5 * a - b + 0.3 * a * a + 0.8 * normal(random);
            study.runs.push_back(std::move(run));
        }
    }
    return study;
}

/// A quadratic hardly knows a corner that its few runs leave out.
TEST(ModelChoice, DoesNotAccuseAQuadraticOfItsFewRuns)
{
    const study::Study study = nineRuns();
    const Fit fit = fitResponse(study, "y");
    const Process process = fitProcess(study, "y");
    const std::vector<ModelErrors> errors = compareErrors({fit}, {process});
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_LT(errors.front().process.error, 0.66 * errors.front().polynomial.error) << "by the errors alone";
    EXPECT_FALSE(isProcessBetterThanByChance(study, fit, process));
    EXPECT_FALSE(isProcessAdvised(study, fit, process));
}

/// What follow-ups around the best setting make of a polynomial is simulated in tests/benchmarks/next_runs.
TEST(ModelChoice, AdvisesTheProcessAfterFiveFollowUps)
{
    study::Study study = nineRuns();
    const auto isAdvised = [&](const char* model) {
        return isProcessAdvised(study, fitResponse(study, "y", {.model = model}), fitProcess(study, "y"));
    };
    for (std::size_t i = 0; i < 4; ++i)
        study.runs[i].kind = study::RunKind::Augment;
    EXPECT_FALSE(isAdvised("quadratic"));
    study.runs[4].kind = study::RunKind::Augment;
    EXPECT_TRUE(isAdvised("quadratic"));
    EXPECT_FALSE(isAdvised("linear")) << "its error is no third larger";
    for (const std::size_t i : {4U, 7U, 8U})
        study.runs[i].status = study::RunStatus::Failed;
    ASSERT_FALSE(leaveSettingOut(fitResponse(study, "y")));
    EXPECT_FALSE(isAdvised("quadratic")) << "four follow-ups with a result";
    study.runs[5].kind = study::RunKind::Augment;
    EXPECT_TRUE(isAdvised("quadratic")) << "nothing to compare with";
}

TEST(Process, SaysWhatIsMissing)
{
    study::Study study = played([](double, double) { return 1.0; }, 0.0);
    study.runs.resize(3);
    EXPECT_EQ(fitProcess(study, "y").status, FitStatus::TooFewRuns);
    EXPECT_EQ(fitProcesses(study).size(), 1U);
}

/// A wave over a, which no quadratic can follow, with a slope along b.
study::Study wave()
{
    study::Study study;
    study.factors = {{.name = "a", .low = 0.0, .high = 10.0},
                     {.name = "b", .low = 1.0, .high = 16.0, .scale = study::Scale::Log2}};
    study.responses = {{.name = "y", .unit = "s"}};
    int id = 0;
    for (int i = 0; i <= 10; ++i) {
        for (const double b : {1.0, 4.0, 16.0}) {
            ++id;
            study::Run run{.id = id, .order = id, .settings = {{"a", 1.0 * i}, {"b", b}}};
            run.status = study::RunStatus::Done;
            run.results["y"] = 10.0 + 3.0 * std::sin(i) + std::log2(b) + 0.01 * std::sin(7.0 * id);
            study.runs.push_back(std::move(run));
        }
    }
    return study;
}

TEST(ShownProcess, SurfaceFollowsAWave)
{
    const study::Study study = wave();
    const auto process = fitProcessCached(study, "y");
    ASSERT_TRUE(process->isOk()) << process->message;
    const study::CodedPoint center = study::Coding(study.factors).center();
    const SurfaceGrid grid = surfaceGrid(fitOf(process, study), study, 0, 1, center, 21);
    ASSERT_EQ(grid.z.rows(), 21);
    EXPECT_EQ(grid.xName, "a");
    EXPECT_TRUE(grid.yIsLog2);
    EXPECT_EQ(grid.observed.size(), study.runs.size());
    for (Eigen::Index i = 0; i < 21; ++i) {
        const double a = grid.x[static_cast<std::size_t>(i)];
        EXPECT_NEAR(grid.z(i, 10), 10.0 + 3.0 * std::sin(a) + 2.0, 0.35) << a;
        EXPECT_LE(grid.low(i, 10), grid.z(i, 10));
        EXPECT_GE(grid.high(i, 10), grid.z(i, 10));
    }
}

TEST(ShownProcess, CurveIsTheSurfaceAlongOneFactor)
{
    const study::Study study = wave();
    const auto process = fitProcessCached(study, "y");
    const study::CodedPoint center = study::Coding(study.factors).center();
    const SurfaceGrid grid = surfaceGrid(fitOf(process, study), study, 0, 1, center, 5);
    const EffectCurve curve = effectCurve(fitOf(process, study), 0, center, 5);
    ASSERT_EQ(curve.mean.size(), 5U);
    EXPECT_EQ(curve.actual, grid.x);
    for (std::size_t i = 0; i < 5; ++i)
        EXPECT_EQ(curve.mean[i], grid.z(static_cast<Eigen::Index>(i), 2));
}

TEST(ShownProcess, IsTheStudysChoiceAndComputedOnce)
{
    const study::Study study = wave();
    EXPECT_EQ(shownProcess(study, "y"), nullptr);
    const study::Study chosen = withProcessShown(study, "y", true);
    EXPECT_TRUE(isProcessShown(chosen, "y"));
    EXPECT_EQ(shownProcess(chosen, "y"), fitProcessCached(study, "y")) << "views do not matter";
    EXPECT_EQ(withProcessShown(chosen, "y", false), study);
    const std::vector<Fit> fits = shownFits(chosen, fitStudy(chosen));
    ASSERT_EQ(fits.size(), 1U);
    EXPECT_EQ(fits.front().predictor, fitProcessCached(study, "y"));
    EXPECT_EQ(shownFits(study, fitStudy(study)).front().predictor, nullptr);
    study::Study fewer = chosen;
    fewer.runs.resize(2);
    EXPECT_EQ(shownProcess(fewer, "y"), nullptr) << "not usable";
}

} // namespace
} // namespace quadric::model
