// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/factor.h"
#include "core/study/shown_study.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace quadric::study {
namespace {

Factor integerFactor(double low, double high, std::int64_t multipleOf, Scale scale = Scale::Linear)
{
    return {.name = "n",
            .type = FactorType::Integer,
            .low = low,
            .high = high,
            .scale = scale,
            .multipleOf = multipleOf};
}

TEST(FactorTest, ValueTextIsShortestAndPlain)
{
    EXPECT_EQ(toText(36.0), "36");
    EXPECT_EQ(toText(0.5), "0.5");
    EXPECT_EQ(toText(0.1), "0.1");
    EXPECT_EQ(toText(-0.0), "0");
    EXPECT_EQ(toText(100000.0), "100000");
    EXPECT_EQ(toText(0.0001), "0.0001");
    EXPECT_EQ(toText(1e20), "1e+20");
    EXPECT_EQ(toText(std::string("bf16")), "bf16");
}

TEST(FactorTest, NumberOfACategoryIsNotANumber)
{
    EXPECT_EQ(numberOf(8.0), 8.0);
    EXPECT_TRUE(std::isnan(numberOf(std::string("8"))));
}

TEST(FactorTest, ContinuousValuesAreNotSnapped)
{
    EXPECT_EQ(snapToLegal(Factor{.low = 0.0, .high = 1.0}, 0.3333), 0.3333);
}

TEST(FactorTest, IntegersSnapToTheNearestMultipleOnTheirScale)
{
    const Factor linear = integerFactor(8, 64, 8);
    EXPECT_EQ(snapToLegal(linear, 35.9), 32.0);
    EXPECT_EQ(snapToLegal(linear, 36.1), 40.0);
    // Between 8 and 16 the log2 scale has its middle at 8·√2 = 11.31, the linear one at 12.
    const Factor log2 = integerFactor(8, 64, 8, Scale::Log2);
    EXPECT_EQ(snapToLegal(log2, 11.5), 16.0);
    EXPECT_EQ(snapToLegal(linear, 11.5), 8.0);
    EXPECT_EQ(snapToLegal(log2, 0.01), 8.0);
    EXPECT_EQ(snapToLegal(log2, -5.0), 8.0);
}

TEST(FactorTest, AValueInsideTheRangeStaysInside)
{
    const Factor factor = integerFactor(9, 31, 8); // legal inside: 16, 24
    EXPECT_EQ(snapToLegal(factor, 9.0), 16.0);
    EXPECT_EQ(snapToLegal(factor, 31.0), 24.0);
    const Factor none = integerFactor(9, 15, 8); // no multiple of 8 inside
    EXPECT_EQ(snapToLegal(none, 10.0), 8.0);
}

TEST(FactorTest, AxialValuesSnapBeyondTheRange)
{
    EXPECT_EQ(snapToLegal(integerFactor(8, 64, 8), 83.1), 80.0);
    EXPECT_EQ(snapToLegal(integerFactor(8, 64, 8), -11.1), -8.0);
}

TEST(FactorTest, DiscreteValuesSnapToTheNearestLevelOnTheirScale)
{
    Factor factor{
        .name = "b", .type = FactorType::Discrete, .low = 1, .high = 100, .levels = {1, 4, 25, 100}};
    EXPECT_EQ(snapToLegal(factor, 12.0), 4.0); // 8 away from 4, 13 from 25
    factor.scale = Scale::Log2;
    EXPECT_EQ(snapToLegal(factor, 12.0), 25.0); // factors 3 and 2.083
    EXPECT_EQ(snapToLegal(factor, 1e9), 100.0);
}

TEST(FactorTest, EverySnappedIntegerIsTheBestOfAllCandidates)
{
    for (const Scale scale : {Scale::Linear, Scale::Log2}) {
        const Factor factor = integerFactor(3, 50, 3, scale);
        const auto place = [&](double v) { return scale == Scale::Log2 ? std::log2(v) : v; };
        for (double actual = 3.0; actual <= 50.0; actual += 0.37) {
            double best = 3.0;
            for (int candidate = 3; candidate <= 48; candidate += 3) {
                if (std::abs(place(candidate) - place(actual)) < std::abs(place(best) - place(actual)))
                    best = candidate;
            }
            EXPECT_EQ(snapToLegal(factor, actual), best) << actual;
        }
    }
}

TEST(FactorTest, NonFiniteValuesComeBack)
{
    const Factor factor = integerFactor(0, 10, 1);
    EXPECT_TRUE(std::isnan(snapToLegal(factor, std::nan(""))));
    EXPECT_TRUE(std::isinf(snapToLegal(factor, std::numeric_limits<double>::infinity())));
}

TEST(FactorTest, LegalValuesAreListedAscending)
{
    EXPECT_EQ(legalValues(integerFactor(8, 64, 8), 10, 32), (std::vector<double>{16, 24, 32}));
    EXPECT_EQ(legalValues(integerFactor(-4, 4, 2), -4, 1), (std::vector<double>{-4, -2, 0}));
    EXPECT_EQ(legalValues(integerFactor(1, 9, 1, Scale::Log2), -3, 2), (std::vector<double>{1, 2}));
    const Factor discrete{.type = FactorType::Discrete, .levels = {1, 4, 25}};
    EXPECT_EQ(legalValues(discrete, 2, 30), (std::vector<double>{4, 25}));
    EXPECT_TRUE(legalValues(Factor{}, 0, 1).empty());
    EXPECT_TRUE(legalValues(integerFactor(0, 10, 1), 5, 4).empty());
}

TEST(FactorTest, TooManyLegalValuesAreNotListed)
{
    EXPECT_TRUE(legalValues(integerFactor(0, 1e18, 1), 0, 1e18).empty());
    EXPECT_TRUE(legalValues(integerFactor(0, 100, 1), 0, 100, 100).empty());
    EXPECT_EQ(legalValues(integerFactor(0, 100, 1), 0, 100, 101).size(), 101U);
}

} // namespace
} // namespace quadric::study

using namespace quadric::study;

namespace {

/// One numeric and one categorical factor, a response, a run, a formula and a constraint that use `name`.
Study renamedStudy(const std::string& name, const std::string& level)
{
    Study study;
    study.factors.resize(2);
    study.factors[0].name = name;
    study.factors[1].name = "kind";
    study.factors[1].type = FactorType::Categorical;
    study.factors[1].categories = {level, "other"};
    study.responses.resize(1);
    study.responses[0].name = "y\n" + name;
    study.model[study.responses[0].name] = name + " + " + name + "^2";
    study.constraints = {name + " <= 4"};
    study.runs.resize(1);
    study.runs[0].settings = {{name, 1.0}, {"kind", level}};
    study.runs[0].results[study.responses[0].name] = 7.0;
    study.runs[0].spread[study.responses[0].name] = 0.5;
    return study;
}

} // namespace

TEST(ShownText, KeepsWhatCanBeRead)
{
    EXPECT_EQ(shownText("größte Länge µ ≥ 3"), "größte Länge µ ≥ 3");
}

TEST(ShownText, ReplacesWhatCannotBeSeen)
{
    EXPECT_EQ(shownText(std::string("a\0b\x1b[31m\x7f", 9)), "a b [31m ");
    EXPECT_EQ(shownText("exe\u202Efdp\u2066"), "exe fdp ");
    EXPECT_EQ(shownText("next\u0085line\u2028"), "next line ");
}

TEST(ShownText, ShortensBetweenCharacters)
{
    EXPECT_EQ(shownText("ääää", 3), "äää…");
    EXPECT_EQ(shownText("äää", 3), "äää");
}

TEST(DisplayNames, LeaveAnOrdinaryStudyAsItIs)
{
    Study study = renamedStudy("batch", "bf16");
    study.responses[0].name = "y";
    study.runs[0].results = {{"y", 7.0}};
    study.runs[0].spread.clear();
    study.model.clear();
    EXPECT_EQ(withDisplayNames(study), study);
}

TEST(DisplayNames, AreUsedWhereverTheStudyUsesTheName)
{
    const std::string longName(5000, 'x');
    const Study shown = withDisplayNames(renamedStudy(longName, "level\n" + longName));
    const std::string name = shown.factors[0].name;
    EXPECT_EQ(name, std::string(kLongestShown, 'x') + "…");
    const std::string level = shown.factors[1].categories[0];
    EXPECT_EQ(shown.runs[0].settings, (Settings{{name, 1.0}, {"kind", level}}));
    const std::string response = shown.responses[0].name;
    EXPECT_EQ(shown.runs[0].results.at(response), 7.0);
    EXPECT_EQ(shown.runs[0].spread.at(response), 0.5);
    EXPECT_EQ(shown.model.at(response), name + " + " + name + "^2");
    EXPECT_EQ(shown.constraints[0], name + " <= 4");
}

TEST(DisplayNames, OfDifferentFactorsStayDifferent)
{
    Study study;
    study.factors.resize(3);
    study.factors[0].name = "a b";
    study.factors[1].name = "a\nb";
    study.factors[2].name = "a\tb";
    const Study shown = withDisplayNames(study);
    EXPECT_EQ(shown.factors[0].name, "a b");
    EXPECT_EQ(shown.factors[1].name, "a b (2)");
    EXPECT_EQ(shown.factors[2].name, "a b (3)");
}
