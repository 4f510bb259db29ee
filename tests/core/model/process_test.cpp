// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/process/process.h"

#include "core/model/fit/regression.h"

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

/// Root mean square of what new runs inside the region differ by, `noise` in their unit.
template <class Function, class Predicted>
double errorOf(Function truth, double noise, const Predicted& predicted)
{
    double squares = 0.0;
    constexpr int kPoints = 40;
    for (int i = 0; i < kPoints; ++i) {
        const double a = -1.0 + 2.0 * std::fmod(0.1 + i * 0.7548776662, 1.0);
        const double b = -1.0 + 2.0 * std::fmod(0.3 + i * 0.5698402910, 1.0);
        squares += std::pow(predicted(study::CodedPoint(Eigen::Vector2d(a, b))) - truth(a, b), 2) / kPoints;
    }
    return std::hypot(std::sqrt(squares), noise);
}

/// Error of the process over that of a quadratic.
template <class Function> double compareWithAQuadratic(Function truth, double noise)
{
    const study::Study study = played(truth, noise);
    const Process process = fitProcess(study, "y");
    const Fit fit = fitResponse(study, "y");
    EXPECT_TRUE(process.isOk()) << process.message;
    const auto byProcess = [&](const study::CodedPoint& at) { return process.predictMean(at); };
    const auto byQuadratic = [&](const study::CodedPoint& at) { return predictMean(fit, at); };
    return errorOf(truth, noise, byProcess) / errorOf(truth, noise, byQuadratic);
}

/// Where the surface bends more than a quadratic can, the process predicts better; where it is a quadratic,
/// not notably worse.
TEST(Process, BendsWhereAPolynomialCannot)
{
    EXPECT_LT(
        compareWithAQuadratic([](double a, double b) { return 10.0 + 3.0 * std::tanh(5.0 * a) + b; }, 0.1),
        0.6);
    EXPECT_LT(compareWithAQuadratic([](double a, double b) { return 10.0 + 3.0 * a - 2.0 * a * a + b; }, 0.3),
              1.2);
}

TEST(Process, PredictsInTheUnitOfATransformedResponse)
{
    study::Study study = played([](double a, double b) { return std::exp(2.0 + 0.5 * a + 0.2 * b); }, 0.0);
    study.responses[0].transform.kind = study::TransformKind::Log;
    const Process process = fitProcess(study, "y");
    ASSERT_TRUE(process.isOk()) << process.message;
    const study::CodedPoint there(Eigen::Vector2d(0.3, -0.4));
    EXPECT_NEAR(process.predictMean(there), std::exp(2.0 + 0.15 - 0.08), 0.02);
    EXPECT_LT(process.predictNewRun(there).low, process.predictMean(there));
    EXPECT_GT(process.predictNewRun(there).high, process.predictMean(there));
}

/// One more run as predicted: same means, less uncertainty there.
TEST(Process, RunAsPredictedOnlyMakesSurer)
{
    const Process process = fitProcess(played([](double a, double b) { return 3.0 * a * b; }, 0.3), "y");
    const Eigen::Vector2d x(0.9, 0.9);
    const Process more = process.withRun(x);
    EXPECT_NEAR(more.meanAt(x), process.meanAt(x), 1e-9);
    EXPECT_LT(more.surfaceAt(x).deviation, process.surfaceAt(x).deviation);
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
            const Interval interval = process.predictNewRun(study::CodedPoint(Eigen::Vector2d(a, b)));
            inside += y >= interval.low && y <= interval.high ? 1 : 0;
            ++all;
        }
    }
    const double covered = static_cast<double>(inside) / all;
    EXPECT_GT(covered, 0.93);
    EXPECT_LT(covered, 0.98);
}

TEST(Process, SaysWhatIsMissing)
{
    study::Study study = played([](double, double) { return 1.0; }, 0.0);
    study.runs.resize(3);
    EXPECT_EQ(fitProcess(study, "y").status, FitStatus::TooFewRuns);
    EXPECT_EQ(fitProcesses(study).size(), 1U);
}

} // namespace
} // namespace quadric::model
