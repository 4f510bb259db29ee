// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/process/process.h"

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

/// R 4.2, from the formulas of universal kriging with solve(): length scales 0.8 and 1.5, noise 0.02 s².
TEST(Kriging, AgreesWithR)
{
    const KrigingData data = eightRuns();
    const std::optional<Kriging> kriging = Kriging::solve(data, givenParameters());
    ASSERT_TRUE(kriging);
    EXPECT_NEAR(kriging->beta()[0], 1.921576741444, 1e-10);
    EXPECT_NEAR(kriging->beta()[1], 1.241295316125, 1e-10);
    EXPECT_NEAR(kriging->beta()[2], 0.522414490295, 1e-10);
    EXPECT_NEAR(kriging->variance(), 0.55361078217, 1e-10);
    EXPECT_NEAR(kriging->logLikelihood(), 3.98963530617, 1e-10);
    const Kriging::Value value =
        kriging->at(data, Eigen::Vector2d(0.45, 0.35), Eigen::Vector3d(1.0, 0.45, 0.35));
    EXPECT_NEAR(value.mean, 2.73302463998, 1e-10);
    EXPECT_NEAR(value.varianceFactor, 0.0593144238871, 1e-10);
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

TEST(Process, SaysWhatIsMissing)
{
    study::Study study = played([](double, double) { return 1.0; }, 0.0);
    study.runs.resize(3);
    EXPECT_EQ(fitProcess(study, "y").status, FitStatus::TooFewRuns);
    EXPECT_EQ(fitProcesses(study).size(), 1U);
}

} // namespace
} // namespace quadric::model
