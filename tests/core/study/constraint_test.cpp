// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/space/constraint.h"
#include "core/study/space/constraint_program.h"
#include "core/study/space/feasible_grid.h"
#include "core/study/space/legal_space.h"
#include "study_fixtures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <stdexcept>

namespace quadric::study {
namespace {

using testing::messageOf;

const Settings kSettings = {{"gpus", 8.0}, {"batch", 32.0}, {"zero", 0.0}, {"precision", "bf16"}};

bool holds(const std::string& text)
{
    return Constraint(text).holds(kSettings);
}

std::string parseError(const std::string& text)
{
    return messageOf<std::invalid_argument>([&] { Constraint{text}; });
}

TEST(ConstraintTest, ComparesArithmetic)
{
    EXPECT_TRUE(holds("gpus * batch <= 256"));
    EXPECT_FALSE(holds("gpus * batch < 256"));
    EXPECT_TRUE(holds("gpus % 3 == 2"));
    EXPECT_TRUE(holds("-gpus + 2 * 3 - 1 == -3"));
    EXPECT_TRUE(holds("2 + 3 * 4 == 14"));
    EXPECT_TRUE(holds("(2 + 3) * 4 == 20"));
    EXPECT_TRUE(holds("8 / 4 / 2 == 1"));
    EXPECT_TRUE(holds("8 - 4 - 2 == 2"));
    EXPECT_TRUE(holds("--gpus != 1.5e1"));
    EXPECT_TRUE(holds("-7 % 4 == -3")); // rounded towards 0
}

TEST(ConstraintTest, JoinsConditions)
{
    EXPECT_TRUE(holds("gpus > 1 and batch > 1"));
    EXPECT_FALSE(holds("gpus > 1 and batch > 100"));
    EXPECT_TRUE(holds("gpus > 100 or batch > 1"));
    EXPECT_TRUE(holds("not gpus > 100"));
    EXPECT_TRUE(holds("1 == 1 or 1 == 2 and 1 == 3")); // and binds stronger
    EXPECT_FALSE(holds("(1 == 1 or 1 == 2) and 1 == 3"));
    EXPECT_FALSE(holds("not (gpus == 8 and batch == 32)"));
}

TEST(ConstraintTest, ComparesTexts)
{
    EXPECT_TRUE(holds("precision == \"bf16\""));
    EXPECT_TRUE(holds("precision != 'fp32' and gpus == 8"));
    EXPECT_FALSE(holds("\"fp32\" == precision"));
}

TEST(ConstraintTest, WhatHangsOnSomethingUndefinedDoesNotHold)
{
    EXPECT_FALSE(holds("gpus / zero > 1"));
    EXPECT_FALSE(holds("gpus / zero != 1"));
    EXPECT_FALSE(holds("not (gpus / zero == 1)"));
    EXPECT_FALSE(holds("gpus % zero == 0"));
    EXPECT_FALSE(holds("1e300 * 1e300 > 1"));
    EXPECT_FALSE(holds("gpus / zero > 1 or batch > 100"));
    EXPECT_FALSE(holds("gpus / zero > 1 and batch > 1"));
    EXPECT_FALSE(holds("not (gpus / zero > 1 or batch > 100)"));
}

TEST(ConstraintTest, WhatDoesNotHangOnSomethingUndefinedIsJudged)
{
    EXPECT_TRUE(holds("zero == 0 or gpus / zero > 1"));
    EXPECT_TRUE(holds("gpus / zero > 1 or zero == 0"));
    EXPECT_TRUE(holds("not (gpus / zero > 1 and batch > 100)"));
    EXPECT_TRUE(holds("not (batch > 100 and gpus / zero > 1)"));
}

TEST(ConstraintTest, ListsItsNamesOnce)
{
    EXPECT_THAT(Constraint("b * a + b < c").names(), ::testing::ElementsAre("b", "a", "c"));
}

TEST(ConstraintTest, ErrorsNameColumnAndExpectation)
{
    EXPECT_EQ(parseError(""), "column 1: expected a number, a name or (");
    EXPECT_EQ(parseError("gpus"), "column 1: expected a condition such as a * b <= 8");
    EXPECT_EQ(parseError("gpus <="), "column 8: expected a number, a name or (");
    EXPECT_EQ(parseError("(gpus < 3"), "column 10: expected )");
    EXPECT_EQ(parseError("1 < gpus < 3"), "column 10: expected one comparison; write a < b and b < c");
    EXPECT_EQ(parseError("gpus = 3"), "column 6: expected an operator such as + or <= or ==, or the end");
    EXPECT_EQ(parseError("2gpus < 3"), "column 2: expected an operator after the number");
    EXPECT_EQ(parseError("system(1) < 3"), "column 7: expected an operator; there are no functions");
    EXPECT_EQ(parseError("gpus < 3 and batch"), "column 13: expected a condition such as a * b <= 8");
    EXPECT_EQ(parseError("a == 'x"), "column 6: expected a closing quote");
    EXPECT_THAT(parseError("(a < b) + 1 < 3"),
                ::testing::StartsWith("column 1: expected a number or a name"));
    EXPECT_THAT(parseError("1e999 < a"), ::testing::StartsWith("column 1: expected a number"));
}

TEST(ConstraintTest, MissingAndWrongValuesAreNamed)
{
    const auto error = [](const std::string& text) {
        return messageOf<std::invalid_argument>([&] { static_cast<void>(holds(text)); });
    };
    EXPECT_EQ(error("nodes > 1"), "nodes has no value, expected a factor or a fixed setting");
    EXPECT_EQ(error("precision > 1"), "precision is the text \"bf16\", expected a number");
    EXPECT_EQ(error("gpus == 'eight'"), "\"eight\" is a text, expected a number");
}

TEST(ConstraintTest, DeepNestingIsRefusedAndLongChainsWork)
{
    EXPECT_THAT(parseError(std::string(3000, '(') + "1<2" + std::string(3000, ')')),
                ::testing::HasSubstr("at most 4096 characters"));
    EXPECT_THAT(parseError(std::string(1000, '(') + "1<2"), ::testing::HasSubstr("levels of nesting"));
    EXPECT_THAT(parseError(std::string(1000, '-') + "1<2"), ::testing::HasSubstr("levels of nesting"));
    std::string chain = "1";
    for (int i = 0; i < 2000; ++i)
        chain += "+1";
    EXPECT_TRUE(holds(chain + "==2001"));
}

TEST(ConstraintTest, AStudyAddsItsFixedSettings)
{
    Study study = testing::smallStudy();
    study.fixed = {{"nodes", 2.0}};
    study.constraints = {"a * nodes <= 10", "a >= 1"};
    EXPECT_TRUE(isLegal(study, {{"a", 5.0}}));
    EXPECT_FALSE(isLegal(study, {{"a", 6.0}}));
    EXPECT_FALSE(isLegal(study, {{"a", 0.0}}));
    EXPECT_TRUE(isLegal(study, {{"a", 10.0}, {"nodes", 1.0}})); // the run's own value wins
}

Study constrained(const std::string& constraint)
{
    Study study;
    study.factors.resize(3);
    study.factors[0].name = "a";
    study.factors[1].name = "b";
    study.factors[2].name = "c";
    study.factors[2].type = FactorType::Categorical;
    study.factors[2].categories = {"x", "y"};
    study.fixed = {{"limit", 12.0}, {"mode", std::string("y")}};
    study.constraints = {constraint};
    return study;
}

const char* const kConstraints[] = {
    "a * b <= limit",
    "a + b > 3 and a - b < 4",
    "a % 2 == 0 or b / a >= 0.5",
    "b / a > 1 or c == \"x\"",
    "not (b % a == 1 and b > 0)",
    "b * 1e308 * a > 1 or a == b",
    "not (a < b)",
    "c == \"x\" or a > 2",
    "c != mode",
    "-a + 2 * b >= 1 and (c == \"y\" or b != 3)",
};

class ConstraintProgramAgrees : public ::testing::TestWithParam<const char*> {};

/// The study's own evaluation is the reference.
TEST_P(ConstraintProgramAgrees, AtPoints)
{
    const Study study = constrained(GetParam());
    const ConstraintProgram program(study);
    for (double a = -3.0; a <= 5.0; a += 0.5)
        for (double b = -3.0; b <= 5.0; b += 0.5)
            for (const int c : {0, 1}) {
                const Settings settings = {
                    {"a", a}, {"b", b}, {"c", study.factors[2].categories[static_cast<std::size_t>(c)]}};
                const Range ranges[] = {{a, a}, {b, b}, {double(c), double(c)}};
                EXPECT_EQ(program.judge(ranges) == Verdict::Yes, isLegal(study, settings))
                    << GetParam() << " at " << a << ", " << b << ", " << c;
            }
}

TEST_P(ConstraintProgramAgrees, OverRanges)
{
    const Study study = constrained(GetParam());
    const ConstraintProgram program(study);
    std::mt19937 generator(1);
    std::uniform_real_distribution<double> value(-3.0, 5.0);
    for (int i = 0; i < 300; ++i) {
        const auto [aLow, aHigh] = std::minmax({value(generator), value(generator)});
        const double b = value(generator);
        const double c = i % 2;
        const Range box[] = {{aLow, aHigh}, {b, b}, {c, c}};
        const Verdict verdict = program.judge(box);
        for (int j = 0; j <= 20; ++j) {
            const double a = aLow + j / 20.0 * (aHigh - aLow);
            const Range point[] = {{a, a}, {b, b}, {c, c}};
            EXPECT_TRUE(verdict == Verdict::Maybe || program.judge(point) == verdict) << GetParam();
        }
    }
}

TEST_P(ConstraintProgramAgrees, SignOfTheMargin)
{
    const std::string text = GetParam();
    if (text.find('%') != std::string::npos || text.find("!=") != std::string::npos ||
        text.find("==") != std::string::npos)
        return; // equalities have no margin
    const ConstraintProgram program(constrained(text));
    for (double a = -3.05; a <= 5.0; a += 0.5)
        for (double b = -3.02; b <= 5.0; b += 0.5) {
            const Range ranges[] = {{a, a}, {b, b}, {0.0, 0.0}};
            const double settings[] = {a, b, 0.0};
            EXPECT_EQ(program.judge(ranges) == Verdict::Yes, program.margin(settings) > 0.0) << text;
        }
}

INSTANTIATE_TEST_SUITE_P(Constraints, ConstraintProgramAgrees, ::testing::ValuesIn(kConstraints));

TEST(ConstraintProgram, DividingByZeroIsIllegal)
{
    const ConstraintProgram program(constrained("b / a >= 0.5"));
    const Range ranges[] = {{0.0, 0.0}, {1.0, 1.0}, {0.0, 0.0}};
    EXPECT_EQ(program.judge(ranges), Verdict::No);
}

TEST(ConstraintProgram, NamesWhatItCannotUse)
{
    EXPECT_THROW(ConstraintProgram(constrained("unknown <= 3")), std::invalid_argument);
    EXPECT_THROW(ConstraintProgram(constrained("c <= 3")), std::invalid_argument);
    EXPECT_THROW(ConstraintProgram(constrained("a <= ")), std::invalid_argument);
}

/// Two factors on log2 scales and a category.
Study constrainedStudy(std::vector<std::string> constraints)
{
    Study study;
    study.factors = {{.name = "gpus", .low = 8, .high = 128, .scale = Scale::Log2},
                     {.name = "batch", .low = 32, .high = 512, .scale = Scale::Log2},
                     {.name = "precision", .type = FactorType::Categorical, .categories = {"fp32", "bf16"}}};
    study.constraints = std::move(constraints);
    return study;
}

std::vector<double> nodesOf(const Factor& factor, int count)
{
    std::vector<double> nodes;
    for (int i = 0; i < count; ++i)
        nodes.push_back(factor.low * std::pow(factor.high / factor.low, double(i) / (count - 1)));
    return nodes;
}

/// Every node against the study's own evaluation.
void expectAsTheStudySays(const Study& study)
{
    const std::vector<double> x = nodesOf(study.factors[0], 23), y = nodesOf(study.factors[1], 19);
    for (const double level : {0.0, 1.0}) {
        const FeasibleGrid grid = feasibleGrid(study, {0, x}, {1, y}, {8.0, 32.0, level});
        for (std::size_t i = 0; i < x.size(); ++i)
            for (std::size_t j = 0; j < y.size(); ++j) {
                const Settings settings{{"gpus", x[i]},
                                        {"batch", y[j]},
                                        {"precision", study.factors[2].categories[std::size_t(level)]}};
                const bool isLegal = study::isLegal(study, settings);
                EXPECT_EQ(grid.isFeasible(Eigen::Index(i), Eigen::Index(j)), isLegal)
                    << study.constraints.front() << " at " << x[i] << ", " << y[j] << ", " << level;
                EXPECT_EQ(grid.reason(x[i], y[j]).empty(), isLegal);
            }
    }
}

TEST(FeasibleGrid, IsFeasibleAtTheNodesWhereTheConstraintsHold)
{
    expectAsTheStudySays(constrainedStudy({"gpus * batch <= 32768.5"}));
    expectAsTheStudySays(constrainedStudy({"gpus * batch <= 32768.5", "batch >= 2 * gpus - 0.1"}));
    expectAsTheStudySays(constrainedStudy({"not (precision == \"bf16\" and gpus > 60.5)"}));
    expectAsTheStudySays(constrainedStudy({"precision == \"fp32\" or batch / gpus < 3.01"}));
    expectAsTheStudySays(constrainedStudy({"precision != \"bf16\""}));
}

TEST(FeasibleGrid, NamesTheConstraintWithItsNumbers)
{
    const Study study = constrainedStudy({"gpus * batch <= 32768"});
    const FeasibleGrid grid = feasibleGrid(study, {0, {8, 128}}, {1, {32, 512}}, {8, 32, 0});
    EXPECT_EQ(grid.reason(100, 368), "gpus × batch = 36800 > 32768");
    EXPECT_EQ(grid.reason(100, 300), "");
}

TEST(FeasibleGrid, IsEmptyWhereNothingIsForbidden)
{
    EXPECT_TRUE(feasibleGrid(constrainedStudy({}), {0, {8, 128}}, {1, {32, 512}}, {8, 32, 0}).isEmpty());
    EXPECT_TRUE(
        feasibleGrid(constrainedStudy({"gpus < 1000"}), {0, {8, 128}}, {1, {32, 512}}, {8, 32, 0}).isEmpty());
    EXPECT_TRUE(feasibleGrid(constrainedStudy({"gpus < nothing"}), {0, {8, 128}}, {1, {32, 512}}, {8, 32, 0})
                    .isEmpty());
}

/// gpus × batch = 8192 crosses batch = 128 at 64; margins are nearly linear there.
TEST(FeasibleLine, HasTheBoundaryBetweenThePlaces)
{
    const Study study = constrainedStudy({"gpus * batch <= 8192"});
    const std::vector<double> places = nodesOf(study.factors[0], 31);
    const FeasibleLine line = feasibleLine(study, {0, places}, {0, 128, 0});
    const std::vector<Range> ranges = infeasibleRanges(study.factors[0], places, line);
    ASSERT_EQ(ranges.size(), 1u);
    EXPECT_NEAR(ranges[0].low, 64.0, 0.2);
    EXPECT_DOUBLE_EQ(ranges[0].high, places.back());
}

TEST(FeasibleLine, HasStretchesBetweenFeasibleOnes)
{
    const Study study = constrainedStudy({"gpus <= 16 or gpus >= 64"});
    const std::vector<double> places = nodesOf(study.factors[0], 31);
    const std::vector<Range> ranges =
        infeasibleRanges(study.factors[0], places, feasibleLine(study, {0, places}, {0, 32, 0}));
    ASSERT_EQ(ranges.size(), 1u);
    EXPECT_NEAR(ranges[0].low, 16.0, 1.0);
    EXPECT_NEAR(ranges[0].high, 64.0, 2.0);
}

TEST(FeasibleLine, OfACategoryIsItsLevels)
{
    const Study study = constrainedStudy({"precision != \"bf16\" or gpus < 32"});
    const auto rangesAt = [&study](double gpus) {
        const FeasibleLine line = feasibleLine(study, {2, {0, 1}}, {gpus, 64, 0});
        return infeasibleRanges(study.factors[2], {0, 1}, line);
    };
    EXPECT_TRUE(rangesAt(16).empty());
    ASSERT_EQ(rangesAt(64).size(), 1u);
    EXPECT_EQ(rangesAt(64)[0].low, 0.5);
    EXPECT_EQ(rangesAt(64)[0].high, 1.5);
}

/// A probability of running goes the same way, with its boundary at one half.
TEST(FeasibleLine, HasItsBoundaryAtAnyLevel)
{
    const Factor factor{.name = "x", .low = 0, .high = 4};
    const std::vector<Range> ranges =
        infeasibleRanges(factor, {0, 1, 2, 3, 4}, {{0.9, 0.7, 0.3, 0.1, 0.6}, 0.5});
    ASSERT_EQ(ranges.size(), 1u);
    EXPECT_DOUBLE_EQ(ranges[0].low, 1.5);
    EXPECT_DOUBLE_EQ(ranges[0].high, 3.8);
}

Study twoIntegers()
{
    Study study;
    study.factors.resize(2);
    study.factors[0] = {.name = "gpus", .type = FactorType::Integer, .low = 8, .high = 64, .multipleOf = 8};
    study.factors[1] = {.name = "batch", .type = FactorType::Integer, .low = 1, .high = 10};
    return study;
}

TEST(CountLegal, triesEveryCombination)
{
    Study study = twoIntegers();
    EXPECT_EQ(countLegal(study).combinations, 8 * 10);
    EXPECT_EQ(countLegal(study).legal, 80);
    study.constraints = {"gpus * batch <= 64"};
    // floor(64 / gpus) batches for 8, 16, … 64 GPUs: 8 + 4 + 2 + 2 + 1 + 1 + 1 + 1.
    EXPECT_EQ(countLegal(study).legal, 20);
    EXPECT_DOUBLE_EQ(countLegal(study).share, 0.25);
    study.constraints.push_back("gpus % 3 == 0");
    EXPECT_EQ(countLegal(study).legal, 2 + 1); // 24 and 48 GPUs
}

TEST(CountLegal, countsLevelsAndFixedSettings)
{
    Study study = twoIntegers();
    study.factors[0] = {.name = "kind", .type = FactorType::Categorical, .categories = {"a", "b", "c"}};
    study.fixed["limit"] = 4.0;
    study.constraints = {"batch <= limit or kind == \"c\""};
    EXPECT_EQ(countLegal(study).legal, 4 + 4 + 10);
}

TEST(CountLegal, measuresTheShareOfAContinuousRegion)
{
    Study study;
    study.factors.resize(2);
    study.factors[0] = {.name = "x", .low = 0.0, .high = 1.0};
    study.factors[1] = {.name = "y", .low = 0.0, .high = 1.0};
    EXPECT_EQ(countLegal(study).share, 1.0);
    EXPECT_FALSE(countLegal(study).combinations);
    study.constraints = {"x * x + y * y <= 1"};
    EXPECT_NEAR(countLegal(study).share, 0.785398, 0.005); // π/4
    study.constraints = {"x + y > 3"};
    EXPECT_EQ(countLegal(study).share, 0.0);
}

TEST(CountLegal, saysNothingCanBeRunForWhatCannotBeRead)
{
    Study study = twoIntegers();
    study.constraints = {"gpus * <= 3"};
    EXPECT_EQ(countLegal(study).legal, 0);
    study.constraints = {"nodes <= 3"};
    EXPECT_EQ(countLegal(study).legal, 0);
    study.factors[1].low = 20;
    EXPECT_THROW(countLegal(study), std::invalid_argument);
}

/// 8, 16, … 64 GPUs and 5 … 10: what the optimizer and the designs ask for.
TEST(LegalSpace, listsWhatCanBeRunAndRoundsTheRest)
{
    Study study = twoIntegers();
    const LegalSpace listed(study);
    EXPECT_EQ(listed.axis(0).actual, (std::vector<double>{8, 16, 24, 32, 40, 48, 56, 64}));
    EXPECT_EQ(listed.actualAt(0, listed.snap(0, 0.0)), 32.0); // 36 is between 32 and 40
    const LegalSpace rounded(study, {.mostListed = 3});
    EXPECT_TRUE(rounded.axis(0).snaps);
    EXPECT_EQ(rounded.actualAt(0, rounded.snap(0, 0.0)), 32.0);
    EXPECT_EQ(listed.settingsAt(listed.center()), rounded.settingsAt(rounded.center()));
    const LegalSpace held(study, {.held = {{"gpus", 48.0}}});
    EXPECT_EQ(held.settingsAt(held.center()).at("gpus"), Value(48.0));
    EXPECT_THROW(LegalSpace(study, {.held = {{"gpus", 47.0}}}), std::invalid_argument);
    EXPECT_THROW(LegalSpace(study, {.held = {{"nodes", 4.0}}}), std::invalid_argument);
}

/// Counts between whole nodes of 16 are left out of what is recommended, and of that only.
TEST(LegalSpace, leavesOutCountsBetweenWholeNodes)
{
    Study study = twoIntegers();
    const LegalSpaceOptions recommending{.hasWholeNodes = true};
    EXPECT_EQ(LegalSpace(study, recommending).axis(0).count(), 8U) << "no node is known";
    study.fixed["gpus_per_node"] = 16.0;
    EXPECT_EQ(LegalSpace(study).axis(0).count(), 8U) << "they can be run";
    const LegalSpace whole(study, recommending);
    EXPECT_EQ(whole.axis(0).actual, (std::vector<double>{8, 16, 32, 48, 64}));
    EXPECT_EQ(whole.actualAt(0, whole.snap(0, 0.0)), 32.0);
    EXPECT_EQ(whole.actualAt(0, whole.snap(0, -1.0)), 8.0);
    const LegalSpace held(study, {.held = {{"gpus", 24.0}}, .hasWholeNodes = true});
    EXPECT_EQ(held.settingsAt(held.center()).at("gpus"), Value(24.0)) << "as it was asked for";
}

TEST(LegalSpace, keepsCountsBetweenWholeNodesWhereNoOtherIsLegal)
{
    Study study = twoIntegers();
    study.fixed["gpus_per_node"] = 16.0;
    study.constraints = {"gpus > 32 and gpus < 48"};
    const LegalSpace space(study, {.hasWholeNodes = true});
    const auto nearest = space.nearest(space.center());
    ASSERT_TRUE(nearest.has_value());
    EXPECT_EQ(space.settingsAt(*nearest).at("gpus"), Value(40.0));
}

/// What a search that stops just short of an end has found is the end.
TEST(LegalSpace, placesBesideAnEndAreTheEnd)
{
    Study study;
    study.factors = {{.name = "compression", .low = 0.0, .high = 90.0}};
    const LegalSpace space(study);
    EXPECT_EQ(space.snap(0, -1.0 + 5e-10), -1.0);
    EXPECT_EQ(space.snap(0, 1.0 - 5e-10), 1.0);
    EXPECT_EQ(space.snap(0, 1.5), 1.0);
    EXPECT_EQ(space.snap(0, -1.0 + 1e-6), -1.0 + 1e-6);
}

TEST(LegalSpace, namesAFactorWithoutALegalValue)
{
    Study study = twoIntegers();
    study.factors[0].low = 9;
    study.factors[0].high = 15;
    EXPECT_THROW(LegalSpace(study).checkValues(), std::invalid_argument);
    study.factors[0].high = 1e9;
    EXPECT_NO_THROW(LegalSpace(study).checkValues()) << "too many to list is not none";
}

} // namespace
} // namespace quadric::study
