// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fit/model_summary.h"
#include "core/model/fit/reduce.h"
#include "core/model/fit/tables.h"
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
    const Regression regression = solveRegression(data, study.factors, terms, 1e-10);
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
TEST(ModelSummaryTest, rowsAreTheFitsOfTheOrders)
{
    for (const std::string file :
         {"01_chemreact_ccd_blocks", "04_trebuchet_bbd3", "03_codata_3x3_replicated"}) {
        const nlohmann::json oracle = readOracle(file);
        const study::Study study = studyOf(oracle);
        const std::string response = oracle["analyses"][0]["response"];
        const ModelSummary summary = compareOrders(study, response);
        ASSERT_EQ(summary.orders.size(), 4U);
        const std::map<std::string, std::string> groups{
            {"linear", "Linear"}, {"interactions", "Interactions"}, {"quadratic", "Quadratic"}};
        for (const OrderSummary& row : summary.orders) {
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

TEST(ModelSummaryTest, suggestsTheOrderOfTheTruth)
{
    const auto suggested = [](double (*truth)(double, double, double)) {
        for (const OrderSummary& row : compareOrders(noisyStudy(truth, 5), "y").orders) {
            if (row.isSuggested)
                return row.name;
        }
        return std::string();
    };
    EXPECT_EQ(suggested([](double a, double, double) { return 1 + a; }), "linear");
    EXPECT_EQ(suggested(withOneInteraction), "interactions");
    EXPECT_EQ(suggested([](double a, double b, double c) { return a - b + c + a * a - c * c; }), "quadratic");
}

/// The suggestion is made by the rule of the recommended model: no order has a lower AICc.
TEST(ModelSummaryTest, suggestsTheLowestAicc)
{
    for (const std::string file : {"01_chemreact_ccd_blocks", "04_trebuchet_bbd3"}) {
        const nlohmann::json oracle = readOracle(file);
        const ModelSummary summary =
            compareOrders(studyOf(oracle), std::string(oracle["analyses"][0]["response"]));
        const auto suggested = std::ranges::find_if(summary.orders, &OrderSummary::isSuggested);
        ASSERT_NE(suggested, summary.orders.end()) << file;
        for (const OrderSummary& row : summary.orders)
            EXPECT_GE(row.aicc.value(), suggested->aicc.value()) << row.name;
    }
}

TEST(ModelSummaryTest, suggestsNothingWhereOnlyTheMeanCanBeCompared)
{
    study::Study study = plainStudy({"A", "B"});
    for (const std::vector<study::Value>& point : gridOf(2, {-1, 1})) {
        const double a = std::get<double>(point[0]), b = std::get<double>(point[1]);
        addRun(study, point, a + 0.1 * a * b);
    }
    const ModelSummary summary = compareOrders(study, "y");
    EXPECT_TRUE(std::ranges::none_of(summary.orders, &OrderSummary::isSuggested));
    EXPECT_THAT(summary.message, testing::HasSubstr("too few"));
}

TEST(ModelSummaryTest, ordersThatTheRunsCannotTellApartAreNamed)
{
    study::Study study = plainStudy({"A", "B"});
    for (const std::vector<study::Value>& point : gridOf(2, {-1, 1}))
        addRun(study, point, std::get<double>(point[0]) + 0.1 * std::get<double>(point[1]));
    addRun(study, {0.0, 0.0}, 0.3);
    addRun(study, {0.0, 0.0}, 0.2);
    const ModelSummary summary = compareOrders(study, "y");
    EXPECT_THAT(summary.orders.back().aliased, testing::ElementsAre("B^2"));
    EXPECT_FALSE(summary.orders.back().isSuggested);
    EXPECT_FALSE(compareOrders(plainStudy({"A"}), "y").message.empty());
    EXPECT_FALSE(compareOrders(study, "z").message.empty());
    EXPECT_FALSE(compareOrders(study, "y", {.transform = study::Transform{study::TransformKind::Log}})
                     .message.empty());
}

// Brute force: in every step no other removable term would lower AICc more, and at the end none lowers it.
TEST(ReductionTest, followsAiccStepByStep)
{
    const study::Study study = noisyStudy(withOneInteraction, 11);
    const Observations data = observationsOf(study, "y");
    const Reduction reduction =
        reduceByAicc(data, study.factors, termsOf(Order::Quadratic, study.factors), 1e-10);
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
                                {.model = "quadratic", .reduce = true});
    ASSERT_TRUE(fit.isOk());
    EXPECT_THAT(fit.model, testing::HasSubstr("A + B"));
    EXPECT_THAT(fit.model, testing::HasSubstr("A*B"));
    EXPECT_THAT(fit.choice, testing::HasSubstr("left out by AICc"));
}

TEST(ReductionTest, reducesASaturatedModel)
{
    const nlohmann::json oracle = readOracle("07_filtration_2p4_lenth");
    const study::Study study = studyOf(oracle);
    const Fit fit = fitResponse(study, "filtration", {.model = ourTerm("A:B:C:D", oracle), .reduce = true});
    ASSERT_TRUE(fit.isOk()) << fit.message;
    for (const char* term : {"A", "C", "D", "A:C", "A:D"})
        EXPECT_THAT(fit.model, testing::HasSubstr(ourTerm(term, oracle)));
    EXPECT_GT(fit.dfResidual, 5);
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
    EXPECT_EQ(fitResponse(study, "y", {.model = "linear", .reduce = true}).model, "A");
}

TEST(ReductionTest, autoSaysWhatWasDone)
{
    const Fit fit = fitResponse(noisyStudy(withOneInteraction, 2), "y", {.model = "auto"});
    ASSERT_TRUE(fit.isOk());
    EXPECT_THAT(fit.choice, testing::HasSubstr("Starting from the model 'quadratic'"));
    EXPECT_THAT(fit.model, testing::HasSubstr("A*B"));
    EXPECT_TRUE(fitResponse(noisyStudy(withOneInteraction, 2), "y").choice.empty());
}

} // namespace quadric::model::test
