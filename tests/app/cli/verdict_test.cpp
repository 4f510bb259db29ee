// SPDX-License-Identifier: GPL-3.0-or-later
// Whoever is asked about a fit gives the same verdict, in the same words. The window is asked in
// tests/widgets/explore.
#include "command_fixture.h"
#include "verdict_studies.h"

#include <gmock/gmock.h>

#include <fstream>

using quadric::test::Json;
using testing::HasSubstr;

namespace report = quadric::report;

namespace {

class VerdictCommand : public quadric::test::CommandTest {};

std::string escaped(std::string text)
{
    for (std::size_t at = 0; (at = text.find('<', at)) != text.npos;)
        text.replace(at, 1, "&lt;");
    return text;
}

const Json* findTopic(const Json& response, const std::string& code)
{
    for (const Json& line : response["report_card"])
        if (line["code"] == code)
            return &line;
    return nullptr;
}

} // namespace

TEST_F(VerdictCommand, AnalysisReportAndAuditAgree)
{
    for (const report::test::VerdictStudy& each : report::test::verdictStudies()) {
        SCOPED_TRACE(each.name);
        write(each.study, "s.quadric");
        const Json response = ask({"analyze", "s.quadric"})["responses"][0];
        const Json verdict = response["verdict"];
        EXPECT_EQ(verdict["verdict"], each.verdict) << verdict;
        EXPECT_EQ(verdict["code"], each.code) << verdict;
        const std::string sentence = verdict["sentence"];
        EXPECT_THAT(quadric({"analyze", "s.quadric"}).out, HasSubstr("Verdict: " + sentence));
        const Json* line = findTopic(response, each.code);
        ASSERT_NE(line, nullptr);
        EXPECT_THAT(sentence, HasSubstr((*line)["sentence"].get<std::string>()));
        EXPECT_EQ(quadric({"report", "s.quadric", "-o", "s.html", "--sections", "summary,models"}).status, 0);
        EXPECT_THAT(content("s.html"), HasSubstr(escaped(sentence)));
        if (response["r2"].is_number()) {
            std::ofstream(file("c.json")) << R"({"fits": [{"response": "y", "model": "linear", "r2": 1}]})";
            const Json fit = ask({"analyze", "s.quadric", "--model", "linear"});
            EXPECT_THAT(quadric({"audit", "s.quadric", "--claims", "c.json"}).out,
                        HasSubstr(fit["responses"][0]["verdict"]["sentence"].get<std::string>()));
        }
    }
}

namespace quadric::test {

namespace {

using ::testing::HasSubstr;

class Compare : public CommandTest {
protected:
    /// Speeds at 1, 2, 4 and 8 GPUs.
    void writeStudy(const std::string& name, const std::vector<double>& speeds,
                    const std::string& kernel) const
    {
        Json study = {{"quadric", 1},
                      {"name", name},
                      {"factors", {{{"name", "gpus"}, {"type", "integer"}, {"low", 1}, {"high", 8}}}},
                      {"responses", {{{"name", "tokens_per_sec"}, {"unit", "tok/s"}, {"goal", "maximize"}}}},
                      {"runs", Json::array()}};
        for (std::size_t i = 0; i < speeds.size(); ++i)
            study["runs"].push_back({{"id", i + 1},
                                     {"order", i + 1},
                                     {"settings", {{"gpus", 1 << i}}},
                                     {"status", "done"},
                                     {"results", {{"tokens_per_sec", speeds[i]}}},
                                     {"provenance", {{"source", "measured"}, {"kernel", kernel}}}});
        std::ofstream(file(name + ".quadric")) << study;
    }
};

} // namespace

TEST_F(Compare, SaysWhichIsFasterAndWhatChanged)
{
    writeStudy("before", {100, 195, 380, 700}, "6.1");
    writeStudy("after", {110, 216, 415, 775}, "6.12");
    const CommandResult told = quadric({"compare", "before.quadric", "after.quadric"});
    ASSERT_EQ(told.status, 0) << told.err;
    EXPECT_THAT(told.out, HasSubstr("tokens_per_sec: faster"));
    EXPECT_THAT(told.out, HasSubstr("6.12"));
    const Json json = ask({"compare", "before.quadric", "after.quadric"});
    EXPECT_EQ(json["responses"][0]["verdict"], "faster");
    EXPECT_EQ(json["responses"][0]["settings"], 4);
    EXPECT_NEAR(json["responses"][0]["estimate"].get<double>(), 1.1, 0.01);
    EXPECT_EQ(json["provenance"][0]["name"], "kernel");
    EXPECT_EQ(ask({"compare", "after.quadric", "before.quadric"})["responses"][0]["verdict"], "slower");
}

TEST_F(Compare, WhatCannotBeComparedIsWrongUse)
{
    writeStudy("before", {100, 195, 380, 700}, "6.1");
    writeStudy("empty", {}, "6.1");
    expectWrong({"compare", "before.quadric", "empty.quadric"}, {"No setting has a result"});
    EXPECT_EQ(quadric({"compare", "before.quadric"}).status, 2);
    EXPECT_EQ(quadric({"compare", "before.quadric", "before.quadric", "--confidence", "95"}).status, 2);
}

} // namespace quadric::test
