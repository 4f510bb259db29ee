// SPDX-License-Identifier: GPL-3.0-or-later
// What is ordinary in real studies: the right number, or a sentence that says what is missing. Every table,
// curve, path, choice and sentence is made for each case, and no number may be NaN or infinite.
#include "core/model/fit/model_candidates.h"
#include "core/model/predict/canonical.h"
#include "core/model/predict/curves.h"
#include "core/model/select/boxcox.h"
#include "core/model/select/center_runs.h"
#include "core/model/select/cross_validation.h"
#include "core/model/select/model_choice.h"
#include "core/report/findings/fit_findings.h"
#include "core/report/findings/reading.h"
#include "oracle_study.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace quadric::model::test {

namespace {

using testing::HasSubstr;

struct HardCase {
    std::string name;
    study::Study study;
    std::string model = "quadratic";
    study::Transform transform = {};
    FitStatus status = FitStatus::Ok;
    std::string warning; ///< code that must be there, or words of the message of a fit that is refused
};

void PrintTo(const HardCase& c, std::ostream* out)
{
    *out << c.name;
}

/// Runs on a 3 × 3 grid repeated twice.
template <typename Truth> study::Study gridStudy(Truth truth, int repeats = 2)
{
    study::Study study = plainStudy({"A", "B"});
    for (int repeat = 0; repeat < repeats; ++repeat) {
        for (const std::vector<study::Value>& point : gridOf(2, {-1, 0, 1}))
            addRun(study, point,
                   truth(std::get<double>(point[0]), std::get<double>(point[1]),
                         static_cast<double>(study.runs.size())));
    }
    return study;
}

double smooth(double a, double b, double i)
{
    return 10 + 2 * a - b + a * b + 0.3 * std::sin(11 * i);
}

study::Study withFailedCorner()
{
    study::Study study = gridStudy(smooth);
    for (study::Run& run : study.runs) {
        const bool isCorner =
            std::get<double>(run.settings.at("A")) == 1 && std::get<double>(run.settings.at("B")) == 1;
        if (isCorner)
            run.status = run.id < 10 ? study::RunStatus::Failed : study::RunStatus::Excluded;
    }
    return study;
}

/// A and B were always changed together, but for a little.
study::Study collinear(double apart)
{
    study::Study study = plainStudy({"A", "B"});
    for (int i = 0; i < 12; ++i) {
        const double a = -1 + 2.0 * i / 11;
        addRun(study, {a, a + apart * std::cos(3.0 * i)}, 5 + 2 * a + 0.1 * std::sin(5.0 * i));
    }
    return study;
}

study::Study decades()
{
    return gridStudy(
        [](double a, double b, double i) { return std::pow(10.0, 5 * a + b + 0.05 * std::sin(3 * i)); });
}

study::Study wideFactors()
{
    study::Study study = plainStudy({"A", "B"});
    study.factors[0].low = 1e-6;
    study.factors[0].high = 1e6;
    study.factors[1].low = 1e9;
    study.factors[1].high = 3e9;
    for (const double a : {1e-6, 5e5, 1e6}) {
        for (const double b : {1e9, 2e9, 3e9})
            addRun(study, {a, b}, 1e-7 * (3 + a / 1e6 + b / 1e9 + 0.01 * std::sin(a + b)));
    }
    return study;
}

std::vector<HardCase> hardCases()
{
    const study::Transform log{study::TransformKind::Log, 1.0};
    const auto copied = [](double a, double b, double) { return 10 + 2 * a - b + a * a * b; };
    const auto withZero = [](double a, double, double i) { return i == 4 ? 0.0 : 5 + a + std::sin(i); };
    return {
        {"zeroPureError", gridStudy(copied), "linear", {}, FitStatus::Ok, "zero-pure-error"},
        {"saturated", gridStudy(smooth, 1), "A^2*B^2", {}, FitStatus::Ok, "few-residual-df"},
        {"fewerRunsThanTerms",
         [] {
             study::Study study = gridStudy(smooth, 1);
             study.runs.resize(4);
             return study;
         }(),
         "quadratic",
         {},
         FitStatus::TooFewRuns,
         "at least 2 more runs"},
        {"failedAndExcluded", withFailedCorner(), "interactions", {}, FitStatus::Ok, "failed-runs-left-out"},
        {"constant",
         gridStudy([](double, double, double) { return 4.5; }),
         "quadratic",
         {},
         FitStatus::Ok,
         "constant-response"},
        {"exact",
         gridStudy([](double a, double b, double) { return 1 + a + b * b; }),
         "quadratic",
         {},
         FitStatus::Ok,
         "no-residual-error"},
        {"zeroUnderLog", gridStudy(withZero), "linear", log, FitStatus::BadTransform, "needs values above 0"},
        {"negativeUnderInverse",
         gridStudy([](double a, double, double) { return a; }),
         "linear",
         {study::TransformKind::Inverse, 1.0},
         FitStatus::BadTransform,
         "needs values above 0"},
        {"collinear", collinear(1e-3), "linear", {}, FitStatus::Ok, "collinear-terms"},
        {"perfectlyCollinear", collinear(0.0), "linear", {}, FitStatus::Ok, "aliased-terms"},
        {"tenDecades", decades(), "quadratic", {}, FitStatus::Ok, ""},
        {"tenDecadesUnderLog", decades(), "quadratic", log, FitStatus::Ok, ""},
        {"wideFactors", wideFactors(), "quadratic", {}, FitStatus::Ok, ""},
        {"noRuns", plainStudy({"A", "B"}), "quadratic", {}, FitStatus::NoData, "No run has a result"},
        {"oneRun",
         [] {
             study::Study study = plainStudy({"A"});
             addRun(study, {0.0}, 3.0);
             return study;
         }(),
         "linear",
         {},
         FitStatus::TooFewRuns,
         "more run"},
        {"infiniteResult",
         gridStudy([](double a, double b, double i) {
             return i == 3 ? std::numeric_limits<double>::infinity() : smooth(a, b, i);
         }),
         "linear",
         {},
         FitStatus::Ok,
         "missing-results"},
        {"noFactorMatters",
         gridStudy([](double, double, double i) { return std::sin(i * i); }),
         "quadratic",
         {},
         FitStatus::Ok,
         "poor-prediction"},
    };
}

class HardCases : public testing::TestWithParam<HardCase> {
protected:
    Fit fit(const std::string& model) const
    {
        return fitResponse(GetParam().study, "y", {.model = model, .transform = GetParam().transform});
    }
    Fit fit() const { return fit(GetParam().model); }
    study::CodedPoint center() const
    {
        return study::CodedPoint(Eigen::VectorXd::Zero(std::ssize(GetParam().study.factors)));
    }
};

void expectAllFinite(const std::vector<double>& values, const std::string& what)
{
    for (const double value : values)
        expectFinite(value, what);
}

} // namespace

TEST_P(HardCases, hasTheStatusAndSaysWhy)
{
    const Fit result = fit();
    EXPECT_EQ(result.status, GetParam().status) << result.message;
    if (!result.isOk()) {
        EXPECT_THAT(result.message, HasSubstr(GetParam().warning));
    } else if (!GetParam().warning.empty()) {
        EXPECT_TRUE(hasWarning(result, GetParam().warning));
    }
}

TEST_P(HardCases, everyFigureIsFinite)
{
    const Fit result = fit();
    for (const std::optional<double>& value :
         {result.r2, result.r2Adjusted, result.r2Predicted, result.press, result.adequatePrecision,
          result.aicc, result.residualChecks.durbinWatson, result.residualChecks.durbinWatsonP,
          result.residualChecks.driftSlope, result.residualChecks.driftT, result.residualChecks.driftP,
          result.residualChecks.shapiroWilk, result.residualChecks.normalityP})
        expectFinite(value, "figure");
    for (const Diagnostic& d : result.diagnostics)
        expectFinite(d.dffits, "dffits");
    for (const Coefficient& row : result.coefficients)
        expectFinite(row.vif, row.term + " vif");
    for (const report::Finding& item : report::findInFit(result)) {
        EXPECT_FALSE(item.sentence.empty()) << item.topic;
        EXPECT_THAT(item.sentence, testing::Not(testing::AnyOf(HasSubstr("nan"), HasSubstr("inf"))))
            << item.topic;
    }
    EXPECT_FALSE(report::readAnova(result).empty());
    for (const std::string& sentence : report::readCoefficients(result))
        EXPECT_THAT(sentence, testing::Not(testing::AnyOf(HasSubstr("nan"), HasSubstr(" inf"))));
}

TEST_P(HardCases, plotsPathsAndComparisonsAreFiniteOrSayWhy)
{
    const Fit result = fit();
    for (const ScorePoint& point : halfNormalPlot(result).points)
        expectFinite(point.value + point.score, "half-normal");
    for (const ScorePoint& point : normalPlot(result).points)
        expectFinite(point.value + point.score, "normal");
    expectAllFinite(orderPlot(result).residuals, "order");
    for (const PerturbationCurve& curve : perturbationPlot(result, center()))
        expectAllFinite(curve.mean, "perturbation");
    const Path path = ridgePath(result, Direction::Ascent, center(), evenRadii());
    EXPECT_NE(path.points.empty(), path.message.empty());
    for (const PathPoint& point : path.points)
        expectFinite(point.prediction.mean, "ridge");
    if (const std::optional<Canonical> canonical = canonicalAnalysis(result, center()))
        expectFinite(canonical->response, "canonical");
    if (const std::optional<BoxCox> profile = boxCox(result))
        expectAllFinite(profile->logLikelihood, "Box–Cox");
    const CrossValidation validation = crossValidate(result, 3);
    EXPECT_NE(validation.error.has_value(), !validation.message.empty());
    expectFinite(validation.error, "cross-validation");
    for (const OrderSummary& row : compareOrders(result)) {
        for (const std::optional<double>& value : {row.sigma, row.r2, row.r2Adjusted, row.r2Predicted,
                                                   row.press, row.aicc, row.sequentialP, row.lackOfFitP})
            expectFinite(value, row.name);
    }
    if (const std::optional<CurvatureTest> test = curvatureTest(result))
        expectFinite(test->f, "curvature");
}

TEST_P(HardCases, chosenModelsAreSound)
{
    const Fit automatic = fit("auto");
    EXPECT_NE(automatic.isOk(), !automatic.message.empty());
    if (automatic.isOk()) {
        EXPECT_FALSE(automatic.choice.empty());
        expectFinite(predict(automatic, center()).mean, "automatic");
    }
    for (const Fit& chosen : fitStudy(withChosenModels(GetParam().study))) {
        EXPECT_NE(chosen.isOk(), !chosen.message.empty());
        expectFinite(predict(chosen, center()).mean, "chosen");
    }
}

INSTANTIATE_TEST_SUITE_P(All, HardCases, testing::ValuesIn(hardCases()),
                         [](const testing::TestParamInfo<HardCase>& each) { return each.param.name; });

// The right numbers, not only finite ones.
TEST(HardCaseValues, collinearFactorsKeepTheSumOfTheirEffects)
{
    const Fit fit = fitResponse(collinear(1e-3), "y", {.model = "linear"});
    EXPECT_NEAR(coefficientOf(fit, "A").estimate + coefficientOf(fit, "B").estimate, 2.0, 0.1);
    EXPECT_GT(coefficientOf(fit, "A").vif.value(), 1e5);
    const Fit aliased = fitResponse(collinear(0.0), "y", {.model = "linear"});
    EXPECT_THAT(aliased.aliased, testing::ElementsAre("B"));
    EXPECT_NEAR(coefficientOf(aliased, "A").estimate, 2.0, 0.1);
}

TEST(HardCaseValues, decadesAreStraightUnderLog)
{
    const Fit fit = fitResponse(
        decades(), "y", {.model = "linear", .transform = study::Transform{study::TransformKind::Log}});
    EXPECT_NEAR(coefficientOf(fit, "A").estimate, 5 * std::log(10.0), 0.1);
    EXPECT_NEAR(coefficientOf(fit, "B").estimate, std::log(10.0), 0.1);
    EXPECT_EQ(withChosenModels(decades()).responses[0].transform.kind, study::TransformKind::Log);
}

TEST(HardCaseValues, wideFactorsAreCodedAway)
{
    const Fit fit = fitResponse(wideFactors(), "y", {.model = "linear"});
    EXPECT_NEAR(coefficientOf(fit, "A").estimate, 0.5e-7, 0.01e-7);
    EXPECT_NEAR(coefficientOf(fit, "B").estimate, 1e-7, 0.01e-7);
}

} // namespace quadric::model::test
