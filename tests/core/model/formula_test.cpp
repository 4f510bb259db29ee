// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/base/term.h"
#include "core/model/fit/reduce.h"
#include "core/model/predict/factor_effects.h"
#include "core/model/select/term_choice.h"
#include "oracle_study.h"

#include <gmock/gmock.h>

#include <cmath>
#include <stdexcept>

namespace quadric::model::test {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<study::Factor> threeFactors()
{
    std::vector<study::Factor> factors(3);
    factors[0].name = "A";
    factors[1].name = "batch_per_gpu";
    factors[2].name = "precision";
    factors[2].type = study::FactorType::Categorical;
    factors[2].categories = {"fp32", "bf16", "fp8"};
    return factors;
}

std::vector<std::string> namesOf(const std::string& model)
{
    const std::vector<study::Factor> factors = threeFactors();
    std::vector<std::string> names;
    for (const Term& term : parseModel(model, factors))
        names.push_back(nameOf(term, factors));
    return names;
}

std::string errorOf(const std::string& model)
{
    try {
        parseModel(model, threeFactors());
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "accepted";
}

} // namespace

TEST(Formula, namedOrders)
{
    EXPECT_THAT(namesOf("mean"), ElementsAre("1"));
    EXPECT_THAT(namesOf("linear"), ElementsAre("1", "A", "batch_per_gpu", "precision"));
    EXPECT_THAT(namesOf("interactions"),
                ElementsAre("1", "A", "batch_per_gpu", "precision", "A*batch_per_gpu", "A*precision",
                            "batch_per_gpu*precision"));
    EXPECT_THAT(namesOf("quadratic"),
                ElementsAre("1", "A", "batch_per_gpu", "precision", "A*batch_per_gpu", "A*precision",
                            "batch_per_gpu*precision", "A^2", "batch_per_gpu^2"));
}

TEST(Formula, hierarchyAddsParents)
{
    EXPECT_THAT(namesOf("batch_per_gpu*A"), ElementsAre("1", "A", "batch_per_gpu", "A*batch_per_gpu"));
    EXPECT_THAT(namesOf("A^2"), ElementsAre("1", "A", "A^2"));
    EXPECT_THAT(namesOf("A*A"), ElementsAre("1", "A", "A^2"));
    EXPECT_THAT(namesOf("A*batch_per_gpu*precision"),
                ElementsAre("1", "A", "batch_per_gpu", "precision", "A*batch_per_gpu", "A*precision",
                            "batch_per_gpu*precision", "A*batch_per_gpu*precision"));
}

TEST(Formula, orderOfWritingDoesNotMatter)
{
    EXPECT_EQ(namesOf(" A^2+batch_per_gpu *A + 1"), namesOf("1 + A + A*batch_per_gpu + A^2"));
    EXPECT_EQ(namesOf("A + A"), namesOf("A"));
}

TEST(Formula, mistakesAreNamed)
{
    EXPECT_THAT(errorOf("A + speed"), HasSubstr("there is no factor \"speed\", expected one of: mean"));
    EXPECT_THAT(errorOf("A + "), HasSubstr("expected a factor name at column 5"));
    EXPECT_THAT(errorOf(""), HasSubstr("expected a factor name"));
    EXPECT_THAT(errorOf("A - batch_per_gpu"), HasSubstr("found '-'"));
    EXPECT_THAT(errorOf("A^0"), HasSubstr("found exponent '0'"));
    EXPECT_THAT(errorOf("A^12"), HasSubstr("found exponent '12'"));
    EXPECT_THAT(errorOf("A^10*batch_per_gpu"), HasSubstr("degree 11"));
    EXPECT_THAT(errorOf("precision^2"), HasSubstr("categorical"));
    EXPECT_THAT(errorOf("(A)"), HasSubstr("expected a factor name at column 1"));
}

TEST(Columns, categoricalFactorsHaveSumToZeroContrasts)
{
    const std::vector<study::Factor> factors = threeFactors();
    const std::vector<Column> columns = columnsOf(parseModel("A*precision", factors), factors);
    std::vector<std::string> names;
    for (const Column& column : columns)
        names.push_back(column.name);
    EXPECT_THAT(names, ElementsAre("1", "A", "precision[fp32]", "precision[bf16]", "A*precision[fp32]",
                                   "A*precision[bf16]"));
    std::vector<study::CodedPoint> points;
    for (const double level : {0.0, 1.0, 2.0})
        points.emplace_back(Eigen::Vector3d(0.5, 0.0, level));
    Eigen::MatrixXd expected(3, 6);
    expected << 1, 0.5, 1, 0, 0.5, 0, 1, 0.5, 0, 1, 0, 0.5, 1, 0.5, -1, -1, -0.5, -0.5;
    EXPECT_EQ(modelMatrix(columns, points, factors), expected);
}

namespace {

const std::vector<study::Factor> kFactors{
    {.name = "A"},
    {.name = "B"},
    {.name = "C", .type = study::FactorType::Categorical, .categories = {"x", "y"}}};

Term term(const char* formula)
{
    return parseModel(formula, kFactors).back();
}

std::string without(const char* model, const char* name)
{
    return formulaOf(withoutTerm(parseModel(model, kFactors), term(name)), kFactors);
}

std::string with(const char* model, const char* name)
{
    return formulaOf(withTerm(parseModel(model, kFactors), term(name), kFactors), kFactors);
}

} // namespace

TEST(TermChoiceTest, ATermTakesItsChildrenWithIt)
{
    EXPECT_EQ(without("quadratic", "A"), "B + C + B*C + B^2");
    EXPECT_EQ(without("quadratic", "A*B"), "A + B + C + A*C + B*C + A^2 + B^2");
    EXPECT_EQ(without("linear", "C"), "A + B");
    EXPECT_EQ(without("A", "A"), "mean");
}

TEST(TermChoiceTest, ATermBringsItsParents)
{
    EXPECT_EQ(with("mean", "A*B"), "A + B + A*B");
    EXPECT_EQ(with("A + C", "B"), "linear");
    EXPECT_EQ(with("mean", "A^2"), "A + A^2");
    EXPECT_EQ(with("linear", "A"), "linear");
}

TEST(TermChoiceTest, AnOrderIsCalledByItsName)
{
    for (const char* name : {"mean", "linear", "interactions", "quadratic"})
        EXPECT_EQ(formulaOf(parseModel(name, kFactors), kFactors), name);
    EXPECT_EQ(formulaOf(parseModel("C + B + A", kFactors), kFactors), "linear");
    EXPECT_EQ(formulaOf(parseModel("A^3", kFactors), kFactors), "A + A^2 + A^3");
}

TEST(TermChoiceTest, AllOfTheQuadraticCanBeChosenAndWhatTheModelHasBeyond)
{
    const std::vector<Term> quadratic = parseModel("quadratic", kFactors);
    EXPECT_EQ(choosableTerms(parseModel("A", kFactors), kFactors), quadratic);
    const std::vector<Term> more = choosableTerms(parseModel("A^3", kFactors), kFactors);
    EXPECT_EQ(more.size(), quadratic.size() + 1);
    EXPECT_EQ(nameOf(more.back(), kFactors), "A^3");
}

namespace {

/// y = 10 + A + bc·B·C + ad·A·D on the corners, each twice, with a little noise.
study::Study fourFactors(double bc, double ad)
{
    study::Study study = plainStudy({"A", "B", "C", "D"});
    for (int copy = 0; copy < 2; ++copy)
        for (const std::vector<study::Value>& point : gridOf(4, {-1, 1})) {
            const auto at = [&point](std::size_t i) { return std::get<double>(point[i]); };
            const double noise = 0.1 * std::sin(40 * at(0) + 7 * at(1) + 3 * at(2) + 11 * at(3) + 5 * copy);
            addRun(study, point, 10 + at(0) + bc * at(1) * at(2) + ad * at(0) * at(3) + noise);
        }
    return study;
}

std::vector<FactorPair> pairsOf(double bc, double ad, std::size_t most)
{
    return pairsToShow(fitResponse(fourFactors(bc, ad), "y", {.model = "interactions"}), most);
}

} // namespace

TEST(FactorPairs, theStrongestInteractionIsFirst)
{
    const Fit fit = fitResponse(fourFactors(3, -5), "y", {.model = "interactions"});
    const std::vector<FactorPair> pairs = rankPairs(fit);
    ASSERT_EQ(pairs.size(), 6U);
    EXPECT_EQ(std::pair(pairs[0].first, pairs[0].second), std::pair(std::size_t{0}, std::size_t{3}));
    EXPECT_EQ(std::pair(pairs[1].first, pairs[1].second), std::pair(std::size_t{1}, std::size_t{2}));
    EXPECT_EQ(pairs[0].significance, Significance::Family);
    EXPECT_EQ(pairs[1].significance, Significance::Family);
    EXPECT_FALSE(pairs[2].isSignificant());
}

TEST(FactorPairs, onlySignificantOnesAreShownOfMany)
{
    EXPECT_EQ(pairsOf(3, -5, 6).size(), 6U); // so few are all shown
    EXPECT_EQ(pairsOf(3, -5, 3).size(), 2U);
    EXPECT_EQ(pairsOf(3, -5, 1).size(), 1U);
    EXPECT_EQ(pairsOf(0, 0, 3).size(), 1U); // none is significant: the strongest
}

TEST(FactorPairs, aModelWithoutInteractionsHasPairsOfNoSize)
{
    const Fit fit = fitResponse(fourFactors(3, -5), "y", {.model = "linear"});
    for (const FactorPair& pair : rankPairs(fit))
        EXPECT_EQ(pair.size, 0.0);
}

} // namespace quadric::model::test
