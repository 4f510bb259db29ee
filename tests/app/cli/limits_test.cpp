// SPDX-License-Identifier: GPL-3.0-or-later
// Studies that are too large to be analyzed open, and are exported and reported all the same; what is refused
// is refused with a sentence, within the memory that a small study takes.
#include "command_fixture.h"
#include "tests/support/test_paths.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace quadric::test {
namespace {

using ::testing::HasSubstr;

/// KiB of address space: a thousand factors took 6 GB.
constexpr const char* kWithinLimit = "ulimit -v 1500000; exec \"$0\" \"$@\"";

class LimitsTest : public CommandTest {
protected:
    CommandResult bounded(std::vector<std::string> arguments) const
    {
        arguments.insert(arguments.begin(), {"-c", kWithinLimit, builtPath("bin/quadric")});
        return program("/bin/sh", arguments);
    }

    std::string content(const std::string& name) const
    {
        std::ifstream in(m_folder / name, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    }

    void expectUsable(const std::string& study) const
    {
        for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
                 {"info", study},
                 {"info", study, "--json"},
                 {"status", study},
                 {"export", study, "--format", "csv", "-o", file("table.csv")},
                 {"report", study, "-o", file("report.html")}}) {
            const CommandResult result = bounded(command);
            EXPECT_EQ(result.status, 0) << command[0] << ": " << result.err;
        }
    }

    void expectRefused(const std::vector<std::string>& command, const std::string& sentence) const
    {
        const CommandResult result = bounded(command);
        EXPECT_GT(result.status, 0) << command[0];
        EXPECT_THAT(result.err, HasSubstr(sentence)) << command[0];
    }
};

study::Study measured(study::Study study, int runs)
{
    std::vector<study::Settings> settings(static_cast<std::size_t>(runs));
    for (std::size_t i = 0; i < settings.size(); ++i) {
        for (std::size_t f = 0; f < study.factors.size(); ++f) {
            const study::Factor& factor = study.factors[f];
            if (factor.isNumeric())
                settings[i][factor.name] = static_cast<double>((i * (f + 3) + i / 3) % 3) - 1.0;
            else
                settings[i][factor.name] = factor.categories[i % factor.categories.size()];
        }
    }
    study.name = "large";
    study.design.type = "custom";
    study = withRuns(std::move(study), settings, study::RunKind::Design);
    for (study::Run& run : study.runs) {
        run.status = study::RunStatus::Done;
        for (const study::Response& each : study.responses)
            run.results[each.name] = 10.0 + run.id % 7 + 0.1 * (run.id % 11);
    }
    return study;
}

TEST_F(LimitsTest, AThousandFactors)
{
    study::Study study;
    for (int i = 0; i < 1000; ++i)
        study.factors.push_back(numericFactor("x" + std::to_string(i), -1.0, 1.0));
    study.responses = {response("y")};
    write(measured(std::move(study), 8), "s.quadric");
    expectUsable("s.quadric");
    const std::string sentence =
        "The model 'quadratic' has 501501 coefficients, at most 1500 can be computed";
    expectRefused({"analyze", "s.quadric"}, sentence);
    expectRefused({"evaluate", "s.quadric"}, sentence);
    expectRefused({"optimize", "s.quadric"}, sentence);
    expectRefused({"plot", "s.quadric", "--kind", "pareto", "-o", file("p.svg")}, sentence);
}

TEST_F(LimitsTest, ACategoryOfNearlyAHundredThousandLevels)
{
    study::Study study;
    study::Factor factor;
    factor.name = "c";
    factor.type = study::FactorType::Categorical;
    for (int i = 0; i < 99'999; ++i)
        factor.categories.push_back("l" + std::to_string(i));
    study.factors = {numericFactor("x", -1.0, 1.0), factor};
    study.responses = {response("y")};
    write(measured(std::move(study), 20), "s.quadric");
    expectUsable("s.quadric");
    EXPECT_THAT(bounded({"info", "s.quadric"}).out, HasSubstr("l99, … (99899 more levels)"));
    expectRefused({"analyze", "s.quadric"}, "has 199999 coefficients, at most 1500 can be computed");
    expectRefused({"evaluate", "s.quadric", "--model", "linear"}, "has 100000 coefficients");
}

TEST_F(LimitsTest, TwoHundredResponses)
{
    study::Study study;
    study.factors = {numericFactor("x", -1.0, 1.0)};
    for (int i = 0; i < 200; ++i)
        study.responses.push_back(response("y" + std::to_string(i)));
    write(measured(std::move(study), 12), "s.quadric");
    expectUsable("s.quadric");
    EXPECT_THAT(content("report.html"),
                HasSubstr("Plots are drawn for at most 20 responses; this study has 200."));
    EXPECT_EQ(bounded({"analyze", "s.quadric"}).status, 0);
    expectRefused({"optimize", "s.quadric"},
                  "no optimum: 200 responses have a goal, at most 50 can be weighed against each other");
}

TEST_F(LimitsTest, AReportOfManyRunsHasTheFirstAndTheExportAll)
{
    study::Study study;
    study.factors = {numericFactor("x", -1.0, 1.0), numericFactor("z", -1.0, 1.0)};
    study.responses = {response("y")};
    write(measured(std::move(study), 2500), "s.quadric");
    expectUsable("s.quadric");
    const std::string report = content("report.html");
    EXPECT_THAT(report, HasSubstr("The first 500 of 2500 rows: export the study for all of them."));
    EXPECT_THAT(report, HasSubstr("of 2500 points are drawn"));
    const std::string table = content("table.csv");
    EXPECT_GE(std::count(table.begin(), table.end(), '\n'), 2500);
    EXPECT_EQ(bounded({"analyze", "s.quadric"}).status, 0);
}

TEST_F(LimitsTest, AStudyAboveALimitIsRefusedByName)
{
    study::Study study =
        measured({.factors = {numericFactor("x", -1.0, 1.0)}, .responses = {response("y")}}, 3);
    write(study, "s.quadric");
    nlohmann::json document = readJson("s.quadric");
    for (int i = 0; i < 1000; ++i)
        document["factors"].push_back({{"name", "f" + std::to_string(i)}, {"low", 0}, {"high", 1}});
    std::ofstream(m_folder / "s.quadric") << document;
    expectRefused({"info", "s.quadric"},
                  "factors: has 1001 entries, expected at most 1000; divide the study");
}

} // namespace
} // namespace quadric::test
