// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/base/design.h"
#include "core/design/generate/latin_hypercube.h"
#include "design_fixture.h"

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

namespace quadric::design {
namespace {

double entry(const NamedMatrix& matrix, const std::string& row, const std::string& column)
{
    const auto r = std::find(matrix.rows.begin(), matrix.rows.end(), row) - matrix.rows.begin();
    const auto c = std::find(matrix.columns.begin(), matrix.columns.end(), column) - matrix.columns.begin();
    if (r >= matrix.values.rows() || c >= matrix.values.cols()) {
        ADD_FAILURE() << "no entry " << row << ", " << column;
        return std::nan("");
    }
    return matrix.values(r, c);
}

/// A straight line on n runs at each end: variance (1 + x²)/2n, so that a share f of −1…+1 has at most
/// (1 + f²)/2n.
TEST(DesignSpaceCurve, OfAStraightLineIsTheClosedForm)
{
    const Evaluation evaluation = evaluate(codedStudy({{-1}, {1}, {-1}, {1}, {-1}, {1}}), "linear");
    ASSERT_EQ(evaluation.fds.size(), 101U);
    for (const FdsPoint& point : evaluation.fds)
        EXPECT_NEAR(point.se, std::sqrt((1.0 + point.fraction * point.fraction) / 6.0), 1.5e-3)
            << point.fraction;
    EXPECT_NEAR(evaluation.fds.back().se, std::sqrt(2.0 / 6.0), 1e-5);
    EXPECT_NEAR(evaluation.iValue, (1.0 + 1.0 / 3.0) / 6.0, 1e-12);
    EXPECT_NEAR(evaluation.gEfficiency, 100.0, 1e-9);
}

/// Two factors at ±1: variance (1 + r²)/4. A disc of radius r ≤ 1 is the share πr²/4 of the square.
TEST(DesignSpaceCurve, OfAPlaneIsTheClosedForm)
{
    const Evaluation evaluation = evaluate(codedStudy({{-1, -1}, {1, -1}, {-1, 1}, {1, 1}}), "linear");
    for (const FdsPoint& point : evaluation.fds) {
        if (point.fraction > std::numbers::pi / 4.0)
            break;
        EXPECT_NEAR(point.se, std::sqrt((1.0 + 4.0 * point.fraction / std::numbers::pi) / 4.0), 2e-3);
    }
}

TEST(DesignSpaceCurve, IsTheSameForASeedAndAscends)
{
    const study::Study study = codedStudy({{-1, -1}, {1, -1}, {-1, 1}, {1, 1}, {0, 0}});
    const Evaluation first = evaluate(study, "linear");
    const Evaluation second = evaluate(study, "linear");
    const Evaluation other = evaluate(study, "linear", {.designSpaceSeed = 2});
    for (std::size_t i = 0; i < first.fds.size(); ++i) {
        EXPECT_EQ(first.fds[i].se, second.fds[i].se);
        EXPECT_TRUE(i == 0 || first.fds[i].se >= first.fds[i - 1].se);
    }
    EXPECT_NE(first.fds[50].se, other.fds[50].se);
}

/// Half of the square is legal; over it the mean of x² is still 1/3, so that the average variance is
/// (1 + 2/3)/4.
TEST(DesignSpaceCurve, KeepsToTheLegalRegion)
{
    study::Study study = codedStudy({{-1, -1}, {1, -1}, {-1, 1}, {1, 1}});
    study.constraints = {"a + b <= 0"};
    const Evaluation evaluation = evaluate(study, "linear");
    EXPECT_NEAR(evaluation.regionShare, 0.5, 0.01);
    EXPECT_NEAR(evaluation.iValue, 5.0 / 12.0, 2e-3);
    EXPECT_THAT(evaluation.region, testing::HasSubstr("legal settings only"));
    EXPECT_THAT(evaluation.region, testing::HasSubstr("50"));
}

/// Legal values alone decide: of the integers −1, 0, 1 only 0 is even.
TEST(DesignSpaceCurve, TakesIntegersToLegalValues)
{
    study::Study study = codedStudy({{-1, -1}, {1, -1}, {-1, 1}, {1, 1}, {0, 0}});
    study.factors[0].type = study::FactorType::Integer;
    study.constraints = {"a % 2 == 0"};
    const Evaluation evaluation = evaluate(study, "linear");
    EXPECT_NEAR(evaluation.regionShare, 0.5, 0.01);
    EXPECT_NEAR(evaluation.iValue, 1.0 / 5.0 + 1.0 / 12.0, 2e-3) << "1/n for the mean, E b² / 4 for b";
}

TEST(DesignSpaceCurve, SaysThatNothingIsLegal)
{
    study::Study study = codedStudy({{-1, -1}, {1, -1}, {-1, 1}, {1, 1}});
    study.constraints = {"a > 5"};
    const Evaluation evaluation = evaluate(study, "linear");
    EXPECT_TRUE(evaluation.fds.empty());
    EXPECT_THAT(evaluation.region, testing::HasSubstr("No legal setting"));
}

/// Myers, Montgomery & Anderson-Cook, section on the bias of an underspecified model: a straight line on
/// −1, 0, 1 has E(b₀) = β₀ + 2/3 β₁₁, E(b₁) = β₁.
TEST(AliasMatrix, OfAStraightLineOnThreeLevels)
{
    const NamedMatrix alias = evaluate(codedStudy({{-1}, {0}, {1}}), "linear").aliasMatrix;
    EXPECT_NEAR(entry(alias, "1", "a^2"), 2.0 / 3.0, 1e-12);
    EXPECT_EQ(entry(alias, "a", "a^2"), 0.0);
}

/// Half of 2³ with I = ABC: each main effect carries one interaction in full.
TEST(AliasMatrix, OfAHalfFraction)
{
    const Evaluation evaluation =
        evaluate(codedStudy({{-1, -1, 1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, 1}}), "linear");
    const NamedMatrix& alias = evaluation.aliasMatrix;
    EXPECT_NEAR(entry(alias, "a", "b*c"), 1.0, 1e-12);
    EXPECT_NEAR(entry(alias, "b", "a*c"), 1.0, 1e-12);
    EXPECT_NEAR(entry(alias, "c", "a*b"), 1.0, 1e-12);
    EXPECT_EQ(entry(alias, "a", "a*b"), 0.0);
    EXPECT_NEAR(entry(evaluation.correlation, "a", "b*c"), 1.0, 1e-12);
    EXPECT_THAT(evaluation.aliases, testing::Contains(testing::ElementsAre("a", "b*c")));
}

/// A second-order model on 2² with a star at distance α: the cubic a³ goes into a with Σx⁴/Σx² =
/// (4 + 2α⁴)/(4 + 2α²), and a·b² with 4/(4 + 2α²) (Box & Draper 2007, section 13.8).
TEST(AliasMatrix, OfACentralComposite)
{
    const double s = std::numbers::sqrt2;
    const study::Study study =
        codedStudy({{-1, -1}, {1, -1}, {-1, 1}, {1, 1}, {-s, 0}, {s, 0}, {0, -s}, {0, s}, {0, 0}, {0, 0}});
    const NamedMatrix alias = evaluate(study, "quadratic").aliasMatrix;
    EXPECT_NEAR(entry(alias, "a", "a^3"), 12.0 / 8.0, 1e-12);
    EXPECT_NEAR(entry(alias, "a", "a*b^2"), 4.0 / 8.0, 1e-12);
    EXPECT_EQ(entry(alias, "b", "a^3"), 0.0);
}

TEST(CorrelationMap, HasTheNamesOfItsColumns)
{
    const NamedMatrix map = evaluate(codedStudy({{-1}, {0}, {1}, {1}}), "quadratic").correlation;
    EXPECT_THAT(map.columns, testing::ElementsAre("a", "a^2"));
    // a: −1 0 1 1, mean ¼, squares 11/4; a²: 1 0 1 1, mean ¾, squares ¾; products 1/4.
    EXPECT_NEAR(entry(map, "a", "a^2"), 0.25 / std::sqrt(2.75 * 0.75), 1e-12);
    EXPECT_NEAR(entry(map, "a", "a"), 1.0, 1e-12);
}

TEST(Comparison, NamesTheBetterDesign)
{
    const Evaluation small = evaluate(codedStudy({{-1, -1}, {1, -1}, {-1, 1}, {1, 1}, {0, 0}}), "linear");
    const Evaluation large = evaluate(
        codedStudy({{-1, -1}, {1, -1}, {-1, 1}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}, {1, 1}}), "linear");
    const std::vector<ComparisonRow> rows = compare({&small, &large, &small});
    const auto row = [&](const std::string& name) {
        const auto found =
            std::find_if(rows.begin(), rows.end(), [&](const ComparisonRow& r) { return r.key == name; });
        EXPECT_NE(found, rows.end()) << name;
        return found == rows.end() ? ComparisonRow{} : *found;
    };
    using Marks = std::vector<bool>;
    EXPECT_EQ(row("Runs").isBest, Marks({true, false, true}));
    EXPECT_EQ(row("Power a").isBest, Marks({false, true, false}));
    EXPECT_EQ(row("Average prediction variance").isBest, Marks({false, true, false}));
    EXPECT_EQ(row("Coefficients").isBest, Marks({false, false, false}));
    EXPECT_DOUBLE_EQ(row("D efficiency").values[1].value_or(0.0), 100.0);
    EXPECT_EQ(row("D efficiency").name, "D-efficiency");
    // 2² cannot estimate squares: its efficiency for fewer coefficients is not better than that for all.
    const Evaluation curved =
        evaluate(codedStudy({{-1, -1}, {1, -1}, {-1, 1}, {1, 1}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}, {0, 0}}),
                 "quadratic");
    const Evaluation flat = evaluate(codedStudy({{-1, -1}, {1, -1}, {-1, 1}, {1, 1}, {1, 1}}), "linear");
    for (const ComparisonRow& r : compare({&curved, &flat})) {
        if (r.key == "D efficiency") {
            EXPECT_EQ(r.isBest, Marks({false, false}));
        }
    }
}

using ::testing::HasSubstr;

TEST(LatinHypercube, EveryColumnIsAPermutation)
{
    const Eigen::MatrixXi rows = maximinLatinHypercube(20, 4, 1);
    for (Eigen::Index i = 0; i < 4; ++i) {
        std::set<int> values(rows.col(i).begin(), rows.col(i).end());
        EXPECT_EQ(values.size(), 20U);
        EXPECT_EQ(*values.begin(), 0);
        EXPECT_EQ(*values.rbegin(), 19);
    }
}

/// Largest possible smallest distances of Latin hypercubes in two dimensions, squared: van Dam, Husslage, den
/// Hertog & Melissen 2007, table 1 (Euclidean maximin): n = 5: 5, 6: 5, 7: 8, 9: 10, 10: 10.
TEST(LatinHypercube, ReachesTheKnownBestInTwoDimensions)
{
    for (const auto& [runs, squared] : {std::pair{5, 5}, {6, 5}, {7, 8}, {9, 10}, {10, 10}})
        EXPECT_NEAR(std::pow(smallestDistance(maximinLatinHypercube(runs, 2, 42)), 2.0), squared, 1e-9)
            << runs;
}

TEST(LatinHypercube, FillsTheSpaceBetterThanChance)
{
    // A random hypercube of 30 runs in 3 factors has a smallest distance near 4 steps.
    EXPECT_GT(smallestDistance(maximinLatinHypercube(30, 3, 7)), 8.0);
}

TEST(LatinHypercube, DependsOnTheSeedOnly)
{
    EXPECT_EQ(maximinLatinHypercube(12, 3, 5), maximinLatinHypercube(12, 3, 5));
    EXPECT_NE(maximinLatinHypercube(12, 3, 5), maximinLatinHypercube(12, 3, 6));
}

TEST(LatinHypercube, StopsWhenAsked)
{
    std::stop_source source;
    source.request_stop();
    EXPECT_THROW(maximinLatinHypercube(12, 3, 5, source.get_token()), Stopped);
    double done = 0.0;
    maximinLatinHypercube(12, 3, 5, {}, {.done = [&](double part) { done = part; }});
    EXPECT_EQ(done, 1.0);
}

TEST(LatinHypercube, SettingsCanBeRunAndLevelsAreEven)
{
    study::Study study = test::continuousStudy(1, "latin-hypercube");
    study.factors.push_back(
        {.name = "n", .type = study::FactorType::Integer, .low = 8, .high = 64, .multipleOf = 8});
    study.factors.push_back(
        {.name = "d", .type = study::FactorType::Discrete, .low = 1, .high = 25, .levels = {1, 4, 25}});
    study.factors.push_back(test::categorical("c", 2));
    study.design.runs = 24;
    study = layOut(study);
    ASSERT_EQ(study.runs.size(), 24U);
    std::map<study::Value, int> d;
    std::map<study::Value, int> c;
    std::set<study::Value> a;
    for (const study::Run& run : study.runs) {
        EXPECT_EQ(std::fmod(study::numberOf(run.settings.at("n")), 8.0), 0.0);
        ++d[run.settings.at("d")];
        ++c[run.settings.at("c")];
        a.insert(run.settings.at("a"));
    }
    EXPECT_EQ(a.size(), 24U);
    EXPECT_EQ(d, (std::map<study::Value, int>{{1.0, 8}, {4.0, 8}, {25.0, 8}}));
    EXPECT_EQ(c, (std::map<study::Value, int>{{"c1", 12}, {"c2", 12}}));
    study.design.runs = 0;
    EXPECT_EQ(layOut(study).runs.size(), 40U) << "ten a factor";
    study.design.blocks = 2;
    EXPECT_THAT(test::messageOf(study), HasSubstr("no orthogonal blocks"));
}

} // namespace
} // namespace quadric::design
