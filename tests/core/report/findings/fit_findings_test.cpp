// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fit/diagnostics.h"
#include "core/model/select/center_runs.h"
#include "core/model/select/fit_checks.h"
#include "core/report/findings/fit_findings.h"
#include "core/report/findings/reading.h"
#include "core/study/document/document.h"
#include "oracle_study.h"
#include "tests/support/test_paths.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

namespace quadric::report {

namespace {

using namespace model::test;
using model::Fit;
using model::FitOptions;
using model::fitResponse;
using testing::HasSubstr;

const Finding* findTopic(const std::vector<Finding>& card, const std::string& topic)
{
    for (const Finding& item : card) {
        if (item.topic == topic)
            return &item;
    }
    return nullptr;
}

void expectSeverity(const std::vector<Finding>& card, const std::string& topic, Severity severity)
{
    const Finding* item = findTopic(card, topic);
    ASSERT_NE(item, nullptr) << topic;
    EXPECT_EQ(nameOf(item->severity), nameOf(severity)) << topic << ": " << item->sentence;
    if (severity != Severity::Green) {
        EXPECT_FALSE(item->advice.empty()) << topic;
    }
}

std::vector<Finding> cardOf(const study::Study& study, const std::string& response,
                            const FitOptions& options = {})
{
    return findInFit(fitResponse(study, response, options));
}

/// y = 10 + 3A + B on a repeated grid, with a small error that repeats do not share.
study::Study goodStudy()
{
    study::Study study = plainStudy({"A", "B"});
    const std::vector<double> errors{0.3, -0.8, 1.1,  0.2, -0.4, 0.6, -1.2, 0.1, -0.5,
                                     0.9, 0.4,  -0.7, 0.2, -0.3, 1.0, -0.6, 0.5, -0.8};
    for (int repeat = 0; repeat < 2; ++repeat) {
        for (const std::vector<study::Value>& point : gridOf(2, {-1, 0, 1}))
            addRun(study, point,
                   10 + 3 * std::get<double>(point[0]) + std::get<double>(point[1]) +
                       0.2 * errors[study.runs.size()]);
    }
    for (study::Run& run : study.runs)
        run.order = run.id * 7 % 19;
    return study;
}

} // namespace

TEST(FitFindings, aGoodStudyIsGreen)
{
    const std::vector<Finding> card = cardOf(goodStudy(), "y", {.model = "linear"});
    for (const Finding& item : card)
        EXPECT_EQ(nameOf(item.severity), "green") << item.topic << ": " << item.sentence;
    EXPECT_EQ(findWorst(card)->severity, Severity::Green);
    for (const char* topic :
         {"Degrees of freedom", "Fit", "Prediction", "Lack of fit", "Outliers", "Drift", "Equal variance"})
        EXPECT_NE(findTopic(card, topic), nullptr) << topic;
    const std::vector<Finding> folded = foldPassed(card);
    ASSERT_EQ(folded.size(), 1U);
    EXPECT_EQ(folded.front().sentence, "7 checks passed: Outliers, Degrees of freedom, Fit, Prediction, Lack "
                                       "of fit, Drift, Equal variance.");
}

TEST(FitFindings, theFirstExampleShowsCopiesAndSimulation)
{
    const study::Study study =
        study::loadStudy(sourcePath("resources/examples/resnet50-scaling.quadric")).study;
    const std::vector<Finding> card = cardOf(study, "images_per_sec");
    expectSeverity(card, "Replicates", Severity::Amber);
    expectSeverity(card, "Lack of fit", Severity::Amber);
    expectSeverity(card, "Source", Severity::Amber);
    expectSeverity(card, "Degrees of freedom", Severity::Green);
}

TEST(FitFindings, unequalScatterIsNamed)
{
    study::Study study = goodStudy();
    for (study::Run& run : study.runs) { // the error grows from 0 at A = −1 to five times as much at A = 1
        const double a = std::get<double>(run.settings.at("A")), b = std::get<double>(run.settings.at("B"));
        const double mean = 10 + 3 * a + b;
        run.results["y"] = mean + (a + 1) * 2.5 * (run.results["y"] - mean);
    }
    expectSeverity(cardOf(study, "y", {.model = "linear"}), "Equal variance", Severity::Amber);
}

TEST(FitFindings, eachTroubleIsNamed)
{
    study::Study drifting = goodStudy();
    for (study::Run& run : drifting.runs)
        run.results["y"] += 0.15 * run.order;
    expectSeverity(cardOf(drifting, "y", {.model = "linear"}), "Drift", Severity::Red);

    study::Study outlying = goodStudy();
    outlying.runs[4].results["y"] += 5;
    const std::vector<Finding> card = cardOf(outlying, "y", {.model = "linear"});
    expectSeverity(card, "Outliers", Severity::Red);
    EXPECT_THAT(findTopic(card, "Outliers")->sentence, HasSubstr("Run 5"));

    study::Study bent = goodStudy();
    for (study::Run& run : bent.runs)
        run.results["y"] += 4 * std::pow(std::get<double>(run.settings.at("A")), 2);
    expectSeverity(cardOf(bent, "y", {.model = "linear"}), "Lack of fit", Severity::Amber);

    study::Study failing = goodStudy();
    failing.runs[0].status = study::RunStatus::Failed;
    expectSeverity(cardOf(failing, "y", {.model = "linear"}), "Failed runs", Severity::Amber);

    study::Study constant = goodStudy();
    for (study::Run& run : constant.runs)
        run.results["y"] = 3;
    expectSeverity(cardOf(constant, "y"), "Fit", Severity::Red);
    expectSeverity(cardOf(plainStudy({"A"}), "y"), "Model", Severity::Red);
}

TEST(FitFindings, saturatedAndUnexplained)
{
    const nlohmann::json oracle = readOracle("07_filtration_2p4_lenth");
    const study::Study filtration = studyOf(oracle);
    expectSeverity(cardOf(filtration, "filtration", {.model = ourTerm("A:B:C:D", oracle)}),
                   "Degrees of freedom", Severity::Red);
    study::Study noise = goodStudy();
    for (study::Run& run : noise.runs)
        run.results["y"] = 5 + std::sin(12.9898 * run.id);
    const std::vector<Finding> card = cardOf(noise, "y");
    expectSeverity(card, "Fit", Severity::Red);
    expectSeverity(card, "Prediction", Severity::Red);
}

/// Fifteen runs for ten coefficients: leaving one out says more of the design than of new runs.
TEST(FitFindings, aPoorPredictedR2OfVeryFewRunsIsNoVerdictOnTheModel)
{
    study::Study study = plainStudy({"A", "B"});
    const std::vector<double> errors{1.1, -0.9, 0.3, -1.4, 0.8, 1.2, -0.6, 0.9, -1.3};
    for (const std::vector<study::Value>& point : gridOf(2, {-1, 0, 1}))
        addRun(study, point, 10 + std::get<double>(point[0]) + errors[study.runs.size()]);
    const Fit fit = fitResponse(study, "y");
    ASSERT_LT(*fit.r2Predicted, 0.5);
    const std::vector<Finding> card = findInFit(fit);
    expectSeverity(card, "Prediction", Severity::Amber);
    EXPECT_THAT(findTopic(card, "Prediction")->sentence,
                HasSubstr("9 runs for 6 coefficients are so few (mean leverage 0.67)"));
}

TEST(FitFindings, repeatsInDifferentBlocksAreNotCalledMissing)
{
    study::Study study = plainStudy({"A", "B"});
    for (int block = 1; block <= 2; ++block)
        for (const std::vector<study::Value>& point : gridOf(2, {-1, 1}))
            addRun(study, point,
                   10 * block + std::get<double>(point[0]) +
                       0.1 * std::sin(static_cast<double>(study.runs.size())))
                .block = block;
    const std::vector<Finding> card = cardOf(study, "y", {.model = "linear"});
    EXPECT_THAT(findTopic(card, "Lack of fit")->sentence, HasSubstr("No replicates within a block"));
}

namespace {

/// The good study with a drift over the lines of its table.
study::Study driftingTable(study::Source source)
{
    study::Study study = goodStudy();
    for (study::Run& run : study.runs) {
        run.order = run.id;
        run.results["y"] += 0.15 * run.order;
        run.provenance.source = source;
    }
    return study;
}

} // namespace

/// The lines of a table are in a standard order, say: nothing follows from it.
TEST(FitFindings, nothingIsSaidOfAnOrderThatIsNotKnown)
{
    const study::Study table = driftingTable(study::Source::Imported);
    EXPECT_EQ(findTopic(cardOf(table, "y", {.model = "linear"}), "Drift"), nullptr);
    EXPECT_FALSE(fitResponse(table, "y", {.model = "linear"}).residualChecks.durbinWatson);
    const study::Study measured = driftingTable(study::Source::Measured);
    expectSeverity(cardOf(measured, "y", {.model = "linear"}), "Drift", Severity::Red);
    study::Study ordered = table; // its column of run orders says more than its lines
    for (study::Run& run : ordered.runs)
        run.order = run.id % 18 + 1;
    EXPECT_NE(findTopic(cardOf(ordered, "y", {.model = "linear"}), "Drift"), nullptr);
}

/// With eight coefficients of ten runs the residuals are the model's doing.
TEST(FitFindings, residualsThatTheModelShapesAreNotTested)
{
    study::Study study = plainStudy({"A", "B", "C"});
    for (const std::vector<study::Value>& point : gridOf(3, {-1, 1}))
        addRun(study, point, std::sin(7.0 * static_cast<double>(study.runs.size())));
    for (const double y : {0.3, -0.2})
        addRun(study, {0.0, 0.0, 0.0}, y);
    const std::vector<Finding> card = cardOf(study, "y", {.model = "A*B*C"});
    for (const char* topic : {"Drift", "Equal variance", "Residual normality", "Independence"})
        EXPECT_EQ(findTopic(card, topic), nullptr) << topic;
}

/// Two levels tell no square, so that none is missed; with a center one is left that they do not tell.
TEST(FitFindings, squaresOfTwoLevelsAreNotCalledAliased)
{
    study::Study study = plainStudy({"A", "B"});
    for (int repeat = 0; repeat < 2; ++repeat)
        for (const std::vector<study::Value>& point : gridOf(2, {-1, 1}))
            addRun(study, point,
                   std::get<double>(point[0]) + 0.1 * std::sin(3.0 * static_cast<double>(study.runs.size())));
    EXPECT_FALSE(checkAliases(fitResponse(study, "y")).has_value());
    for (const double y : {0.3, -0.2})
        addRun(study, {0.0, 0.0}, y);
    EXPECT_THAT(checkAliases(fitResponse(study, "y"))->sentence, HasSubstr("B²"));
}

/// Repeats of a machine within 0.1 %: curvature of 1 % of the range is certain and does not matter.
TEST(FitFindings, aCertainCurvatureCountsByItsSize)
{
    const auto cardWith = [](double curvature) {
        study::Study study = plainStudy({"A", "B"});
        for (const std::vector<study::Value>& point : gridOf(2, {-1, 1}))
            addRun(study, point, 100 + 40 * std::get<double>(point[0]) + 10 * std::get<double>(point[1]));
        for (const double error : {-0.01, 0.0, 0.01})
            addRun(study, {0.0, 0.0}, 100 + curvature + error);
        return cardOf(study, "y", {.model = "linear"});
    };
    expectSeverity(cardWith(1.0), "Curvature", Severity::Green);
    EXPECT_THAT(findTopic(cardWith(1.0), "Curvature")->sentence, HasSubstr("Curvature is significant"));
    expectSeverity(cardWith(30.0), "Curvature", Severity::Red);
}

TEST(FitFindings, centerRunsShowCurvature)
{
    const nlohmann::json oracle = readOracle("02_chemreact1_first_order");
    const study::Study study = studyOf(oracle);
    const Fit fit = fitResponse(study, "Yield", {.model = "linear"});
    const model::CurvatureTest test = model::curvatureTest(fit).value();
    const nlohmann::json& expected = oracle["analyses"][0]["expected"]["anova"]["curvature"];
    EXPECT_EQ(test.corners, expected["n_factorial"].get<int>());
    EXPECT_EQ(test.centers, expected["n_centre"].get<int>());
    EXPECT_NEAR(test.difference,
                expected["mean_factorial"].get<double>() - expected["mean_centre"].get<double>(), 1e-12);
    EXPECT_NEAR(test.ss, expected["ss"].get<double>(), 1e-9);
    EXPECT_NEAR(test.f.value(), expected["f_vs_pure_error"].get<double>(), 1e-7);
    EXPECT_NEAR(test.p.value(), expected["p_vs_pure_error"].get<double>(), 1e-10);
    expectSeverity(findInFit(fit), "Curvature", Severity::Red);
    EXPECT_FALSE(model::curvatureTest(fitResponse(study, "Yield", {.model = "Time^2"})).has_value());
}

TEST(Reading, anovaInWords)
{
    const Fit fit = fitResponse(goodStudy(), "y");
    const std::vector<std::string> sentences = readAnova(fit);
    EXPECT_THAT(sentences, testing::Contains(HasSubstr("The model is significant (p < 0.001) and explains")));
    EXPECT_THAT(sentences, testing::Contains(HasSubstr("No significant lack of fit (p = ")));
    const study::Study none = plainStudy({"A"});
    EXPECT_EQ(readAnova(fitResponse(none, "y")).size(), 1U);
}

/// Eleven of thirteen runs of a composite design in two blocks that do not differ. Before the terms the
/// blocks have p = 0.002: after a failure they are not orthogonal to them. R: drop1.
TEST(Reading, blocksAreTestedGivenTheTerms)
{
    study::Study study = plainStudy({"A", "B"});
    const auto add = [&](double a, double b, int block, double y) { addRun(study, {a, b}, y).block = block; };
    add(-1, -1, 1, 213.0);
    add(-1, 1, 1, 212.4);
    add(1, 1, 1, 184.4);
    add(0, 0, 1, 200.1);
    add(0, 0, 1, 202.9);
    add(0, 0, 1, 200.0);
    add(-1.414, 0, 2, 214.0);
    add(1.414, 0, 2, 147.3);
    add(0, 1.414, 2, 210.6);
    add(0, 0, 2, 202.5);
    add(0, 0, 2, 199.5);
    const Fit fit = fitResponse(study, "y");
    EXPECT_LT(model::rowOf(fit, "Blocks")->p.value(), 0.01);
    EXPECT_NEAR(model::testBlocks(fit).value(), 0.98, 0.02);
    EXPECT_NEAR(model::testBlocks(fit).value(), *coefficientOf(fit, "block[1]").p, 1e-9);
    EXPECT_THAT(readAnova(fit), testing::Not(testing::Contains(HasSubstr("The blocks differ"))));
    for (study::Run& run : study.runs)
        run.results["y"] += run.block == 2 ? 40.0 : 0.0;
    EXPECT_THAT(readAnova(fitResponse(study, "y")), testing::Contains(HasSubstr("The blocks differ")));
}

/// A formula without an error: its effects are certain, though nothing tests them.
TEST(Reading, effectsOfAnExactFormulaAreNamed)
{
    study::Study study = plainStudy({"A", "B"});
    for (const std::vector<study::Value>& point : gridOf(2, {-1, 0, 1}))
        addRun(study, point, 10 + 3 * std::get<double>(point[0]));
    const std::vector<std::string> sentences = readCoefficients(fitResponse(study, "y"));
    EXPECT_THAT(sentences, testing::ElementsAre(HasSubstr("Moving A from −1 to 1 raises y by 6"),
                                                HasSubstr("The model reproduces every run exactly")));
}

TEST(Reading, aChangeOfAPercentageIsInPercentagePoints)
{
    study::Study study = goodStudy();
    study.responses[0].unit = "%";
    EXPECT_THAT(readCoefficients(fitResponse(study, "y"))[0], HasSubstr(" percentage points, other factors"));
}

TEST(Reading, coefficientsInWords)
{
    const Fit fit = fitResponse(goodStudy(), "y");
    const std::vector<std::string> sentences = readCoefficients(fit);
    EXPECT_THAT(sentences[0], HasSubstr("Moving A from −1 to 1 raises y by "));
    EXPECT_THAT(sentences[1], HasSubstr("Moving B from −1 to 1 raises y by "));
    EXPECT_THAT(sentences.back(), HasSubstr("Not significant: A², A × B and B²."));
    study::Study positive = goodStudy();
    const Fit logFit = fitResponse(
        positive, "y", {.model = "linear", .transform = study::Transform{study::TransformKind::Log}});
    EXPECT_THAT(readCoefficients(logFit)[0], HasSubstr("multiplies y by 1.8"));
}

namespace {

using namespace model::test;
using model::Fit;
using model::fitResponse;

study::Study replicatedLine()
{
    study::Study study = plainStudy({"A"});
    for (const double a : {-1.0, -1.0, 0.0, 0.0, 1.0, 1.0})
        addRun(study, {a}, 10 + 3 * a + 0.1 * static_cast<double>(study.runs.size() % 3));
    return study;
}

} // namespace

/// The example's results are simulated, and its three center runs are copies of one another.
TEST(Warnings, copiedCenterRunsLeaveNoPureError)
{
    const std::string path = sourcePath("resources/examples/resnet50-scaling.quadric");
    const std::vector<Fit> fits = model::fitStudy(study::loadStudy(path).study);
    ASSERT_EQ(fits.size(), 2u);
    for (const Fit& fit : fits) {
        ASSERT_TRUE(fit.isOk()) << fit.message;
        EXPECT_TRUE(hasWarning(fit, "zero-pure-error")) << fit.response;
        EXPECT_TRUE(hasWarning(fit, "simulated"));
        EXPECT_TRUE(hasWarning(fit, "copied-results"));
        EXPECT_EQ(fit.n, 13) << "three copies are one observation";
        EXPECT_EQ(model::rowOf(fit, "Pure error"), nullptr);
        EXPECT_EQ(model::rowOf(fit, "Lack of fit"), nullptr);
    }
    EXPECT_EQ(std::lround(fits[0].r2.value() * 1000), 998);
    EXPECT_EQ(std::lround(fits[1].r2.value() * 1000), 999);
}

TEST(Warnings, runsLeftOutAreCounted)
{
    study::Study study = replicatedLine();
    addRun(study, {1.0}, 50).status = study::RunStatus::Failed;
    addRun(study, {1.0}, 50).status = study::RunStatus::Excluded;
    addRun(study, {1.0}, 50).results.clear();
    addRun(study, {1.0}, std::nan(""));
    addRun(study, {1.0}, 50).status = study::RunStatus::Pending;
    const Fit fit = fitResponse(study, "y", {.model = "linear"});
    ASSERT_TRUE(fit.isOk()) << fit.message;
    EXPECT_EQ(fit.n, 6);
    std::vector<std::string> messages;
    for (const Finding& warning : pickWarnings(findInFit(fit)))
        messages.push_back(warning.sentence);
    EXPECT_THAT(messages, testing::IsSupersetOf({"Run 7 failed and is not part of the fit.",
                                                 "Run 8 is excluded by hand.",
                                                 "Runs 9 and 10 have no usable result of y."}));
}

TEST(Warnings, soundDataHasNone)
{
    const Fit fit = fitResponse(replicatedLine(), "y", {.model = "linear"});
    ASSERT_TRUE(fit.isOk()) << fit.message;
    EXPECT_TRUE(pickWarnings(findInFit(fit)).empty());
}

TEST(Warnings, modelThatPredictsPoorly)
{
    study::Study study = plainStudy({"A", "B"});
    std::mt19937 noise(3);
    for (const std::vector<study::Value>& point : gridOf(2, {-1, 0, 1}))
        addRun(study, point, static_cast<double>(noise()));
    const Fit fit = fitResponse(study, "y");
    ASSERT_TRUE(fit.r2Predicted.has_value());
    EXPECT_LT(*fit.r2Predicted, 0.5);
    EXPECT_TRUE(hasWarning(fit, "poor-prediction"));
}

TEST(Warnings, lackOfFitIsNamed)
{
    study::Study study = plainStudy({"A"});
    for (const double a : {-1.0, -1.0, 0.0, 0.0, 1.0, 1.0})
        addRun(study, {a}, 5 * a * a + 0.01 * static_cast<double>(study.runs.size() % 2));
    EXPECT_TRUE(hasWarning(fitResponse(study, "y", {.model = "linear"}), "lack-of-fit"));
}

} // namespace quadric::report
