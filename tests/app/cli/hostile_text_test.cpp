// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_fixture.h"

#include "core/study/document/document.h"
#include "core/text/visible_text.h"
#include "tests/support/test_paths.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace quadric::test {
namespace {

using ::testing::HasSubstr;

/// Moves the cursor, erases the line and goes back; as C1; reorders; takes no room; rings.
const std::string kHostile = "\x1b[1A\x1b[2K\r\u009b31m\u202e\u200b\u2066\x07\x7f";

bool isPlain(const std::string& text)
{
    return text::makeVisible(text, text::LineBreaks::Keep) == text;
}

std::string hostile(const std::string& word)
{
    return word + kHostile;
}

class HostileTextTest : public CommandTest {
protected:
    void SetUp() override
    {
        CommandTest::SetUp();
        m_path = hostile("s") + ".quadric";
        Json document = Json::parse(study::writeStudy(study()));
        document[hostile("unknown")] = 1;
        document["factors"][0][hostile("unknown")] = 1;
        document["benchmark"][hostile("unknown")] = hostile("value");
        document["runs"][0]["provenance"][hostile("unknown")] = hostile("value");
        std::ofstream(file(m_path)) << document.dump();
    }

    study::Study study() const
    {
        study::Study study =
            boxBehnkenStudy([](double a, double b, double c) { return 3 * a - b + c * c / 7 + a * b / 9; });
        study.name = hostile("study");
        study.description = hostile("description") + "\nof two lines";
        study.factors[0].unit = hostile("GPUs");
        study.factors.push_back({.name = hostile("level"),
                                 .type = study::FactorType::Categorical,
                                 .categories = {hostile("low"), hostile("high")}});
        study.responses = {response(hostile("y")), response(hostile("z"))};
        study.responses[0].unit = hostile("img/s");
        study.responses[0].goal = study::Goal::Maximize;
        study.fixed = {{hostile("fixed"), hostile("value")}};
        study.benchmark.workload = "command";
        study.benchmark.argv = {"/bin/echo", hostile("{a}")};
        study.benchmark.cwd = hostile("folder");
        int odd = 0;
        for (study::Run& run : study.runs) {
            const double y = run.results.at("y");
            run.results = {{hostile("y"), y}, {hostile("z"), y * y}};
            run.settings[hostile("level")] = hostile(++odd % 2 == 0 ? "low" : "high");
        }
        study.runs[3].results.clear();
        study.runs[3].status = study::RunStatus::Failed;
        study.runs[3].failure = study::Failure{hostile("crash"), hostile("message")};
        study.runs[5].results.clear();
        study.runs[5].status = study::RunStatus::Pending;
        return study;
    }

    /// The arguments on a terminal, without the carriage returns that it adds.
    std::string onTerminal(const std::vector<std::string>& arguments) const
    {
        const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
        EXPECT_TRUE(::grantpt(terminal) == 0 && ::unlockpt(terminal) == 0);
        const std::string other = ::ptsname(terminal);
        const char* executable = builtPath("bin/quadric");
        const pid_t child = ::fork();
        if (child == 0) {
            ::dup2(::open(other.c_str(), O_WRONLY | O_NOCTTY), STDOUT_FILENO);
            std::vector<char*> list = {const_cast<char*>(executable)};
            for (const std::string& argument : arguments)
                list.push_back(const_cast<char*>(argument.c_str()));
            list.push_back(nullptr);
            ::_exit(::chdir(m_folder.c_str()) == 0 ? ::execv(executable, list.data()) : 1);
        }
        std::string text;
        char bytes[4096];
        int status = 0;
        for (ssize_t count = 1; count > 0;) {
            count = ::read(terminal, bytes, sizeof bytes);
            text.append(bytes, bytes + std::max<ssize_t>(count, 0));
        }
        ::waitpid(child, &status, 0);
        ::close(terminal);
        std::erase(text, '\r');
        return text;
    }

    std::string m_path;
};

TEST_F(HostileTextTest, ShowsWhatATerminalWouldObeyInEveryCommand)
{
    const CommandResult info = quadric({"info", m_path});
    ASSERT_EQ(info.status, 0) << info.err;
    for (const char* word : {"study", "description", "GPUs", "level", "low", "y", "img/s", "fixed", "value"})
        EXPECT_NE(info.out.find(text::makeVisible(hostile(word))), std::string::npos) << word;
    const std::string y = hostile("y"), at = "a=1,b=2,c=3," + hostile("level") + "=" + hostile("low");
    const std::vector<std::vector<std::string>> commands = {
        {"info", m_path},
        {"status", m_path},
        {"evaluate", m_path},
        {"analyze", m_path, "--model", "linear", "--path"},
        {"analyze", m_path, "--model", hostile("model")},
        {"analyze", m_path, "--response", hostile("unknown")},
        {"predict", m_path, "--at", at},
        {"predict", m_path, "--at", hostile("x=1")},
        {"optimize", m_path, "--goal", y + "=maximize"},
        {"optimize", m_path, "--fix", hostile("x=1")},
        {"plot", m_path, "--kind", hostile("kind"), "-o", "p.svg"},
        {"plot", m_path, "--kind", "pareto", "-o", hostile("p") + ".svg"},
        {"report", m_path, "--sections", "summary", "-o", hostile("r") + ".html"},
        {"report", m_path, "-o", hostile("r"), "--preset", "full"},
        {"export", m_path, "-o", hostile("e") + ".csv"},
        {"export", m_path, "-o", hostile("e") + ".json"},
        {"export", m_path, "-o", hostile("folder/e") + ".json"},
        {"export", m_path, "-o", m_path},
        {"import", hostile("e") + ".csv", "-o", hostile("i") + ".quadric"},
        {"audit", m_path},
        {"audit", m_path, "--claims", m_path},
        {"control", m_path, "pause"},
        {"control", m_path, hostile("request")},
        {"run", m_path},
        {"run", m_path, "--test"},
        {"run", m_path, "--approve"},
        {"run", m_path, "--devices", hostile("0")},
        {"design", m_path, "--type", hostile("type")},
        {"design", m_path, "--type", "full-factorial"},
        {"new", hostile("n") + ".quadric", "--factor", hostile("f") + ":0:1", "--response", y},
        {"thumbnail", m_path, "-o", hostile("folder/t") + ".png"},
        {hostile("command")},
        {"info", m_path, "--" + hostile("option")},
        {"complete", "--", "analyze", m_path, "--response", ""},
        {"complete", "--", "optimize", m_path, "--fix", hostile("level") + "="},
    };
    for (const std::vector<std::string>& command : commands) {
        const CommandResult result = quadric(command);
        EXPECT_TRUE(isPlain(result.out)) << command[0] << ": " << text::makeVisible(result.out);
        EXPECT_TRUE(isPlain(result.err)) << command[0] << ": " << text::makeVisible(result.err);
        EXPECT_TRUE(result.status >= 0 && result.status <= 2) << command[0];
        EXPECT_FALSE(command[0] != "complete" && result.out.empty() && result.err.empty()) << command[0];
    }
}

TEST_F(HostileTextTest, ShowsItInTheOtherProgramsToo)
{
    const std::filesystem::path folder = std::filesystem::path(builtPath("bin/quadric")).parent_path();
    const std::vector<std::vector<std::string>> calls = {
        {"quadric-trainer", "--" + hostile("option")},
        {"quadric-trainer", "--format", "table", "--engine", hostile("cpu")},
        {"quadric-trainer", "--format", "table", "--engine", "simulated"},
        {"quadric-watch", "--" + hostile("option")},
        {"quadric-watch", "folder", hostile("other")},
    };
    ::setenv("QUADRIC_SETTINGS", Json({{hostile("unknown"), 1}}).dump().c_str(), 1);
    for (const std::vector<std::string>& call : calls) {
        const CommandResult result = program(folder / call[0], {call.begin() + 1, call.end()});
        EXPECT_FALSE(result.out.empty() && result.err.empty()) << call[0];
        EXPECT_TRUE(isPlain(result.out)) << text::makeVisible(result.out);
        EXPECT_TRUE(isPlain(result.err)) << text::makeVisible(result.err);
    }
    ::unsetenv("QUADRIC_SETTINGS");
}

TEST_F(HostileTextTest, KeepsColumnsUnderTheirHeadings)
{
    study::Study small;
    small.name = "columns";
    small.factors = {numericFactor("first\nline", 0, 10), numericFactor("b", 0, 10)};
    small.responses = {response("y\x1b")};
    small.benchmark.workload = "none";
    study::Run run;
    run.id = run.order = 1;
    run.settings = {{"first\nline", 1.0}, {"b", 2.0}};
    small.runs = {run};
    write(small, "columns.quadric");
    const std::string out = quadric({"info", "columns.quadric"}).out;
    const std::size_t heading = out.find("first\\nline  b");
    ASSERT_NE(heading, std::string::npos) << out;
    const std::size_t column = heading + std::string("first\\nline  ").size() - out.rfind('\n', heading);
    const std::size_t next = out.find('\n', heading);
    EXPECT_EQ(out[next + column], '2') << out;
}

TEST_F(HostileTextTest, LeavesDataForProgramsAsTheyAre)
{
    const CommandResult info = quadric({"info", m_path, "--json"});
    EXPECT_EQ(info.json()["name"], hostile("study"));
    EXPECT_NE(info.out.find("\u202e"), std::string::npos);
    const CommandResult table = quadric({"export", m_path, "-o", "-", "--format", "csv"});
    EXPECT_NE(table.out.find(hostile("y")), std::string::npos);
}

TEST_F(HostileTextTest, EscapesDataOnATerminal)
{
    const std::string json = onTerminal({"info", m_path, "--json"});
    EXPECT_TRUE(isPlain(json)) << text::makeVisible(json);
    EXPECT_EQ(Json::parse(json), quadric({"info", m_path, "--json"}).json());
    const std::string exported = onTerminal({"export", m_path, "-o", "-", "--format", "json"});
    EXPECT_EQ(Json::parse(exported)["name"], hostile("study"));
    EXPECT_TRUE(isPlain(exported));
    EXPECT_TRUE(isPlain(onTerminal({"export", m_path, "-o", "/dev/stdout", "--format", "csv"})));
}

// Studies that are too large to be analyzed open, and are exported and reported all the same; what is refused
// is refused with a sentence, within the memory that a small study takes.

/// KiB of address space: a thousand factors took 6 GB.
constexpr const char* kWithinLimit = "ulimit -v 1500000; exec \"$0\" \"$@\"";

class LimitsTest : public CommandTest {
protected:
    CommandResult bounded(std::vector<std::string> arguments) const
    {
        arguments.insert(arguments.begin(), {"-c", kWithinLimit, builtPath("bin/quadric")});
        return program("/bin/sh", arguments);
    }

    void expectUsable(const std::string& study) const
    {
        for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
                 {"info", study},
                 {"info", study, "--json"},
                 {"status", study},
                 {"export", study, "--format", "csv", "-o", file("table.csv")},
                 {"report", study, "-o", file("report.html"), "--preset", "full"}}) {
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

} // namespace
} // namespace quadric::test
