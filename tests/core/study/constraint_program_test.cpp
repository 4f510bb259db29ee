// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/space/constraint_program.h"

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>

namespace quadric::study {
namespace {

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

} // namespace
} // namespace quadric::study
