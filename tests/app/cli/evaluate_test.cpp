// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_fixture.h"

#include <gmock/gmock.h>

using quadric::test::CommandResult;
using quadric::test::Json;

namespace {

class EvaluateCommand : public quadric::test::CommandTest {
protected:
    void SetUp() override
    {
        CommandTest::SetUp();
        write(quadric::test::boxBehnkenStudy([](double, double, double) { return 0.0; }), "bb.quadric");
    }

    /// The same with one corner a = b forbidden: 10 * 10 is above 60.
    void writeConstrained() const
    {
        quadric::study::Study study =
            quadric::test::boxBehnkenStudy([](double, double, double) { return 0.0; });
        study.runs.clear();
        study.constraints = {"a * b <= 60"};
        write(study, "legal.quadric");
    }
};

double powerOf(const Json& json, const std::string& term)
{
    for (const Json& row : json["power"]) {
        if (row["term"] == term)
            return row["power"];
    }
    ADD_FAILURE() << term;
    return 0.0;
}

} // namespace

// Power of the Box–Behnken design by R: tests/references/designs/evaluation.json.
TEST_F(EvaluateCommand, GivesEveryDocumentedKey)
{
    const CommandResult result = quadric({"evaluate", "bb.quadric", "--json", "--effect-sd", "1"});
    EXPECT_EQ(result.status, 0) << result.err;
    const Json json = result.json();
    for (const char* key :
         {"runs",         "model",       "df",           "d_efficiency",      "a_efficiency",
          "g_efficiency", "i_value",     "condition",    "max_leverage",      "vif",
          "power",        "fds",         "aliases",      "defining_relation", "resolution",
          "checks",       "correlation", "alias_matrix", "leverage",          "region",
          "legal",        "warnings"})
        EXPECT_TRUE(json.contains(key)) << key;
    EXPECT_NEAR(powerOf(json, "a"), 0.211414087749, 1e-8);
    EXPECT_NEAR(powerOf(json, "a^2"), 0.345008894356, 1e-8);
    EXPECT_EQ(json["power"][0]["effect_sd"], 1.0);
    ASSERT_EQ(json["fds"].size(), 101U);
    EXPECT_EQ(json["fds"][100]["fraction"], 1.0);
    EXPECT_EQ(json["leverage"].size(), 15U);
    EXPECT_EQ(json["correlation"]["rows"].size(), 9U);
    EXPECT_EQ(json["correlation"]["values"][0].size(), 9U);
    EXPECT_EQ(json["alias_matrix"]["rows"].size(), 10U);
    EXPECT_TRUE(json["resolution"].is_null());
}

TEST_F(EvaluateCommand, PrintsWhatMatters)
{
    const CommandResult result = quadric({"evaluate", "bb.quadric"});
    EXPECT_EQ(result.status, 0);
    for (const char* text : {"Efficiency: D", "standard error at most", "Power (2 σ)", "ok   Run count"})
        EXPECT_THAT(result.out, testing::HasSubstr(text));
}

TEST_F(EvaluateCommand, PutsTwoDesignsSideBySide)
{
    quadric::study::Study twice = quadric::test::boxBehnkenStudy([](double, double, double) { return 0.0; });
    const auto once = twice.runs;
    for (quadric::study::Run run : once) {
        run.id += 15;
        run.order += 15;
        twice.runs.push_back(run);
    }
    twice.design.replicates = 2;
    twice.design.centerRuns = 6;
    write(twice, "twice.quadric");
    const Json json = quadric({"evaluate", "bb.quadric", "--compare", "twice.quadric", "--json"}).json();
    EXPECT_EQ(json["first"]["runs"], 15);
    EXPECT_EQ(json["second"]["runs"], 30);
    for (const Json& row : json["comparison"]) {
        if (row["name"] == "D efficiency") {
            EXPECT_EQ(row["better"], 0) << "the same design twice is as efficient for each run";
        }
        if (row["name"] == "Average prediction variance") {
            EXPECT_EQ(row["better"], 2);
            EXPECT_NEAR(row["first"].get<double>(), 2.0 * row["second"].get<double>(), 1e-9);
        }
    }
    const CommandResult table = quadric({"evaluate", "bb.quadric", "--compare", "twice.quadric"});
    EXPECT_THAT(table.out, testing::HasSubstr("twice"));
    EXPECT_THAT(table.out, testing::HasSubstr("Power a*b"));
}

TEST_F(EvaluateCommand, SaysWhatWasMovedToLegalSettings)
{
    writeConstrained();
    const CommandResult laidOut = quadric({"design", "legal.quadric", "--type", "box-behnken"});
    ASSERT_EQ(laidOut.status, 0) << laidOut.err;
    EXPECT_THAT(laidOut.out, testing::HasSubstr("1 of 15 runs was changed"));
    const Json json = quadric({"evaluate", "legal.quadric", "--json"}).json();
    EXPECT_EQ(json["legal"]["repaired_runs"].size(), 1U);
    EXPECT_LT(json["legal"]["d_efficiency"]["legal"], json["legal"]["d_efficiency"]["designed"]);
    EXPECT_LT(json["region"]["share"], 1.0);
    EXPECT_THAT(quadric({"evaluate", "legal.quadric"}).out, testing::HasSubstr("1 of 15 runs was changed"));
}

TEST_F(EvaluateCommand, RefusesBadInput)
{
    EXPECT_EQ(quadric({"evaluate", "bb.quadric", "--effect-sd", "0"}).status, 2);
    EXPECT_EQ(quadric({"evaluate", "bb.quadric", "--effect-sd", "two"}).status, 2);
    EXPECT_EQ(quadric({"evaluate", "bb.quadric", "--compare", "none.quadric"}).status, 2);
    EXPECT_THAT(quadric({"evaluate", "bb.quadric", "--model", "a*q"}).err, testing::HasSubstr("q"));
}
