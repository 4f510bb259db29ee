// SPDX-License-Identifier: GPL-3.0-or-later
// How large a model is, without building it, and that one that is too large is refused before memory is
// taken.
#include "core/model/base/model_size.h"

#include "core/model/fit/fit.h"
#include "core/model/fit/model_candidates.h"
#include "core/model/select/term_choice.h"

#include <gmock/gmock.h>

namespace quadric::model {
namespace {

using ::testing::HasSubstr;

std::vector<study::Factor> numericFactors(std::size_t count)
{
    std::vector<study::Factor> factors(count);
    for (std::size_t i = 0; i < count; ++i) {
        factors[i].name = "x" + std::to_string(i);
        factors[i].low = -1.0;
    }
    return factors;
}

study::Factor category(const std::string& name, std::size_t levels)
{
    study::Factor factor;
    factor.name = name;
    factor.type = study::FactorType::Categorical;
    for (std::size_t i = 0; i < levels; ++i)
        factor.categories.push_back("l" + std::to_string(i));
    return factor;
}

/// Runs with the results 1, 2, 3 …, each with one factor high and the others low.
study::Study studyOf(std::vector<study::Factor> factors, int runs)
{
    study::Study study;
    study.factors = std::move(factors);
    study.responses = {{.name = "y"}};
    std::vector<study::Settings> settings(static_cast<std::size_t>(runs));
    for (std::size_t i = 0; i < settings.size(); ++i) {
        for (std::size_t f = 0; f < study.factors.size(); ++f) {
            const study::Factor& factor = study.factors[f];
            if (factor.isNumeric())
                settings[i][factor.name] = i % study.factors.size() == f ? 1.0 : -1.0;
            else
                settings[i][factor.name] = factor.categories[i % factor.categories.size()];
        }
    }
    study = withRuns(std::move(study), settings, study::RunKind::Design);
    for (study::Run& run : study.runs) {
        run.status = study::RunStatus::Done;
        run.results["y"] = run.id;
    }
    return study;
}

TEST(ModelSizeTest, CountsTheColumnsThatWouldBeBuilt)
{
    std::vector<study::Factor> factors = numericFactors(4);
    factors.push_back(category("c", 5));
    factors.push_back(category("d", 3));
    factors.push_back({.name = "gpus", .type = study::FactorType::Integer, .low = 1, .high = 2});
    factors.push_back(
        {.name = "nodes", .type = study::FactorType::Discrete, .low = 1, .high = 8, .levels = {1, 8}});
    for (const Order order : {Order::Mean, Order::Linear, Order::Interactions, Order::Quadratic}) {
        const std::vector<Term> terms = termsOf(order, factors);
        const auto built = static_cast<double>(columnsOf(terms, factors).size());
        EXPECT_EQ(countColumns(order, factors), built) << nameOf(order);
        EXPECT_EQ(countColumns(terms, factors), built) << nameOf(order);
    }
}

TEST(ModelSizeTest, TwoValuesHaveNoSquare)
{
    const std::vector<study::Factor> factors = {
        {.name = "gpus", .type = study::FactorType::Integer, .low = 1, .high = 2},
        {.name = "nodes", .type = study::FactorType::Integer, .low = 1, .high = 3},
        {.name = "batch", .type = study::FactorType::Integer, .low = 8, .high = 16, .multipleOf = 8},
        {.name = "rate", .low = 0.0, .high = 1.0}};
    std::vector<std::string> squares;
    for (const Term& term : termsOf(Order::Quadratic, factors)) {
        if (term.degree() == 2 && nameOf(term, factors).ends_with("^2"))
            squares.push_back(nameOf(term, factors));
    }
    EXPECT_THAT(squares, testing::ElementsAre("nodes^2", "rate^2"));
}

TEST(ModelSizeTest, CountsPolynomialsByTheBinomialCoefficient)
{
    EXPECT_EQ(countColumns(3, numericFactors(10)), 286.0);                      // C(13, 3)
    EXPECT_EQ(countColumns(3, numericFactors(1000)), 167'668'501.0);            // C(1003, 3)
    EXPECT_EQ(countColumns(Order::Quadratic, numericFactors(1000)), 501'501.0); // C(1002, 2)
}

TEST(ModelSizeTest, RefusesOneCoefficientMoreThanCanBeComputed)
{
    EXPECT_EQ(describeExcess("linear", kMostCoefficients, 0.0, 10.0), "");
    EXPECT_EQ(
        describeExcess("linear", kMostCoefficients + 1.0, 0.0, 10.0),
        "The model 'linear' has 1501 coefficients, at most 1500 can be computed: choose a smaller model, "
        "such as linear or a formula of fewer factors.");
    EXPECT_EQ(describeExcess("linear", kMostCoefficients - 9.0, 9.0, 10.0), "");
    EXPECT_THAT(describeExcess("linear", kMostCoefficients - 9.0, 10.0, 10.0),
                HasSubstr("1501 coefficients, 10 of them for blocks"));
}

TEST(ModelSizeTest, AllowsFewerCoefficientsForMoreRuns)
{
    EXPECT_EQ(describeExcess("linear", 1000.0, 0.0, 500.0), "");
    EXPECT_THAT(describeExcess("linear", 1001.0, 0.0, 500.0),
                HasSubstr("at most 1000 can be computed from 500 runs"));
    EXPECT_EQ(largestOrder(numericFactors(53), 0.0, 60.0), Order::Quadratic);
    EXPECT_EQ(largestOrder(numericFactors(54), 0.0, 60.0), Order::Interactions);
    EXPECT_EQ(largestOrder(numericFactors(60), 0.0, 60.0), Order::Linear);
    EXPECT_EQ(largestOrder(numericFactors(2000), 0.0, 60.0), Order::Mean);
}

TEST(ModelSizeTest, AFormulaIsReadUpToAsManyTermsAsCanBeComputed)
{
    const std::vector<study::Factor> factors = numericFactors(60);
    std::string formula = "x0";
    for (int i = 1; i < 60; ++i)
        formula += " + x" + std::to_string(i);
    int terms = 61; // and the intercept
    for (int i = 0; i < 60; ++i)
        for (int j = 0; j < i && terms < kMostCoefficients; ++j, ++terms)
            formula += " + x" + std::to_string(i) + "*x" + std::to_string(j);
    EXPECT_EQ(parseModel(formula, factors).size(), 1500U);
    EXPECT_THROW(parseModel(formula + " + x0^2", factors), ModelTooLarge);
    // Each of these has 1023 parents.
    EXPECT_THROW(
        parseModel("x0*x1*x2*x3*x4*x5*x6*x7*x8*x9 + x10*x11*x12*x13*x14*x15*x16*x17*x18*x19", factors),
        ModelTooLarge);
}

TEST(ModelSizeTest, AFitOfAThousandFactorsIsRefusedAndNamesTheSmallerModel)
{
    const Fit fit = fitResponse(studyOf(numericFactors(1000), 8), "y");
    EXPECT_EQ(fit.status, FitStatus::TooLarge);
    EXPECT_EQ(fit.message,
              "The model 'quadratic' has 501501 coefficients, at most 1500 can be computed: choose a "
              "smaller model, such as linear or a formula of fewer factors.");
}

TEST(ModelSizeTest, ACategoryOfManyLevelsAndABlockForEachRunAreRefused)
{
    EXPECT_EQ(fitResponse(studyOf({category("c", 99'999)}, 5), "y", {.model = "linear"}).status,
              FitStatus::TooLarge);
    study::Study blocks = studyOf(numericFactors(2), 3000);
    for (study::Run& run : blocks.runs)
        run.block = run.id;
    for (const char* model : {"mean", "linear", "auto"})
        EXPECT_EQ(fitResponse(blocks, "y", {.model = model}).status, FitStatus::TooLarge) << model;
}

TEST(ModelSizeTest, TheAutomaticModelTakesTheOrdersThatCanBeComputed)
{
    const study::Study study = studyOf(numericFactors(60), 200);
    const std::vector<OrderSummary> orders = compareOrders(fitResponse(study, "y", {.model = "linear"}));
    ASSERT_EQ(orders.size(), 2U);
    EXPECT_EQ(orders.back().order, Order::Linear);
    EXPECT_TRUE(fitResponse(study, "y", {.model = "auto"}).isOk());
    EXPECT_EQ(choosableTerms({}, study.factors).size(), 61U);
}

} // namespace
} // namespace quadric::model
