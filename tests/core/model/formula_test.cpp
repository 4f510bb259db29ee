// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/base/term.h"

#include <gmock/gmock.h>

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

} // namespace quadric::model::test
