// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fit/reduce.h"
#include "core/model/select/term_choice.h"

#include <gmock/gmock.h>

namespace quadric::model::test {
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

} // namespace quadric::model::test
