// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fit/diagnostics.h"
#include "core/model/fit/model_candidates.h"
#include "core/model/fit/reduce.h"
#include "core/model/fit/regression.h"
#include "core/model/fit/tables.h"
#include "core/model/predict/predict.h"
#include "core/model/select/model_choice.h"
#include "core/report/findings/fit_findings.h"
#include "core/report/tables/model_tables.h"
#include "oracle_study.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace quadric::model::test {
namespace {

void expectSame(const std::optional<double>& a, const std::optional<double>& b, const std::string& what)
{
    ASSERT_EQ(a.has_value(), b.has_value()) << what;
    if (a) {
        EXPECT_NEAR(*a, *b, 1e-9 * std::max(1.0, std::abs(*b))) << what;
    }
}

std::optional<double> pOf(const Fit& fit, const std::string& source)
{
    for (const AnovaRow& row : fit.anova) {
        if (row.source == source)
            return row.p;
    }
    return std::nullopt;
}

Observations observationsOf(const study::Study& study, const std::string& response)
{
    return collect(study, response);
}

/// AICc of a model given by its terms.
std::optional<double> aiccOf(const study::Study& study, const std::vector<Term>& terms)
{
    const Observations data = observationsOf(study, "y");
    const Regression regression = solveRegression(data, study.factors, terms);
    return correctedAkaike(regression.n, regression.parameters, regression.sse);
}

study::Study noisyStudy(double (*truth)(double, double, double), unsigned seed)
{
    study::Study study = plainStudy({"A", "B", "C"});
    std::mt19937 random(seed);
    for (const std::vector<study::Value>& point : gridOf(3, {-1, 0, 1})) {
        double noise = -6.0;
        for (int i = 0; i < 12; ++i)
            noise += static_cast<double>(random()) / 4294967296.0;
        addRun(study, point,
               truth(std::get<double>(point[0]), std::get<double>(point[1]), std::get<double>(point[2])) +
                   0.1 * noise);
    }
    return study;
}

double withOneInteraction(double a, double b, double c)
{
    return 5 + 2 * a - b + 1.5 * a * b + 0.0 * c;
}

} // namespace

// Every figure of the table is the figure of a fit of that order on its own.
TEST(CompareOrdersTest, rowsAreTheFitsOfTheOrders)
{
    for (const std::string file :
         {"01_chemreact_ccd_blocks", "04_trebuchet_bbd3", "03_codata_3x3_replicated"}) {
        const nlohmann::json oracle = readOracle(file);
        const study::Study study = studyOf(oracle);
        const std::string response = oracle["analyses"][0]["response"];
        const std::vector<OrderSummary> orders = compareOrders(fitResponse(study, response));
        ASSERT_EQ(orders.size(), 4U);
        const std::map<std::string, std::string> groups{
            {"linear", "Linear"}, {"interactions", "Interactions"}, {"quadratic", "Quadratic"}};
        for (const OrderSummary& row : orders) {
            SCOPED_TRACE(file + " " + row.name);
            const Fit fit = fitResponse(study, response, {.model = row.name});
            EXPECT_EQ(row.parameters, fit.parameters);
            EXPECT_EQ(row.dfResidual, fit.dfResidual);
            EXPECT_EQ(row.aliased, fit.aliased);
            expectSame(row.sigma, fit.sigma, "sigma");
            expectSame(row.r2, fit.r2, "r2");
            expectSame(row.r2Adjusted, fit.r2Adjusted, "r2 adjusted");
            expectSame(row.r2Predicted, fit.r2Predicted, "r2 predicted");
            expectSame(row.press, fit.press, "press");
            expectSame(row.aicc, fit.aicc, "aicc");
            expectSame(row.lackOfFitP, pOf(fit, "Lack of fit"), "lack of fit");
            if (groups.contains(row.name))
                expectSame(row.sequentialP, pOf(fit, groups.at(row.name)), "sequential");
        }
    }
}

TEST(CompareOrdersTest, ordersThatTheRunsCannotTellApartAreNamed)
{
    study::Study study = plainStudy({"A", "B"});
    for (const std::vector<study::Value>& point : gridOf(2, {-1, 1}))
        addRun(study, point, std::get<double>(point[0]) + 0.1 * std::get<double>(point[1]));
    addRun(study, {0.0, 0.0}, 0.3);
    addRun(study, {0.0, 0.0}, 0.2);
    const std::vector<OrderSummary> orders = compareOrders(fitResponse(study, "y"));
    EXPECT_THAT(orders.back().aliased, testing::ElementsAre("B^2"));
    EXPECT_TRUE(compareOrders(fitResponse(plainStudy({"A"}), "y")).empty());
    EXPECT_TRUE(compareOrders(fitResponse(study, "z")).empty());
    EXPECT_TRUE(
        compareOrders(fitResponse(study, "y", {.transform = study::Transform{study::TransformKind::Log}}))
            .empty());
}

// Brute force: in every step no other removable term would lower AICc more, and at the end none lowers it.
TEST(ReductionTest, followsAiccStepByStep)
{
    const study::Study study = noisyStudy(withOneInteraction, 11);
    const Observations data = observationsOf(study, "y");
    const Reduction reduction = reduceByAicc(data, study.factors, termsOf(Order::Quadratic, study.factors));
    EXPECT_NEAR(reduction.aicc.value(), aiccOf(study, reduction.terms).value(), 1e-8);
    std::vector<Term> terms = termsOf(Order::Quadratic, study.factors);
    for (const ReductionStep& step : reduction.steps) {
        EXPECT_NEAR(step.aiccBefore.value(), aiccOf(study, terms).value(), 1e-8);
        double best = 1e300;
        std::string bestName;
        for (const Term& term : terms) {
            std::vector<Term> rest = terms;
            std::erase(rest, term);
            const bool isHierarchical =
                parseModel(formulaOf(rest, study.factors), study.factors).size() == rest.size();
            if (term.isIntercept() || !isHierarchical)
                continue;
            if (const double aicc = aiccOf(study, rest).value(); aicc < best) {
                best = aicc;
                bestName = nameOf(term, study.factors);
            }
        }
        EXPECT_EQ(step.term, bestName);
        EXPECT_LT(best, aiccOf(study, terms).value());
        std::erase_if(terms, [&](const Term& term) { return nameOf(term, study.factors) == step.term; });
    }
    EXPECT_EQ(terms, reduction.terms);
}

TEST(ReductionTest, keepsTheHierarchy)
{
    const Fit fit = fitResponse(noisyStudy([](double a, double b, double) { return 3 * a * b; }, 3), "y",
                                {.model = "auto"});
    ASSERT_TRUE(fit.isOk());
    EXPECT_THAT(fit.model, testing::HasSubstr("A + B"));
    EXPECT_THAT(fit.model, testing::HasSubstr("A*B"));
    EXPECT_THAT(fit.choice, testing::HasSubstr("left out by AICc"));
}

TEST(ReductionTest, reducesASaturatedModel)
{
    const nlohmann::json oracle = readOracle("07_filtration_2p4_lenth");
    const study::Study study = studyOf(oracle);
    const Reduction reduction = reduceByAicc(observationsOf(study, "filtration"), study.factors,
                                             parseModel(ourTerm("A:B:C:D", oracle), study.factors));
    const std::string formula = formulaOf(reduction.terms, study.factors);
    for (const char* term : {"A", "C", "D", "A:C", "A:D"})
        EXPECT_THAT(formula, testing::HasSubstr(ourTerm(term, oracle)));
    EXPECT_LE(reduction.terms.size(), 10U) << "of 16 that the runs can estimate";
}

TEST(ReductionTest, anExactModelKeepsWhatItNeeds)
{
    study::Study study = plainStudy({"A", "B"});
    for (const std::vector<study::Value>& point : gridOf(2, {-1, 0, 1}))
        addRun(study, point, 4 + 2 * std::get<double>(point[0]));
    const Fit fit = fitResponse(study, "y", {.model = "auto"});
    EXPECT_EQ(fit.model, "A");
    for (study::Run& run : study.runs)
        run.results["y"] = 2.5;
    EXPECT_EQ(fitResponse(study, "y", {.model = "auto"}).model, "mean");
}

TEST(ReductionTest, dropsAWholeCategoricalFactor)
{
    study::Study study = plainStudy({"A", "kind"});
    study.factors[1].type = study::FactorType::Categorical;
    study.factors[1].categories = {"x", "y", "z"};
    int i = 0;
    for (const double a : {-1.0, -0.5, 0.0, 0.5, 1.0}) {
        for (const char* kind : {"x", "y", "z"})
            addRun(study, {a, std::string(kind)}, 2 * a + 0.01 * std::sin(7.0 * i++));
    }
    const Reduction reduction =
        reduceByAicc(observationsOf(study, "y"), study.factors, termsOf(Order::Linear, study.factors));
    EXPECT_EQ(formulaOf(reduction.terms, study.factors), "A");
}

TEST(ReductionTest, autoSaysWhatWasDone)
{
    const Fit fit = fitResponse(noisyStudy(withOneInteraction, 2), "y", {.model = "auto"});
    ASSERT_TRUE(fit.isOk());
    EXPECT_THAT(fit.choice, testing::HasSubstr("Starting from the model 'quadratic'"));
    EXPECT_THAT(fit.model, testing::HasSubstr("A*B"));
    EXPECT_TRUE(fitResponse(noisyStudy(withOneInteraction, 2), "y").choice.empty());
}

// Numbers of models whose terms were chosen. Expected values: R 4.2.2, tests/references/models/chosen_model.R

namespace {

const std::vector<double> kStrong = {9.2,  14.9, 11.3, 13.2, 9.7,  15.1, 9.9, 13.4,
                                     12.6, 11.3, 12.5, 12.4, 12.4, 10.8, 13.1};
const std::vector<double> kWeak = {10.3, 11.9, 9.6,  12.8, 8.9,  12.1, 10.9, 11.2,
                                   11.6, 9.4,  10.2, 11.7, 12.4, 11.1, 12.0};

/// The Box–Behnken design of three factors with three center runs.
study::Study boxBehnken(const std::vector<double>& y)
{
    const std::vector<std::vector<study::Value>> settings = {
        {-1.0, -1.0, 0.0}, {1.0, -1.0, 0.0}, {-1.0, 1.0, 0.0}, {1.0, 1.0, 0.0},   {-1.0, 0.0, -1.0},
        {1.0, 0.0, -1.0},  {-1.0, 0.0, 1.0}, {1.0, 0.0, 1.0},  {0.0, -1.0, -1.0}, {0.0, 1.0, -1.0},
        {0.0, -1.0, 1.0},  {0.0, 1.0, 1.0},  {0.0, 0.0, 0.0},  {0.0, 0.0, 0.0},   {0.0, 0.0, 0.0}};
    study::Study study = plainStudy({"A", "B", "C"});
    for (std::size_t i = 0; i < y.size(); ++i)
        addRun(study, settings[i], y[i]);
    return study;
}

Prediction predictChosen(const std::vector<double>& y)
{
    const Fit fit = fitResponse(boxBehnken(y), "y", {.model = "auto"});
    study::CodedPoint at{Eigen::Vector3d(0.5, -0.5, 0.25)};
    return predict(fit, at);
}

void expectPrediction(const Prediction& at, double mean, double se, const Interval& confidence,
                      const Interval& prediction)
{
    expectRelative(at.mean, mean, "mean");
    expectRelative(at.se.value(), se, "se");
    expectRelative(at.confidence.value().low, confidence.low, "confidence low");
    expectRelative(at.confidence.value().high, confidence.high, "confidence high");
    expectRelative(at.prediction.value().low, prediction.low, "prediction low");
    expectRelative(at.prediction.value().high, prediction.high, "prediction high");
}

// The chosen model has the larger error: terms that matter were left out.
TEST(ChosenModelTest, intervalsHaveTheCovarianceOfAllCandidates)
{
    const Prediction at = predictChosen(kWeak);
    expectPrediction(at, 11.570208333333, 0.426843469863, {10.619141814415, 12.521274852252},
                     {9.532187468459, 13.608229198208});
}

// The full model has the larger error.
TEST(ChosenModelTest, intervalsHaveTheLargerError)
{
    const Prediction at = predictChosen(kStrong);
    expectPrediction(at, 13.45125, 0.482291005782, {12.211481501047, 14.691018498953},
                     {10.794575605287, 16.107924394713});
}

TEST(ChosenModelTest, curvesAndSurfacesHaveTheSameIntervals)
{
    const study::Study study = boxBehnken(kWeak);
    const Fit fit = fitResponse(study, "y", {.model = "auto"});
    study::CodedPoint at{Eigen::Vector3d(0.0, 0.0, 0.5)};
    const EffectCurve curve = effectCurve(fit, 0, at, 5);
    const SurfaceGrid grid = surfaceGrid(fit, study, 0, 1, at, 5);
    for (int i = 0; i < 5; ++i) {
        at[0] = -1.0 + 0.5 * i;
        const Interval expected = predict(fit, at).confidence.value();
        EXPECT_NEAR(curve.low[static_cast<std::size_t>(i)], expected.low, 1e-12);
        EXPECT_NEAR(grid.low(i, 2), expected.low, 1e-12);
        EXPECT_NEAR(grid.high(i, 2), expected.high, 1e-12);
    }
}

TEST(ChosenModelTest, modelsThatWereGivenKeepTheirIntervals)
{
    const Fit fit = fitResponse(boxBehnken(kWeak), "y", {.model = "A + C + C^2"});
    const PredictionError error(fit);
    EXPECT_EQ(error.sigma(), fit.sigma);
    EXPECT_EQ(error.df(), fit.dfResidual);
    EXPECT_EQ(error.unscaledCovariance(), fit.unscaledCovariance);
    EXPECT_FALSE(isChosen(fit));
    EXPECT_FALSE(testSelection(fit));
    EXPECT_EQ(findModelP(fit), rowOf(fit, "Model")->p);
}

// 4,000 permutations in R: 0.176 where the model alone has 0.020.
TEST(ChosenModelTest, pCountsTheChoice)
{
    const Fit fit = fitResponse(boxBehnken(kWeak), "y", {.model = "auto"});
    EXPECT_EQ(fit.model, "A + B + C + B*C");
    EXPECT_NEAR(rowOf(fit, "Model")->p.value(), 0.02019853, 1e-8);
    EXPECT_TRUE(isChosen(fit));
    const SelectionTest test = testSelection(fit).value();
    EXPECT_NEAR(test.p, 0.1755, 0.1);
    EXPECT_GT(test.permutations, 0);
    EXPECT_EQ(test.p, testSelection(fitResponse(boxBehnken(kWeak), "y", {.model = "auto"}))->p);
    const std::vector<report::Finding> findings = report::findInFit(fit);
    const auto found = std::ranges::find(findings, "Fit", &report::Finding::topic);
    ASSERT_NE(found, findings.end());
    EXPECT_EQ(found->code, "no-significant-model");
    EXPECT_THAT(found->sentence, testing::HasSubstr("chosen by these data"));
    EXPECT_THAT(report::makeCoefficientTable(fit).note, testing::HasSubstr("chosen by these data"));
}

TEST(ChosenModelTest, aStrongModelNeedsNoPermutations)
{
    std::vector<double> y(kStrong.size());
    const study::Study study = boxBehnken(y);
    for (std::size_t i = 0; i < y.size(); ++i) {
        const study::CodedPoint at = study::Coding(study.factors).toCoded(study.runs[i].settings);
        y[i] = 50.0 + 20.0 * at[0] - 10.0 * at[1] + 0.1 * kWeak[i];
    }
    const SelectionTest test = testSelection(fitResponse(boxBehnken(y), "y", {.model = "auto"})).value();
    EXPECT_EQ(test.permutations, 0);
    EXPECT_LT(test.p, 0.001);
}

// Blocks are 10 apart: permuted across them, the noise would be ten times as large.
TEST(ChosenModelTest, responsesArePermutedWithinBlocks)
{
    study::Study study = boxBehnken(kWeak);
    study::Study shifted = study;
    for (std::size_t i = 0; i < study.runs.size(); ++i) {
        const bool isSecond = i % 2 == 1;
        study.runs[i].block = shifted.runs[i].block = isSecond ? 2 : 1;
        shifted.runs[i].results["y"] += isSecond ? 8.0 : 0.0;
    }
    const SelectionTest a = testSelection(fitResponse(study, "y", {.model = "auto"})).value();
    const SelectionTest b = testSelection(fitResponse(shifted, "y", {.model = "auto"})).value();
    EXPECT_NEAR(a.p, b.p, 0.08);
}

/// Three levels of A, three runs at each: 10 + 3A + 4A² with errors.
study::Study bentStudy()
{
    study::Study study = plainStudy({"A"});
    for (const double error : {0.2, -0.3, 0.1})
        for (const double a : {-1.0, 0.0, 1.0})
            addRun(study, {a}, 10 + 3 * a + 4 * a * a + error * (1.0 + 0.2 * a));
    return study;
}

double widthAt(const Fit& fit, double a)
{
    const Interval interval =
        predict(fit, study::CodedPoint(Eigen::VectorXd::Constant(1, a))).confidence.value();
    return interval.high - interval.low;
}

/// Between its three levels (x + 1) x (x − 1) is unseen: an error of a quarter of the square's coefficient
/// times that comes to the one of the model.
TEST(UnseenBends, widenIntervalsBetweenThreeLevels)
{
    const study::Study study = bentStudy();
    const Fit chosen = fitResponse(study, "y", {.model = "auto"});
    const Fit given = fitResponse(study, "y", {.model = "A + A^2"});
    ASSERT_EQ(chosen.terms, given.terms);
    ASSERT_EQ(chosen.unseenBends.size(), 1U);
    EXPECT_TRUE(given.unseenBends.empty()) << "a model that is given keeps textbook intervals";
    const double square = coefficientOf(given, "A^2").estimate;
    for (const double a : {-1.0, -0.5, 0.0, 0.3, 1.0}) {
        const study::CodedPoint at(Eigen::VectorXd::Constant(1, a));
        const double unseen = 0.25 * square * (a + 1) * a * (a - 1);
        EXPECT_NEAR(predict(chosen, at).se.value(), std::hypot(predict(given, at).se.value(), unseen), 1e-9)
            << a;
    }
    EXPECT_GT(widthAt(chosen, 0.5), widthAt(chosen, 0.0));
    EXPECT_GT(widthAt(chosen, 0.5), widthAt(chosen, 1.0));
}

TEST(UnseenBends, areSeenByAFourthLevelAndAbsentFromALine)
{
    study::Study four = bentStudy();
    addRun(four, {0.5}, 12.6);
    const Fit seen = fitResponse(four, "y", {.model = "auto"});
    ASSERT_EQ(seen.terms.size(), 3U);
    EXPECT_TRUE(seen.unseenBends.empty());
    study::Study line = bentStudy();
    for (study::Run& run : line.runs)
        run.results["y"] -= 4 * std::pow(std::get<double>(run.settings.at("A")), 2);
    const Fit straight = fitResponse(line, "y", {.model = "auto"});
    ASSERT_EQ(straight.terms.size(), 2U);
    EXPECT_TRUE(straight.unseenBends.empty());
}

/// y is the product of two factors, so that logarithms are chosen by themselves.
study::Study productStudy()
{
    study::Study study = plainStudy({"a", "b"});
    for (study::Factor& factor : study.factors) {
        factor.low = 1;
        factor.high = 16;
    }
    study.responses.push_back({.name = "z"});
    for (const std::vector<study::Value>& point : gridOf(2, {1, 4, 16})) {
        const double product = std::get<double>(point[0]) * std::get<double>(point[1]);
        addRun(study, point, product * (1.0 + 0.01 * static_cast<double>(study.runs.size() % 3)));
        study.runs.back().results["z"] = 3.0 * product;
    }
    return study;
}

TEST(ChosenModels, AreNotStoredByAnotherChange)
{
    const study::Study stored = productStudy();
    const study::Study analyzed = withChosenModels(stored);
    ASSERT_EQ(analyzed.factors[0].scale, study::Scale::Log2);
    ASSERT_EQ(analyzed.responses[0].transform.kind, study::TransformKind::Log);
    study::Study after = analyzed;
    after.responses[0].weight = 3.0;
    study::Study expected = stored;
    expected.responses[0].weight = 3.0;
    EXPECT_EQ(withoutChosenModels(after, analyzed, stored), expected);
}

TEST(ChosenModels, AreStoredWithAChoiceByHand)
{
    const study::Study stored = productStudy();
    const study::Study analyzed = withChosenModels(stored);
    study::Study changed = analyzed;
    changed.factors[1].scale = study::Scale::Linear;
    study::Study formula = analyzed;
    formula.model["z"] = "linear";
    for (const study::Study& after : {withTransform(analyzed, "y", {}), changed, formula}) {
        const study::Study kept = withoutChosenModels(after, analyzed, stored);
        EXPECT_EQ(kept, after);
        EXPECT_EQ(withChosenModels(kept), kept) << "nothing is left to the rule";
    }
}

TEST(ChosenModels, ComeBackWhenTheChoiceByHandIsTaken)
{
    const study::Study stored = productStudy();
    const study::Study analyzed = withChosenModels(stored);
    EXPECT_EQ(withoutChosenModels(withoutModels(analyzed), analyzed, stored), stored);
    const study::Study byHand = withTransform(analyzed, "y", {study::TransformKind::Sqrt});
    const study::Study again = withoutChosenModels(withoutModels(byHand), byHand, byHand);
    EXPECT_TRUE(again.model.empty());
    EXPECT_EQ(withChosenModels(again), analyzed);
}

} // namespace
} // namespace quadric::model::test
