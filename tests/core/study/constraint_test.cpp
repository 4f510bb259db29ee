// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/space/constraint.h"

#include "study_fixtures.h"

#include <gmock/gmock.h>

#include <random>

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

TEST(ConstraintTest, RandomTextNeverDoesHarm)
{
    const std::vector<std::string> pieces = {"gpus", "zero", "and", "or",  "not", " ",  "(",
                                             ")",    "<",    "==",  "<=",  "+",   "-",  "*",
                                             "/",    "%",    "1",   "2.5", "'x'", "\"", std::string(1, '\0'),
                                             "ü",    "\xff", "1e",  "..",  "!"};
    std::mt19937 random(7);
    std::uniform_int_distribution<std::size_t> piece(0, pieces.size() - 1);
    std::uniform_int_distribution<int> length(0, 30);
    int parsed = 0;
    for (int i = 0; i < 50000; ++i) {
        std::string text;
        for (int n = length(random); n > 0; --n)
            text += pieces[piece(random)];
        try {
            const Constraint constraint(text);
            ++parsed;
            static_cast<void>(constraint.holds(kSettings));
        } catch (const std::invalid_argument& error) {
            EXPECT_STRNE(error.what(), "");
        }
    }
    EXPECT_GT(parsed, 0);
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

} // namespace
} // namespace quadric::study
