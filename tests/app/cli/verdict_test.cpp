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

class VerdictCommand : public quadric::test::CommandTest {
protected:
    std::string content(const std::string& name) const
    {
        std::ifstream stream(file(name));
        return {std::istreambuf_iterator<char>(stream), {}};
    }
};

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
        const Json response = quadric({"analyze", "s.quadric", "--json"}).json()["responses"][0];
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
            const Json fit = quadric({"analyze", "s.quadric", "--model", "linear", "--json"}).json();
            EXPECT_THAT(quadric({"audit", "s.quadric", "--claims", "c.json"}).out,
                        HasSubstr(fit["responses"][0]["verdict"]["sentence"].get<std::string>()));
        }
    }
}

/// The window called a model fair or poor by its predicted R² and its adequate precision, which the report
/// card of `analyze --json` called green or amber.
TEST_F(VerdictCommand, TheReportCardJudgesPredictionLikeTheVerdict)
{
    for (const report::test::VerdictStudy& each : report::test::verdictStudies()) {
        write(each.study, "s.quadric");
        const Json response = quadric({"analyze", "s.quadric", "--json"}).json()["responses"][0];
        if (!response["r2_pred"].is_number())
            continue;
        const double predicted = response["r2_pred"];
        for (const Json& line : response["report_card"])
            if (line["topic"] == "Prediction") {
                EXPECT_EQ(line["verdict"] == "red", predicted < 0.5) << each.name << ": " << line;
                EXPECT_EQ(line["verdict"] == "green",
                          predicted >= 0.8 && response["r2"].get<double>() - predicted <= 0.2)
                    << each.name << ": " << line;
            }
    }
}
