// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/generate/full_factorial.h"
#include "design_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quadric::design {
namespace {

using study::FactorType;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(FullFactorial, HasEveryCombinationOnceInStandardOrder)
{
    const study::Study study = layOut(test::continuousStudy(3, "full-factorial"));
    EXPECT_THAT(test::signTexts(test::codedRuns(study)),
                ElementsAre("---", "+--", "-+-", "++-", "--+", "+-+", "-++", "+++"));
}

TEST(FullFactorial, HasAnyNumberOfLevels)
{
    study::Study study = test::continuousStudy(2, "full-factorial");
    study.factors.push_back(test::categorical("c", 3));
    study.factors.push_back(
        {.name = "d", .type = FactorType::Discrete, .low = 1, .high = 100, .levels = {1, 4, 25, 100}});
    study.design.levels = {{"b", 5}};
    study = layOut(study);
    EXPECT_EQ(study.runs.size(), 2U * 5U * 3U * 4U);
    std::set<study::Settings> settings;
    std::map<double, int> levels;
    for (const study::Run& run : study.runs) {
        settings.insert(run.settings);
        ++levels[study::numberOf(run.settings.at("b"))];
    }
    EXPECT_EQ(settings.size(), study.runs.size());
    EXPECT_EQ(levels, (std::map<double, int>{{10, 24}, {12.5, 24}, {15, 24}, {17.5, 24}, {20, 24}}));
}

TEST(FullFactorial, LevelsAreEvenOnTheFactorsScale)
{
    study::Study study = test::continuousStudy(1, "full-factorial");
    study.factors[0] = {
        .name = "a", .type = FactorType::Integer, .low = 8, .high = 64, .scale = study::Scale::Log2};
    study.design.levels = {{"a", 4}};
    std::vector<double> values;
    for (const study::Run& run : layOut(study).runs)
        values.push_back(study::numberOf(run.settings.at("a")));
    EXPECT_THAT(values, ElementsAre(8, 16, 32, 64));
}

TEST(FullFactorial, TakesFewerLevelsOfADiscreteFactorFromItsList)
{
    const study::Factor factor{
        .name = "d", .type = FactorType::Discrete, .low = 1, .high = 9, .levels = {1, 2, 5, 8, 9}};
    EXPECT_THAT(factorialLevels(factor, 0), ElementsAre(-1, -0.75, 0, 0.75, 1));
    EXPECT_THAT(factorialLevels(factor, 3), ElementsAre(-1, 0, 1));
    EXPECT_THAT(factorialLevels(factor, 2), ElementsAre(-1, 1));
    EXPECT_THROW(factorialLevels(factor, 6), DesignError);
    EXPECT_THROW(factorialLevels(test::categorical("c", 3), 2), DesignError);
}

/// Montgomery 9: 3² in three blocks by the component AB, 3 runs each, main effects clear of blocks.
TEST(FullFactorial, DividesThreeLevelsIntoThreeBlocks)
{
    study::Study study = test::continuousStudy(2, "full-factorial");
    study.design.levels = {{"a", 3}, {"b", 3}};
    study.design.blocks = 3;
    study = layOut(study);
    std::map<int, std::multiset<double>> seen;
    for (const study::Run& run : study.runs)
        for (const char* name : {"a", "b"})
            seen[run.block].insert(study::numberOf(run.settings.at(name)));
    for (int block = 1; block <= 3; ++block)
        EXPECT_THAT(seen[block], ElementsAre(10, 10, 15, 15, 20, 20));
}

TEST(FullFactorial, CenterRunsGoThroughTheCategories)
{
    study::Study study = test::continuousStudy(2, "full-factorial");
    study.factors.push_back(test::categorical("c", 2));
    study.factors.push_back({.name = "d", .type = FactorType::Integer, .low = 1, .high = 2});
    study.design.centerRuns = 4;
    std::set<std::pair<std::string, double>> seen;
    for (const study::Run& run : layOut(study).runs) {
        if (run.kind != study::RunKind::Center)
            continue;
        EXPECT_EQ(study::numberOf(run.settings.at("a")), 15.0);
        seen.emplace(study::toText(run.settings.at("c")), study::numberOf(run.settings.at("d")));
    }
    EXPECT_EQ(seen.size(), 4U) << "c has two levels, and nothing lies between 1 and 2";
    study.factors.erase(study.factors.begin(), study.factors.begin() + 2);
    EXPECT_THAT(test::messageOf(study), HasSubstr("no center runs"));
}

TEST(FullFactorial, RefusesMoreRunsThanAnybodyMakes)
{
    study::Study study = test::continuousStudy(17, "full-factorial");
    EXPECT_THAT(test::messageOf(study), HasSubstr("131072 runs"));
}

} // namespace
} // namespace quadric::design
