// SPDX-License-Identifier: GPL-3.0-or-later
// The one verdict on a fit: its rule, and that it never contradicts what else is said of the fit.
#include "core/model/fit/diagnostics.h"
#include "core/model/predict/predict.h"
#include "core/model/select/fit_checks.h"
#include "core/optimize/answer/find_optimum.h"
#include "core/report/findings/advice.h"
#include "core/report/findings/fit_findings.h"
#include "core/report/findings/reading.h"
#include "core/study/document/document.h"
#include "oracle_study.h"
#include "tests/support/test_paths.h"
#include "verdict_studies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>

namespace quadric::report {
namespace {

using namespace model::test;
using model::Fit;
using model::fitResponse;
using testing::HasSubstr;

/// A fit that predicts new runs well, with five degrees of freedom of pure error.
Fit goodFit()
{
    Fit fit;
    fit.status = model::FitStatus::Ok;
    fit.response = "y";
    fit.n = 20;
    fit.parameters = 10;
    fit.dfResidual = 10;
    fit.sigma = 1.0;
    fit.r2 = 0.98;
    fit.r2Predicted = 0.95;
    fit.anova = {{"Model", 9, 90, 10, 10, 0.001, {}},
                 {"Lack of fit", 5, 5, 1, 1, 0.5, {}},
                 {"Pure error", 5, 5, 1, {}, {}, {}}};
    return fit;
}

void expectVerdict(const Fit& fit, std::string_view name, std::string_view code)
{
    const Verdict verdict = judgeFit(fit);
    EXPECT_EQ(nameOf(verdict), name) << verdict.sentence;
    EXPECT_EQ(verdict.reason.code, code) << verdict.sentence;
}

} // namespace

TEST(Verdict, predictionDecides)
{
    Fit fit = goodFit();
    expectVerdict(fit, "good", "prediction");
    EXPECT_EQ(judgeFit(fit).sentence,
              "Good model. Predicted R² = 0.950 (leave-one-out): new runs are predicted well.");
    fit.r2 = 0.85;
    fit.r2Predicted = 0.7;
    expectVerdict(fit, "fair", "fair-prediction");
    fit.r2 = 0.55;
    fit.r2Predicted = 0.49;
    expectVerdict(fit, "poor", "low-predicted-r2");
    fit.r2Predicted = -680764.8;
    expectVerdict(fit, "poor", "poor-prediction");
    EXPECT_THAT(judgeFit(fit).sentence, testing::Not(HasSubstr("680"))); // a number without a meaning
    fit.n = 15; // two thirds of the runs are coefficients
    expectVerdict(fit, "fair", "poor-prediction");
    fit.r2Predicted.reset();
    expectVerdict(fit, "fair", "press-undefined");
}

TEST(Verdict, soDoSignificanceAndDegreesOfFreedom)
{
    Fit fit = goodFit();
    fit.anova[0].p = 0.05;
    expectVerdict(fit, "poor", "no-significant-model");
    fit = goodFit();
    fit.dfResidual = 2;
    expectVerdict(fit, "fair", "few-residual-df");
    fit.dfResidual = 0;
    fit.r2Predicted.reset();
    expectVerdict(fit, "poor", "few-residual-df");
    fit = goodFit();
    fit.r2.reset();
    expectVerdict(fit, "poor", "constant-response");
    fit = goodFit();
    fit.sigma = 0.0;
    expectVerdict(fit, "fair", "no-residual-error");
    Fit none;
    none.message = "No run has a result of y yet.";
    expectVerdict(none, "poor", "no-model");
    EXPECT_EQ(judgeFit(none).sentence, "No model. No run has a result of y yet.");
}

/// A verdict is about the error of prediction: with repeats within 0.1 % every lack of fit is significant.
TEST(Verdict, aCertainLackOfFitIsARemarkWhereNewRunsArePredictedWell)
{
    Fit fit = goodFit();
    fit.anova[1].p = 0.009;
    expectVerdict(fit, "good", "prediction");
    EXPECT_EQ(checkLackOfFit(fit)->severity, Severity::Green);
    EXPECT_THAT(checkLackOfFit(fit)->sentence, HasSubstr("Significant lack of fit (p = 0.009; 5 df"));
    fit.r2Predicted = 0.7;
    expectVerdict(fit, "fair", "fair-prediction");
    EXPECT_EQ(checkLackOfFit(fit)->severity, Severity::Amber);
}

/// Nothing could have told a wrong model: it is not called good.
TEST(Verdict, isFairAtBestWhereLackOfFitCannotBeTested)
{
    Fit fit = goodFit();
    fit.anova[2].ss = 0.0;
    expectVerdict(fit, "fair", "zero-pure-error");
    fit.anova.resize(1);
    expectVerdict(fit, "fair", "no-replicates");
}

/// Absence of evidence is not evidence.
TEST(Verdict, anInsignificantLackOfFitComesWithItsDegreesOfFreedom)
{
    const Fit fit = goodFit();
    EXPECT_EQ(checkLackOfFit(fit)->sentence, "No significant lack of fit (p = 0.5; 5 df of pure error).");
    EXPECT_EQ(readAnova(fit).back(), checkLackOfFit(fit)->sentence);
}

/// Speed and energy of fifteen runs on an H200 whose center runs agree within 0.1 % (an example study): the
/// quadratic model of the inverse speed misses settings left out by a few per cent of the range.
TEST(Verdict, aQuietMachineHasNoPoorModel)
{
    const study::Study study = study::loadStudy(sourcePath("resources/examples/h200-resnet18.quadric")).study;
    const Fit speed =
        fitResponse(study, "images_per_sec", {.transform = study::Transform{study::TransformKind::Inverse}});
    EXPECT_LT(model::rowOf(speed, "Lack of fit")->p.value(), 0.01);
    for (const Fit& fit : {speed, fitResponse(study, "joules_per_image")})
        EXPECT_EQ(nameOf(judgeFit(fit)), "good") << judgeFit(fit).sentence;
    const std::vector<Finding> warnings = pickWarnings(findInFit(speed));
    EXPECT_TRUE(
        std::ranges::none_of(warnings, [](const Finding& each) { return each.code == "lack-of-fit"; }));
}

namespace {

/// y = 10 + 3A + B on a repeated grid, except for the sixth run.
study::Study outlyingStudy()
{
    study::Study study = test::verdictStudies().front().study;
    study.runs[5].results["y"] = 60.0;
    return study;
}

} // namespace

/// One wrong result hides every effect: what the model is without it comes first.
TEST(Verdict, namesARunFarFromAllOthers)
{
    const study::Study study = outlyingStudy();
    const Fit fit = fitResponse(study, "y", {.model = "linear"});
    const Verdict verdict = judgeFit(fit);
    EXPECT_EQ(nameOf(verdict), "poor");
    EXPECT_THAT(verdict.reason.runs, testing::ElementsAre(6));
    EXPECT_THAT(verdict.sentence, HasSubstr("Run 6 is far from all others: without it R² is 0.99"));
    study::Study without = study;
    without.runs[5].status = study::RunStatus::Excluded;
    const Fit other = fitResponse(without, "y", {.model = "linear"});
    const model::FarOutlier far = model::findFarOutlier(fit).value();
    EXPECT_NEAR(far.r2Without, *other.r2, 1e-12);
    EXPECT_NEAR(far.sigmaWithout, other.sigma, 1e-12);
    EXPECT_FALSE(model::findFarOutlier(other));
    EXPECT_EQ(findInFit(fit).front().code, "outliers");
    EXPECT_THAT(describePoorModel(fit), HasSubstr("Run 6 is far from all others"));
    EXPECT_THAT(findCautions(study, {fit}).front(), HasSubstr("Run 6"));
    for (const Finding& cause : pickCauses(findInFit(fit))) // "no effect beyond chance" follows from it
        EXPECT_NE(cause.code, "no-significant-model");
}

TEST(Verdict, ofStudiesOfEveryKind)
{
    for (const test::VerdictStudy& each : test::verdictStudies()) {
        SCOPED_TRACE(each.name);
        const Fit fit = model::fitStudy(each.study).front();
        ASSERT_TRUE(fit.isOk()) << fit.message;
        expectVerdict(fit, each.verdict, each.code);
    }
}

/// What decides is always among the findings, with the same severity and the same words.
TEST(Verdict, neverContradictsTheReportCard)
{
    std::mt19937 random(5);
    std::normal_distribution<double> noise;
    for (int round = 0; round < 60; ++round) {
        study::Study study = plainStudy({"A", "B"});
        const double slope = round % 4, bend = round % 3, size = 0.05 * (round % 7);
        for (const std::vector<study::Value>& point : gridOf(2, {-1, 0, 1})) {
            const double a = std::get<double>(point[0]), b = std::get<double>(point[1]);
            for (int repeat = 0; repeat <= round % 2; ++repeat)
                addRun(study, point, 10 + slope * a + b + bend * a * a + size * noise(random));
        }
        const Fit fit = fitResponse(study, "y", {.model = round % 5 < 2 ? "linear" : "quadratic"});
        const Verdict verdict = judgeFit(fit);
        const std::vector<Finding> findings = findInFit(fit);
        const auto same = std::ranges::find(findings, verdict.reason.code, &Finding::code);
        ASSERT_NE(same, findings.end()) << verdict.sentence;
        EXPECT_EQ(same->sentence, verdict.reason.sentence);
        EXPECT_EQ(same->severity, verdict.severity);
        EXPECT_THAT(verdict.sentence, HasSubstr(same->sentence));
        if (verdict.severity == Severity::Green) {
            for (const std::string_view topic :
                 {"Degrees of freedom", "Fit", "Prediction", "Lack of fit", "Curvature"}) {
                const auto line = std::ranges::find(findings, topic, &Finding::topic);
                EXPECT_TRUE(line == findings.end() || line->severity == Severity::Green) << line->sentence;
            }
        }
        for (const Finding& finding : findings)
            EXPECT_THAT(finding.sentence + finding.advice, testing::Not(HasSubstr("{"))) << finding.code;
    }
}

namespace {

using namespace model::test;
using testing::Contains;
using testing::HasSubstr;
using testing::StartsWith;

/// Two responses on a line, three levels, each twice, in random order.
study::Study replicatedStudy()
{
    study::Study study = plainStudy({"A"});
    study.responses.push_back({.name = "z"});
    const std::vector<int> orders{4, 1, 2, 5, 3, 6};
    const std::vector<double> errors{0.02, 0.10, -0.05, 0.08, -0.10, -0.04};
    for (const double a : {-1.0, -1.0, 0.0, 0.0, 1.0, 1.0}) {
        const std::size_t i = study.runs.size();
        study::Run& run = addRun(study, {a}, 10 + 3 * a + 0.1 * static_cast<double>(i % 3));
        run.order = orders[i];
        run.results["z"] = 10 + 3 * a + errors[i];
        run.provenance.source = study::Source::Measured;
    }
    study.model = {{"y", "linear"}, {"z", "linear"}};
    return study;
}

} // namespace

TEST(Evidence, goodModelsSpeakForThemselves)
{
    const study::Study study = replicatedStudy();
    const std::vector<std::string> evidence = findEvidence(model::fitStudy(study));
    EXPECT_THAT(evidence, testing::ElementsAre(StartsWith("y: Good model. Predicted R² = 0.99"),
                                               StartsWith("z: Good model. Predicted R² = 0.99")));
    EXPECT_THAT(findCautions(study, model::fitStudy(study)), testing::IsEmpty());
}

TEST(Evidence, lackOfFitIsSaidOnceForAllResponses)
{
    const std::vector<test::VerdictStudy> studies = test::verdictStudies();
    study::Study study = std::ranges::find(studies, "bent", &test::VerdictStudy::name)->study;
    study.responses.push_back({.name = "z"});
    study.model["z"] = "linear";
    for (study::Run& run : study.runs)
        run.results["z"] = 2 * run.results["y"];
    const std::vector<model::Fit> fits = model::fitStudy(study);
    EXPECT_THAT(findCautions(study, fits),
                testing::IsSupersetOf({StartsWith("y: Fair model. Predicted R²"),
                                       StartsWith("z: Fair model. Predicted R²"),
                                       StartsWith("y, z: Significant lack of fit"),
                                       StartsWith("y and z are nearly one measurement")}));
    EXPECT_THAT(findEvidence(fits), testing::Not(Contains(HasSubstr("Good model"))));
}

TEST(Evidence, ofAPoorModelThereIsNone)
{
    const std::vector<test::VerdictStudy> studies = test::verdictStudies();
    study::Study study = std::ranges::find(studies, "noise", &test::VerdictStudy::name)->study;
    std::erase_if(study.runs, [](const study::Run& run) { return run.id > 9; }); // no replicates
    EXPECT_THAT(findEvidence(model::fitStudy(study)), testing::IsEmpty());
}

TEST(Evidence, aWarningNamesAllResponsesThatItIsAbout)
{
    study::Study study = replicatedStudy();
    study.runs[5].status = study::RunStatus::Excluded;
    const std::vector<std::string> cautions = findCautions(study, model::fitStudy(study));
    EXPECT_THAT(cautions, Contains("y, z: Run 6 is excluded by hand."));
}

TEST(Evidence, theStateOfTheRunsIsSaidOfTheWholeStudy)
{
    study::Study study = replicatedStudy();
    study.runs[0].provenance.source = study::Source::Simulated;
    study.runs[1].provenance.disturbed = true;
    addRun(study, {1.0}, 13).status = study::RunStatus::Failed;
    addRun(study, {1.0}, 13).status = study::RunStatus::Failed;
    addRun(study, {1.0}, 13).status = study::RunStatus::Pending;
    const std::vector<std::string> cautions = findCautions(study, model::fitStudy(study));
    EXPECT_EQ(cautions.front(), "The results are simulated, not measured.");
    EXPECT_THAT(cautions, Contains("2 runs failed; the models contain no result at their settings."));
    EXPECT_THAT(cautions,
                Contains("1 run was disturbed during the measurement: throttled, or on a shared machine."));
    EXPECT_EQ(cautions.back(), "1 run of the design is still missing.");
    EXPECT_THAT(findEvidence({}), testing::IsEmpty());
}

namespace {

struct Example {
    study::Study study = study::loadStudy(sourcePath("resources/examples/resnet50-scaling.quadric")).study;
    std::vector<model::Fit> fits = optimize::fitForGoals(study);
    study::Settings settings{{"gpu_count", 64.0}, {"batch_per_gpu", 256.0}, {"gradient_compression", 90.0}};

    Standing judge() const
    {
        return judgeSetting(study, fits, settings, optimize::confirmationVerdicts(study, fits));
    }
    void confirmWith(double factor)
    {
        study = study::withRuns(study, {settings, settings, settings}, study::RunKind::Confirmation);
        double shift = -0.0001;
        for (std::size_t i = study.runs.size() - 3; i < study.runs.size(); ++i, shift += 0.0001) {
            study.runs[i].status = study::RunStatus::Done;
            for (const auto& at : optimize::assess(study, fits, settings).responses)
                study.runs[i].results[at.response] = (factor + shift) * at.predicted.mean;
        }
    }
};

} // namespace

TEST(StandingTest, namesTheConstraintAndItsNumbers)
{
    Example example;
    EXPECT_EQ(example.judge().verdict, "");
    example.study.constraints = {"gpu_count*batch_per_gpu <= 8192"};
    const Standing standing = example.judge();
    EXPECT_TRUE(standing.isRejected());
    EXPECT_EQ(standing.verdict, "Infeasible: gpu_count×batch_per_gpu = 16384 > 8192.");
}

TEST(StandingTest, saysWhatConfirmingRunsGave)
{
    Example example;
    example.confirmWith(1.0);
    EXPECT_EQ(example.judge().verdict, "Confirmed by 3 runs.");
    Example other;
    other.confirmWith(0.5);
    const Standing standing = other.judge();
    EXPECT_TRUE(standing.isRejected());
    EXPECT_EQ(standing.verdict, "Not confirmed: do not use this setting.");
    EXPECT_THAT(standing.reasons, testing::Contains(testing::HasSubstr("images_per_sec: measured ")));
    other.study.runs.back().provenance.disturbed = true;
    EXPECT_FALSE(other.judge().isRejected());
    EXPECT_THAT(other.judge().verdict, testing::HasSubstr("No verdict yet"));
}

TEST(StandingTest, saysThatAModelIsPoor)
{
    Example example;
    double sign = 1.0; // results that have nothing to do with the settings
    for (study::Run& run : example.study.runs) {
        run.results["images_per_sec"] = 1000.0 + sign * 300.0 + run.id;
        sign = -sign;
    }
    example.fits = optimize::fitForGoals(example.study);
    ASSERT_EQ(judgeFit(example.fits.front()).severity, Severity::Red);
    EXPECT_THAT(example.judge().reasons,
                testing::Contains(testing::StartsWith("The model of images_per_sec is poor: ")));
}

/// That leaving a run out says nothing follows from the copies.
TEST(Verdict, givesTheCause)
{
    const study::Study study =
        study::loadStudy(sourcePath("resources/examples/resnet50-scaling.quadric")).study;
    expectVerdict(fitResponse(study, "images_per_sec"), "fair", "copied-results");
}

/// Copied center runs are one fact of two responses.
TEST(Warnings, nameEachCauseOnceForAllResponses)
{
    const Example example;
    const std::vector<Warning> warnings = findWarnings(example.study, example.fits);
    const auto copies = std::ranges::find_if(
        warnings, [](const Warning& each) { return each.finding.code == "copied-results"; });
    ASSERT_NE(copies, warnings.end());
    EXPECT_THAT(copies->responses, testing::ElementsAre("images_per_sec", "scaling_efficiency"));
    for (const Warning& each : warnings) {
        EXPECT_NE(each.finding.code, "zero-pure-error");
        EXPECT_NE(each.finding.code, "press-undefined");
    }
    study::Study running = example.study;
    running.runs.back().status = study::RunStatus::Pending;
    EXPECT_TRUE(findWarnings(running, example.fits).empty());
}

// How often the verdict on a fit is true: held against how well new runs are really predicted, where the
// truth is known.

namespace {

/// A quadratic polynomial in three coded factors: intercept, slopes, interactions, squares.
using Surface = std::array<double, 10>;

double valueAt(const Surface& b, const std::array<double, 3>& x)
{
    return b[0] + b[1] * x[0] + b[2] * x[1] + b[3] * x[2] + b[4] * x[0] * x[1] + b[5] * x[0] * x[2] +
           b[6] * x[1] * x[2] + b[7] * x[0] * x[0] + b[8] * x[1] * x[1] + b[9] * x[2] * x[2];
}

/// Box–Behnken's twelve edges and three center runs.
std::vector<std::array<double, 3>> boxBehnken()
{
    std::vector<std::array<double, 3>> points(3, {0, 0, 0});
    for (std::size_t held = 0; held < 3; ++held)
        for (const double first : {-1.0, 1.0})
            for (const double second : {-1.0, 1.0}) {
                auto& point = points.emplace_back(std::array<double, 3>{0, 0, 0});
                point[(held + 1) % 3] = first;
                point[(held + 2) % 3] = second;
            }
    return points;
}

/// 1 − (squared error of prediction of a new run) / (variance of new runs), over the runs' edges and centers:
/// where the design has its runs, without extrapolation.
double realPredictiveR2(const model::Fit& fit, const Surface& truth, double noise)
{
    const std::vector<std::array<double, 3>> points = boxBehnken();
    double mean = 0.0, error = 0.0, variance = 0.0;
    for (const auto& x : points)
        mean += valueAt(truth, x) / static_cast<double>(points.size());
    for (const auto& x : points) {
        const double predicted =
            model::predictMean(fit, study::CodedPoint(Eigen::Vector3d(x[0], x[1], x[2])));
        error += std::pow(predicted - valueAt(truth, x), 2) + noise * noise;
        variance += std::pow(valueAt(truth, x) - mean, 2) + noise * noise;
    }
    return 1.0 - error / variance;
}

/// How often fits with one verdict are that good.
struct Record {
    int fits = 0, atLeastHalf = 0, atLeastGood = 0;
    double half() const { return double(atLeastHalf) / fits; }
    double good() const { return double(atLeastGood) / fits; }
};

} // namespace

TEST(VerdictTruth, goodModelsPredictAndPoorOnesAreSeldomGood)
{
    std::mt19937 random(2026);
    std::normal_distribution<double> normal;
    std::map<std::string_view, Record> records;
    for (int round = 0; round < 2000; ++round) {
        Surface truth{};
        for (std::size_t i = 1; i < truth.size(); ++i)
            truth[i] = (i < 4 ? 1.0 : 0.5) * normal(random);
        const double noise = 0.1 * (1 + round % 20);
        study::Study study = plainStudy({"A", "B", "C"});
        for (const auto& x : boxBehnken())
            addRun(study, {x[0], x[1], x[2]}, valueAt(truth, x) + noise * normal(random));
        const model::Fit fit = model::fitResponse(study, "y");
        ASSERT_TRUE(fit.isOk());
        const double real = realPredictiveR2(fit, truth, noise);
        Record& record = records[nameOf(judgeFit(fit))];
        ++record.fits;
        record.atLeastHalf += real >= 0.5 ? 1 : 0;
        record.atLeastGood += real >= 0.8 ? 1 : 0;
    }
    for (const auto& [name, record] : records) // the table of docs/methods/residuals.md: --gtest_output=xml
        RecordProperty(std::string(name), std::to_string(record.fits) + " " + std::to_string(record.half()) +
                                              " " + std::to_string(record.good()));
    ASSERT_TRUE(records["good"].fits > 200 && records["fair"].fits > 200 && records["poor"].fits > 200);
    EXPECT_GE(records["good"].half(), 0.94);
    EXPECT_GE(records["good"].good(), 0.8);
    EXPECT_LE(records["poor"].half(), 0.25);
    EXPECT_LE(records["poor"].good(), 0.06);
    EXPECT_LT(records["fair"].good(), records["good"].good());
    EXPECT_GT(records["fair"].good(), records["poor"].good());
}

} // namespace quadric::report
