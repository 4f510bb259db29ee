// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/feasibility/feasibility.h"
#include "core/model/feasibility/outcome_model.h"
#include "core/study/run_records.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace quadric::model {
namespace {

/// R 4.2: maximum of the penalized likelihood by optim(), polished by Newton steps on Firth's modified score.
TEST(FirthLogistic, AgreesWithR)
{
    Eigen::MatrixXd x(10, 3);
    x.col(0).setOnes();
    x.col(1) << -1, -0.5, 0, 0.5, 1, -1, 1, 0.2, -0.3, 0.8;
    x.col(2) << 1, -1, 0.5, -0.5, 1, -1, -1, 0.3, 0.9, -0.2;
    Eigen::VectorXd y(10);
    y << 1, 1, 1, 0, 0, 1, 0, 1, 1, 0;
    const std::optional<FirthLogistic> model = fitFirth(x, y);
    ASSERT_TRUE(model);
    EXPECT_NEAR(model->beta[0], 1.02327663553, 1e-8);
    EXPECT_NEAR(model->beta[1], -3.21981591117, 1e-8);
    EXPECT_NEAR(model->beta[2], 1.12543746219, 1e-8);
    EXPECT_NEAR(model->logLikelihood, -2.50161483079, 1e-9);
    EXPECT_NEAR(model->errorAt(Eigen::Vector3d(0, 1, 0)), 1.87737107660, 1e-7);
}

/// A 2 × 2 table is the one with ½ added to each cell (Firth 1993).
TEST(FirthLogistic, AddsHalfToEachCellOfATable)
{
    Eigen::MatrixXd x(9, 2);
    x.col(0).setOnes();
    x.col(1) << 0, 0, 0, 0, 0, 1, 1, 1, 1;
    Eigen::VectorXd y(9);
    y << 1, 1, 0, 0, 0, 1, 1, 1, 1; // 2 of 5, 4 of 4
    const std::optional<FirthLogistic> model = fitFirth(x, y);
    ASSERT_TRUE(model);
    EXPECT_NEAR(model->beta[0], std::log(2.5 / 3.5), 1e-8);
    EXPECT_NEAR(model->beta[0] + model->beta[1], std::log(4.5 / 0.5), 1e-8);
}

/// A factor that all runs have at the same value: the prior alone speaks of it, with a deviation of 1/√ridge.
TEST(FirthLogistic, ARidgeStandsInForWhatTheRunsDoNotTell)
{
    Eigen::MatrixXd x(8, 2);
    x.col(0).setOnes();
    x.col(1).setZero();
    Eigen::VectorXd y(8);
    y << 1, 1, 1, 1, 1, 0, 0, 1;
    EXPECT_FALSE(fitFirth(x, y));
    const std::optional<FirthLogistic> model = fitFirth(x, y, 0.01);
    ASSERT_TRUE(model);
    EXPECT_NEAR(model->beta[1], 0.0, 1e-9);
    EXPECT_NEAR(model->errorAt(Eigen::Vector2d(0, 1)), 10.0, 1e-6);
}

study::Run runAt(int id, double a, double b, const char* failure = nullptr)
{
    study::Run run{.id = id, .order = id, .settings = {{"a", a}, {"b", b}}};
    run.status = failure == nullptr ? study::RunStatus::Done : study::RunStatus::Failed;
    if (failure != nullptr)
        run.failure = study::Failure{failure, ""};
    return run;
}

/// Takes too long beyond a plane.
study::Study plane()
{
    study::Study study;
    study.factors = {{.name = "a", .low = -1.0, .high = 1.0}, {.name = "b", .low = -1.0, .high = 1.0}};
    study.responses = {{.name = "y"}};
    for (int i = 0; i < 30; ++i) {
        const double a = -1.0 + 2.0 * std::fmod(0.5 + i * std::sqrt(2.0), 1.0);
        const double b = -1.0 + 2.0 * std::fmod(0.5 + i * std::sqrt(3.0), 1.0);
        study.runs.push_back(runAt(i + 1, a, b, a + b > 0.6 ? "timeout" : nullptr));
    }
    return study;
}

/// The probabilities of the runs add up to the number that gave a result, of a plane steeper than can be
/// told.
TEST(Feasibility, LearnsFromOutcomesAlone)
{
    const Feasibility feasibility(plane());
    EXPECT_EQ(feasibility.method(), FeasibilityMethod::Logistic);
    EXPECT_GT(feasibility.probabilityAt(Eigen::Vector2d(-0.5, -0.5)), 0.9);
    EXPECT_LT(feasibility.probabilityAt(Eigen::Vector2d(0.95, 0.95)), 0.1);
    double sum = 0.0;
    const RunOutcomes& outcomes = feasibility.outcomes();
    for (Eigen::Index i = 0; i < outcomes.points.rows(); ++i) {
        const Eigen::VectorXd x = outcomes.points.row(i).transpose();
        const RunProbability there = logisticModel(plane(), outcomes)(x);
        sum += there.probability;
        EXPECT_LT(there.low, there.probability);
        EXPECT_GT(there.high, there.probability);
    }
    EXPECT_NEAR(sum, outcomes.countRun(), 1e-6);
}

/// Runs fail on both sides of a band, which no plane tells.
TEST(Feasibility, FollowsABentBoundary)
{
    study::Study study = plane();
    for (study::Run& run : study.runs) {
        const bool fails = std::abs(study::numberOf(run.settings.at("a"))) > 0.6;
        run = runAt(run.id, study::numberOf(run.settings.at("a")), study::numberOf(run.settings.at("b")),
                    fails ? "timeout" : nullptr);
    }
    const Feasibility feasibility(study);
    EXPECT_GT(feasibility.probabilityAt(Eigen::Vector2d(0.0, 0.3)), 0.9);
    EXPECT_LT(feasibility.probabilityAt(Eigen::Vector2d(0.95, 0.0)), 0.2);
    EXPECT_LT(feasibility.probabilityAt(Eigen::Vector2d(-0.95, 0.0)), 0.2);
}

/// Nothing is told of a factor that no run has varied, so that its other values may fail.
TEST(Feasibility, DoesNotVouchForWhatWasNotVaried)
{
    study::Study study = plane();
    for (study::Run& run : study.runs)
        run.settings["b"] = 0.0;
    const Feasibility feasibility(study);
    EXPECT_GT(feasibility.at(Eigen::Vector2d(-0.9, 0.0)).low, 0.2);
    EXPECT_LT(feasibility.at(Eigen::Vector2d(-0.9, 1.0)).low, 0.01);
}

TEST(Feasibility, CountsOnlyFailuresThatRepeat)
{
    study::Study study = plane();
    for (study::Run& run : study.runs) {
        if (run.failure)
            run.failure->kind = run.id % 2 == 0 ? "rank-lost" : "cancelled";
    }
    EXPECT_FALSE(Feasibility(study).hasFailures());
    EXPECT_EQ(feasibilityOf(study), nullptr);
    for (const char* kind : {"out-of-memory", "timeout", "crash", "bad-output"})
        EXPECT_TRUE(study::isFailureOfSettings(runAt(1, 0, 0, kind))) << kind;
    for (const char* kind :
         {"rank-lost", "cancelled", "node-lost", "preempted", "setup-failed", "device-lost"})
        EXPECT_FALSE(study::isFailureOfSettings(runAt(1, 0, 0, kind))) << kind;
}

TEST(Feasibility, KnowsTheSettingsThatFailed)
{
    study::Study study = plane();
    study.runs.push_back(runAt(31, 0.125, 0.25, "crash"));
    study.runs.push_back(runAt(32, 0.125, 0.25, "crash"));
    study.runs.back().kind = study::RunKind::Confirmation;
    const auto feasibility = feasibilityOf(study);
    ASSERT_NE(feasibility, nullptr);
    EXPECT_EQ(feasibilityOf(study), feasibility) << "computed once";
    const Eigen::Vector2d there(0.125, 0.25);
    EXPECT_TRUE(feasibility->isKnownToFail(there));
    EXPECT_EQ(feasibility->probabilityAt(there), 0.0);
    EXPECT_EQ(feasibility->failedRunsAt(there), (std::vector<int>{31, 32}));
    EXPECT_EQ(feasibility->outcomes().causes.at("crash"), 2);
    study.runs.push_back(runAt(33, 0.125, 0.25));
    EXPECT_FALSE(feasibilityOf(study)->isKnownToFail(there));
}

/// log memory is additive in log batch; the runs that worked tell where the limit lies.
TEST(Feasibility, LearnsFromThePeakMemoryOfRunsThatWorked)
{
    study::Study study;
    study.factors = {{.name = "a", .low = 16, .high = 1024, .scale = study::Scale::Log2},
                     {.name = "b", .low = 1, .high = 16, .scale = study::Scale::Log2}};
    study.responses = {{.name = "y"}};
    for (int i = 0; i < 16; ++i) {
        const double a = 16.0 * std::pow(2.0, 6.0 * std::fmod(0.5 + i * std::sqrt(2.0), 1.0));
        const double b = std::pow(2.0, 4.0 * std::fmod(0.5 + i * std::sqrt(3.0), 1.0));
        const double memory = 2.0 * a * std::sqrt(b) * (i % 2 == 0 ? 1.01 : 0.99);
        study.runs.push_back(runAt(i + 1, a, b, memory > 2000.0 ? "out-of-memory" : nullptr));
        if (memory <= 2000.0)
            study.runs.back().results["memory_peak_mib"] = memory;
    }
    study.benchmark.memoryMib = 2000.0;
    const Feasibility feasibility(study);
    EXPECT_EQ(feasibility.method(), FeasibilityMethod::Memory);
    const study::Coding coding(study.factors);
    const auto at = [&](double a, double b) {
        return feasibility.probabilityAt(coding.toCoded({{"a", a}, {"b", b}}).x);
    };
    EXPECT_GT(at(400, 4), 0.95); // 1600 MiB
    EXPECT_LT(at(640, 4), 0.07); // 2560 MiB; that the limit is another one is not ruled out
}

/// Twenty settings of batch, image size and GPUs; a rank needs batch × size² and has 2 × 10⁶ of it.
study::Study studyOfRanks(bool tellsEstimate)
{
    study::Study study;
    study.factors = {{.name = "batch", .low = 16, .high = 512, .scale = study::Scale::Log2},
                     {.name = "size", .low = 32, .high = 256, .scale = study::Scale::Log2},
                     {.name = "gpus", .type = study::FactorType::Integer, .low = 1, .high = 16}};
    study.responses = {{.name = "y"}};
    for (int i = 0; i < 20; ++i) {
        const double batch = 16.0 * std::pow(2.0, 5.0 * std::fmod(0.5 + i * std::sqrt(2.0), 1.0));
        const double size = 32.0 + 224.0 * std::fmod(0.5 + i * std::sqrt(3.0), 1.0);
        const double gpus = 1.0 + std::floor(16.0 * std::fmod(0.5 + i * std::sqrt(5.0), 1.0));
        const double needed = batch * size * size;
        const bool fails = needed > 2e6;
        study::Run run;
        run.id = run.order = i + 1;
        run.settings = {{"batch", batch}, {"size", size}, {"gpus", gpus}};
        run.status = fails ? study::RunStatus::Failed : study::RunStatus::Done;
        if (fails)
            run.failure = study::Failure{"out-of-memory", ""};
        else
            run.results["y"] = i;
        if (tellsEstimate) // three quarters of what is needed
            run.provenance.memoryEstimateMib = 0.75 * needed * gpus;
        else if (!fails)
            run.results["memory_peak_mib"] = needed * gpus;
        study.runs.push_back(run);
    }
    return study;
}

/// Each GPU has a limit of its own: the sum over the ranks says little of it.
TEST(Feasibility, DividesMemoryByTheRanks)
{
    const Feasibility peaks(studyOfRanks(false));
    EXPECT_EQ(peaks.method(), FeasibilityMethod::Memory);
    const Feasibility estimates(studyOfRanks(true));
    EXPECT_EQ(estimates.method(), FeasibilityMethod::Memory);
    const study::Coding coding(studyOfRanks(true).factors);
    for (const Feasibility* feasibility : {&peaks, &estimates}) {
        for (const double gpus : {1.0, 6.0, 16.0}) {
            for (const double size : {96.0, 128.0, 224.0}) {
                const auto at = [&](double needed) {
                    const study::Settings settings{
                        {"batch", needed / size / size}, {"size", size}, {"gpus", gpus}};
                    return feasibility->probabilityAt(coding.toCoded(settings).x);
                };
                EXPECT_GT(at(1.2e6), 0.9) << size << ' ' << gpus;
                EXPECT_LT(at(4e6), 0.1) << size << ' ' << gpus;
            }
        }
    }
}

/// Only where out of memory is how runs fail, and where enough of them tell it: an estimate that runs which
/// failed do not tell is none.
TEST(Feasibility, FollowsMemoryOnlyWhereItTells)
{
    study::Study study = studyOfRanks(true);
    const auto failed = std::ranges::find(study.runs, study::RunStatus::Failed, &study::Run::status);
    ASSERT_NE(failed, study.runs.end());
    failed->failure->kind = "crash";
    EXPECT_EQ(Feasibility(study).method(), FeasibilityMethod::Logistic);
    study = studyOfRanks(true);
    for (study::Run& run : study.runs) {
        if (run.status == study::RunStatus::Failed)
            run.provenance.memoryEstimateMib.reset();
    }
    EXPECT_EQ(Feasibility(study).method(), FeasibilityMethod::Logistic);
}

/// What is computed once is computed again when an estimate comes.
TEST(Feasibility, NoticesAnEstimate)
{
    study::Study study = studyOfRanks(false);
    for (study::Run& run : study.runs)
        run.results.erase("memory_peak_mib");
    EXPECT_EQ(feasibilityOf(study)->method(), FeasibilityMethod::Logistic);
    EXPECT_EQ(feasibilityOf(studyOfRanks(true))->method(), FeasibilityMethod::Memory);
}

/// One failure says little of the limit: what the study sets counts, unless runs have needed more.
TEST(Feasibility, BelievesTheLimitOfTheStudyUnlessRunsSpeakAgainstIt)
{
    study::Study study;
    study.factors = {{.name = "a", .low = 1, .high = 64, .scale = study::Scale::Log2},
                     {.name = "b", .low = 1, .high = 4, .scale = study::Scale::Log2}};
    study.responses = {{.name = "y"}};
    int id = 0;
    for (const double a : {1.0, 2.0, 4.0, 8.0}) {
        for (const double b : {1.0, 4.0}) {
            study.runs.push_back(runAt(++id, a, b));
            study.runs.back().results["memory_peak_mib"] = 100.0 * a * (id % 3 == 0 ? 1.01 : 0.99);
        }
    }
    study.runs.push_back(runAt(++id, 64.0, 2.0, "out-of-memory")); // 6400 MiB
    const study::Coding coding(study.factors);
    const Eigen::VectorXd x = coding.toCoded({{"a", 16.0}, {"b", 2.0}}).x; // 1600 MiB
    const double unknown = Feasibility(study).probabilityAt(x);
    EXPECT_GT(unknown, 0.3);
    EXPECT_LT(unknown, 0.9);
    study.benchmark.memoryMib = 3000.0;
    EXPECT_GT(Feasibility(study).probabilityAt(x), unknown + 0.1);
    study.benchmark.memoryMib = 400.0; // 800 MiB have run
    EXPECT_NEAR(Feasibility(study).probabilityAt(x), unknown, 0.05);
}

study::Run ended(int id, double a, double b, double c, bool hasFailed)
{
    study::Run run{.id = id, .order = id, .settings = {{"a", a}, {"b", b}, {"c", c}}};
    run.status = hasFailed ? study::RunStatus::Failed : study::RunStatus::Done;
    if (hasFailed)
        run.failure = study::Failure{"out-of-memory", ""};
    return run;
}

/// Runs fail where a is above 6 of 0 … 10; b, from 1 to 16 on a log scale, and c do not matter.
study::Study falling()
{
    study::Study study;
    study.factors = {{.name = "a", .low = 0.0, .high = 10.0},
                     {.name = "b", .low = 1.0, .high = 16.0, .scale = study::Scale::Log2},
                     {.name = "c", .low = -1.0, .high = 1.0}};
    study.responses = {{.name = "y"}};
    int id = 0;
    for (const double a : {0.0, 2.0, 4.0, 5.5, 6.5, 8.0, 10.0}) {
        for (const double b : {1.0, 4.0, 16.0}) {
            ++id;
            study.runs.push_back(ended(id, a, b, id % 2 == 0 ? 1.0 : -1.0, a > 6.0));
        }
    }
    return study;
}

TEST(RunningMap, LineCrossesAnEvenChanceWhereRunsBeginToFail)
{
    const study::Study study = falling();
    const study::CodedPoint center = study::Coding(study.factors).center();
    std::vector<double> places;
    for (int i = 0; i <= 40; ++i)
        places.push_back(0.25 * i);
    const study::FeasibleLine line = runningLine(study, {0, places}, center);
    ASSERT_EQ(line.value.size(), places.size());
    EXPECT_EQ(line.level, 0.5);
    const std::vector<study::Range> failing = study::infeasibleRanges(study.factors[0], places, line);
    ASSERT_EQ(failing.size(), 1U);
    EXPECT_NEAR(failing[0].low, 6.0, 0.5) << "between 5.5, which ran, and 6.5, which failed";
    EXPECT_EQ(failing[0].high, 10.0);
}

TEST(RunningMap, NodesAreTheProbabilitiesOfTheirSettings)
{
    const study::Study study = falling();
    const study::Coding coding(study.factors);
    const study::FeasibleGrid grid =
        runningGrid(study, {1, {1.0, 4.0, 16.0}}, {0, {3.0, 7.0}}, coding.center());
    ASSERT_EQ(grid.value.rows(), 3);
    ASSERT_EQ(grid.value.cols(), 2);
    const auto at = coding.toCoded({{"a", 7.0}, {"b", 4.0}, {"c", 0.0}});
    EXPECT_EQ(grid.value(1, 1), feasibilityOf(study)->probabilityAt(at.x));
    EXPECT_TRUE(grid.isFeasible(1, 0));
    EXPECT_FALSE(grid.isFeasible(1, 1));
}

TEST(RunningMap, OnlyFailuresOfTheSliceAreOnTheMap)
{
    study::Study study = falling();
    study.runs.push_back(ended(50, 9.0, 2.0, 0.0, true));
    study.runs.push_back(ended(51, 9.0, 2.0, 0.5, true));
    study.runs.push_back(ended(52, 9.0, 2.0, 0.0, true));
    study.runs.back().failure->kind = "cancelled";
    SurfaceGrid grid;
    grid.x = {0.0, 10.0};
    grid.y = {1.0, 16.0};
    const MarkedSurface surface = marked(grid, study, 0, 1, study::Coding(study.factors).center());
    ASSERT_EQ(surface.failed.size(), 1U);
    EXPECT_EQ(surface.failed[0].run, 50);
    EXPECT_NEAR(surface.failed[0].x, 9.0, 1e-9);
    EXPECT_NEAR(surface.failed[0].y, 2.0, 1e-9);
    EXPECT_EQ(surface.failed[0].cause, "out-of-memory");
    EXPECT_FALSE(surface.running.isEmpty());
}

TEST(RunningMap, WithoutFailuresNothingIsMarked)
{
    study::Study study = falling();
    std::erase_if(study.runs, [](const study::Run& run) { return run.status == study::RunStatus::Failed; });
    const study::CodedPoint center = study::Coding(study.factors).center();
    EXPECT_TRUE(runningGrid(study, {0, {0.0, 10.0}}, {1, {1.0, 16.0}}, center).isEmpty());
    EXPECT_TRUE(runningLine(study, {0, {0.0, 10.0}}, center).value.empty());
    EXPECT_TRUE(failedPoints(study, 0, 1, center).empty());
}

} // namespace
} // namespace quadric::model
