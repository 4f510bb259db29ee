// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/proposal/renames.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quadric::run {
namespace {

using ::testing::ElementsAre;

study::Study fullStudy()
{
    study::Study study;
    study.factors = {{.name = "a"}, {.name = "b"}};
    study.responses = {{.name = "y"}};
    study.constraints = {"a * b <= 100", "b == \"a b\" or not a > aa"};
    study.design.levels = {{"a", 3}};
    study.design.model = "a*b";
    study.model = {{"y", "a + a*b + b^2"}};
    study.benchmark.argv = {"run", "--a={a}", "{{a}}", "{b}{a}", "{aa}", "{"};
    study.benchmark.env = {{"A", "{a}"}};
    study.benchmark.parse = {
        .kind = study::ParseSpec::Kind::Regex, .patterns = {{"y", "y: {number}"}}, .file = "{a}.json"};
    study.runs = {
        {.id = 1, .settings = {{"a", 1.0}, {"b", 2.0}}, .results = {{"y", 3.0}}, .spread = {{"y", 0.1}}}};
    return study;
}

TEST(Renames, CarryAFactorThroughEverything)
{
    const study::Study after = withFactorsRenamed(fullStudy(), {{"a", "rate"}});
    EXPECT_THAT(after.benchmark.argv, ElementsAre("run", "--a={rate}", "{{a}}", "{b}{rate}", "{aa}", "{"));
    EXPECT_EQ(after.benchmark.env.at("A"), "{rate}");
    EXPECT_EQ(after.benchmark.parse.file, "{rate}.json");
    EXPECT_THAT(after.constraints, ElementsAre("rate * b <= 100", "b == \"a b\" or not rate > aa"));
    EXPECT_EQ(after.design.levels.at("rate"), 3);
    EXPECT_EQ(after.design.model, "rate*b");
    EXPECT_EQ(after.model.at("y"), "rate + rate*b + b^2");
    EXPECT_EQ(after.runs[0].settings, (study::Settings{{"rate", 1.0}, {"b", 2.0}}));
}

TEST(Renames, MayExchangeTwoNames)
{
    const study::Study after = withFactorsRenamed(fullStudy(), {{"a", "b"}, {"b", "a"}});
    EXPECT_THAT(after.benchmark.argv, ElementsAre("run", "--a={b}", "{{a}}", "{a}{b}", "{aa}", "{"));
    EXPECT_EQ(after.runs[0].settings, (study::Settings{{"b", 1.0}, {"a", 2.0}}));
    EXPECT_EQ(withFactorsRenamed(after, {{"a", "b"}, {"b", "a"}}), fullStudy()) << "and back";
}

TEST(Renames, CarryAResponseThroughEverything)
{
    const study::Study after = withResponsesRenamed(fullStudy(), {{"y", "speed"}});
    EXPECT_EQ(after.benchmark.parse.patterns.at("speed"), "y: {number}");
    EXPECT_EQ(after.runs[0].results.at("speed"), 3.0);
    EXPECT_EQ(after.runs[0].spread.at("speed"), 0.1);
    EXPECT_EQ(after.model.at("speed"), "a + a*b + b^2");
    EXPECT_FALSE(after.model.contains("y"));
}

TEST(RenameTracker, WaitsForANameOfItsOwn)
{
    RenameTracker names;
    names.show({"a", "b"});
    EXPECT_EQ(names.take({"", "b"}), Names());
    EXPECT_EQ(names.take({"b", "b"}), Names());
    EXPECT_EQ(names.take({"b", "a"}), (Names{{"a", "b"}, {"b", "a"}}));
    names.show({"b", "a"});
    EXPECT_EQ(names.take({"b", "c"}), (Names{{"a", "c"}}));
    EXPECT_EQ(names.take({"b"}), Names()) << "a row that went is no rename";
    EXPECT_EQ(names.take({"x"}), (Names{{"b", "x"}}));
}

} // namespace
} // namespace quadric::run
