// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_fixture.h"
#include "tests/support/test_paths.h"

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>

namespace quadric::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
namespace fs = std::filesystem;

class OutputFilesTest : public CommandTest {
protected:
    void SetUp() override
    {
        CommandTest::SetUp();
        example("resnet50-scaling.quadric");
        fs::rename(file("resnet50-scaling.quadric"), file("s.quadric"));
    }

    /// A line for the shell in which $Q is the program; standard error is what is returned in `err`.
    CommandResult shell(const std::string& line) const
    {
        return program("/bin/bash", {"-c", std::string("Q=") + builtPath("bin/quadric") + "; " + line});
    }

    /// The null (3) or full (7) device; not that of the machine where root could replace it.
    std::string device(const std::string& name, unsigned number) const
    {
        const std::string own = file(name);
        const bool isMade =
            ::mknod(own.c_str(), S_IFCHR | 0666, makedev(1, number)) == 0 && std::ofstream(own).is_open();
        return isMade ? own : "/dev/" + name;
    }

    std::vector<std::string> names() const
    {
        std::vector<std::string> found;
        for (const fs::directory_entry& entry : fs::directory_iterator(m_folder))
            if (!entry.path().filename().string().starts_with(".out") &&
                !entry.path().filename().string().starts_with(".err"))
                found.push_back(entry.path().filename().string());
        return found;
    }
};

const std::vector<std::vector<std::string>> kWriters = {
    {"report", "s.quadric", "--sections", "summary", "-o", "r.pdf"},
    {"report", "s.quadric", "--sections", "summary", "-o", "r.html"},
    {"plot", "s.quadric", "--kind", "half-normal", "--response", "images_per_sec", "-o", "p.pdf"},
    {"plot", "s.quadric", "--kind", "half-normal", "--response", "images_per_sec", "-o", "p.png"},
    {"plot", "s.quadric", "--kind", "half-normal", "--response", "images_per_sec", "-o", "p.svg"},
    {"thumbnail", "s.quadric", "-o", "t.png"},
    {"export", "s.quadric", "-o", "e.json"},
    {"export", "s.quadric", "-o", "e.csv"},
    {"export", "s.quadric", "-o", "e.tsv"},
    {"export", "s.quadric", "-o", "e.R"},
    {"export", "s.quadric", "-o", "e.py"},
    {"export", "s.quadric", "-o", "e.md"},
    {"export", "s.quadric", "-o", "e.tex"},
};

TEST_F(OutputFilesTest, ReplacesItsOwnFilesWholeOrNotAtAll)
{
    for (const std::vector<std::string>& writer : kWriters) {
        ASSERT_EQ(quadric(writer).status, 0) << writer.back();
        const CommandResult again = quadric(writer);
        ASSERT_EQ(again.status, 0) << again.err;
        const std::string before = content(writer.back());
        const auto files = names();
        std::string line = "trap '' XFSZ; ulimit -f 0; $Q";
        for (const std::string& argument : writer)
            line += " " + argument;
        // Through a pipe: where there is no room for files, there is none for the files of this test.
        const CommandResult failed = shell("(" + line + ") 2>&1 | cat; exit ${PIPESTATUS[0]}");
        EXPECT_EQ(failed.status, 1) << writer.back();
        EXPECT_EQ(failed.out, "quadric: " + writer.back() + ": cannot be written: File too large\n");
        EXPECT_EQ(content(writer.back()), before) << writer.back();
        EXPECT_EQ(names(), files) << "a temporary file was left";
    }
}

TEST_F(OutputFilesTest, ReplacesFilesOfAnotherKindOnlyWithForce)
{
    const std::string foreign = "import sys\n\nprint(sys.argv)\n";
    for (const std::vector<std::string>& writer : kWriters) {
        writeText(writer.back(), foreign);
        const CommandResult refused = quadric(writer);
        EXPECT_EQ(refused.status, 2) << writer.back();
        EXPECT_THAT(refused.err, HasSubstr("--force"));
        EXPECT_EQ(content(writer.back()), foreign);
    }
    EXPECT_EQ(quadric({"export", "s.quadric", "-o", "e.csv", "--force"}).status, 0);
    EXPECT_THAT(content("e.csv"), StartsWith("order,run"));
    fs::create_directory(file("plots"));
    writeText("plots/half-normal-images_per_sec.svg", foreign);
    EXPECT_EQ(quadric({"plot", "s.quadric", "--all", "plots"}).status, 2);
    EXPECT_EQ(std::distance(fs::directory_iterator(file("plots")), {}), 1) << "nothing is half done";
    writeText("package.json", R"({"name": "of something else", "runs": [{"coded": 1}]})");
    EXPECT_EQ(quadric({"export", "s.quadric", "-o", "package.json"}).status, 2);
    writeText("lines.csv", "{\"a\": 1, \"b\": 2}\n{\"a\": 3, \"b\": 4}\n");
    EXPECT_EQ(quadric({"export", "s.quadric", "-o", "lines.csv"}).status, 2);
    writeText("README.md", "# A project\n\nIn words.\n\nAnd more.\n\n| a | b |\n| - | - |\n");
    EXPECT_EQ(quadric({"export", "s.quadric", "-o", "README.md"}).status, 2);
    writeText("other.csv", "name;value\none;1\n");
    EXPECT_EQ(quadric({"export", "s.quadric", "-o", "other.csv"}).status, 0) << "any table may be replaced";
}

TEST_F(OutputFilesTest, NeverReplacesAStudyOrAFileOfOne)
{
    const std::string study = content("s.quadric");
    writeText("copy.csv", study);
    writeText("copy.json", study);
    writeText("copy.pdf", "\n " + study);
    writeText("torn.svg", study.substr(0, study.size() / 2));
    fs::create_symlink("copy.csv", file("link.html"));
    writeText("s.quadric-journal", "{\"id\": 1}\n");
    writeText("copy.csv-journal", "{\"id\": 1}\n");
    const std::vector<std::vector<std::string>> writers = {
        {"export", "s.quadric", "-o", "s.quadric", "--format", "csv"},
        {"export", "s.quadric", "-o", "s.quadric", "--format", "json"},
        {"export", "s.quadric", "-o", "copy.csv"},
        {"export", "copy.csv", "-o", "copy.json"},
        {"report", "s.quadric", "-o", "copy.pdf"},
        {"report", "s.quadric", "-o", "link.html"},
        {"plot", "s.quadric", "--kind", "half-normal", "--response", "images_per_sec", "-o", "torn.svg"},
        {"export", "s.quadric", "-o", "s.quadric-journal", "--format", "csv"},
        {"export", "s.quadric", "-o", "s.quadric-events", "--format", "csv"},
        {"export", "s.quadric", "-o", "copy.csv-journal", "--format", "csv"},
    };
    for (std::vector<std::string> writer : writers) {
        writer.emplace_back("--force");
        const std::string target = *std::next(std::ranges::find(writer, "-o"));
        const std::string before = content(target);
        const CommandResult result = quadric(writer);
        EXPECT_EQ(result.status, 2) << target;
        EXPECT_THAT(result.err, HasSubstr(target)) << result.err;
        EXPECT_EQ(content(target), before) << target;
    }
    EXPECT_NE(quadric({"thumbnail", "s.quadric", "-o", "copy.csv"}).status, 0);
    EXPECT_EQ(content("copy.csv"), study);
    EXPECT_FALSE(fs::exists(file("s.quadric-events"))) << "no file of a study is made either";
}

TEST_F(OutputFilesTest, WritesIntoDevicesAndPipes)
{
    const std::string fullDevice = device("full", 7), nullDevice = device("null", 3);
    const CommandResult full = quadric({"export", "s.quadric", "-o", fullDevice, "--format", "csv"});
    EXPECT_EQ(full.status, 1);
    EXPECT_THAT(full.err, HasSubstr(fullDevice + ": cannot be written: No space left on device"));
    EXPECT_TRUE(fs::is_character_file(fullDevice));
    EXPECT_EQ(quadric({"export", "s.quadric", "-o", nullDevice, "--format", "csv"}).status, 0);
    EXPECT_TRUE(fs::is_character_file(nullDevice));
    const CommandResult pipe =
        shell("mkfifo f; cat f > got & $Q export s.quadric -o f --format csv; wait; head -c 14 got");
    EXPECT_THAT(pipe.out, HasSubstr("order,run,bloc")) << pipe.err;
    ASSERT_EQ(quadric({"export", "s.quadric", "-o", "e.csv"}).status, 0);
    for (const char* output : {"-", "/dev/stdout", "/proc/self/fd/1"}) {
        const CommandResult data =
            quadric({"export", "s.quadric", "-o", output, "--format", "csv", "--json"});
        EXPECT_EQ(data.out, content("e.csv")) << output;
        const CommandResult piped =
            shell("$Q export s.quadric --format csv -o " + std::string(output) + " | cat");
        EXPECT_EQ(piped.out, content("e.csv")) << output;
    }
    EXPECT_EQ(quadric({"export", "s.quadric", "-o", ".", "--format", "csv"}).status, 1);
}

TEST_F(OutputFilesTest, SaysWhatOfStandardOutputIsLost)
{
    const std::vector<std::string> commands = {
        "info s.quadric",
        "info s.quadric --json",
        "analyze s.quadric --json",
        "evaluate s.quadric",
        "export s.quadric -o - --format csv",
        "status s.quadric",
        "--help",
        "--version",
        "plot --list",
        "manual --",
    };
    for (const std::string& command : commands) {
        const CommandResult full = shell("$Q " + command + " > /dev/full");
        EXPECT_EQ(full.status, 1) << command;
        EXPECT_EQ(full.err, "quadric: standard output: not all of it was written: No space left on device\n");
        const CommandResult closed = shell("$Q " + command + " >&-");
        EXPECT_EQ(closed.status, 1) << command;
        EXPECT_THAT(closed.err, StartsWith("quadric: standard output")) << command;
    }
    EXPECT_EQ(shell("$Q new n.quadric --factor a:0:1 --response y:maximize >&-").status, 1);
    EXPECT_THAT(content("n.quadric"), StartsWith("{\n  \"quadric\": 1")) << "it is no place for messages";
}

TEST_F(OutputFilesTest, IsQuietWhereTheReaderIsGone)
{
    const CommandResult ignored =
        shell("trap '' PIPE; $Q analyze s.quadric --json | true; exit ${PIPESTATUS[0]}");
    EXPECT_EQ(ignored.status, 1);
    EXPECT_EQ(ignored.err, "");
    const CommandResult ended = shell("$Q analyze s.quadric --json | true; exit ${PIPESTATUS[0]}");
    EXPECT_EQ(ended.status, 128 + SIGPIPE);
    EXPECT_EQ(ended.err, "");
}

class ExchangeTest : public CommandTest {
protected:
    /// Exit status of a program of another language with a script; −1 where it is not installed.
    int runScript(const std::string& probe, const std::string& program, const std::string& script) const
    {
        if (std::system((probe + " > /dev/null 2>&1").c_str()) != 0)
            return -1;
        const std::string command = program + " " + file(script) + " > " + file(script + ".out") + " 2>&1";
        return std::system(command.c_str());
    }

    /// Blocks, a categorical factor, a factor on the log2 scale, a transform, a missing result, names with
    /// quotes.
    study::Study hardStudy() const
    {
        study::Study study;
        study.name = "a \"hard\"\nstudy";
        study.factors = {numericFactor("gpu \"count\"", 8, 64), numericFactor("rate", -1.5, 2.5)};
        study.factors[0].scale = study::Scale::Log2;
        study.factors.push_back({.name = "precision",
                                 .type = study::FactorType::Categorical,
                                 .categories = {"fp32", "bf16", "fp16"}});
        study.responses = {response("speed"), response("it's \\ loss")};
        study.responses[0].transform.kind = study::TransformKind::Log;
        study.responses[1].transform = {.kind = study::TransformKind::BoxCox, .lambda = 0.3};
        study.model = {{"speed", "interactions"}, {"it's \\ loss", "linear"}};
        study.benchmark.workload = "none";
        for (int i = 0; i < 24; ++i) {
            study::Run run;
            run.id = run.order = i + 1;
            run.block = i % 2 + 1;
            const double gpus = std::array{8.0, 16.0, 64.0, 32.0}[static_cast<std::size_t>(i * 5 % 4)];
            const double rate = -1.5 + (i * 7 % 5);
            const std::string& level = study.factors[2].categories[static_cast<std::size_t>(i / 4 % 3)];
            run.settings = {{"gpu \"count\"", gpus}, {"rate", rate}, {"precision", level}};
            run.status = study::RunStatus::Done;
            run.results = {
                {"speed", 20 * std::pow(gpus, 0.9) * std::exp(0.1 * rate + 0.05 * std::sin(i * 1.7))}};
            if (i != 5)
                run.results["it's \\ loss"] =
                    3 + 0.5 * rate + std::sin(i * 2.3) * 0.2 + (level == "bf16" ? 1 : 0);
            run.provenance.source = study::Source::Typed;
            study.runs.push_back(run);
        }
        return study;
    }
};

TEST_F(ExchangeTest, ScriptsReproduceTheCoefficients)
{
    write(hardStudy(), "hard.quadric");
    int tried = 0;
    for (const auto& [probe, program, script] :
         {std::tuple{"Rscript --version", "Rscript", "hard.R"},
          {"/usr/bin/python3 -c 'import statsmodels'", "/usr/bin/python3", "hard.py"}}) {
        ASSERT_EQ(quadric({"export", "hard.quadric", "-o", script}).status, 0);
        const int status = runScript(probe, program, script);
        if (status == -1)
            continue; // not installed
        ++tried;
        EXPECT_EQ(status, 0) << content(std::string(script) + ".out");
        EXPECT_THAT(content(std::string(script) + ".out"), HasSubstr("== it's \\ loss =="));
    }
    if (tried == 0)
        GTEST_SKIP() << "neither R nor Python with statsmodels is installed";
}

TEST_F(ExchangeTest, ATableBecomesAStudyThatCanBeAnalyzed)
{
    example("resnet50-scaling.quadric");
    ASSERT_EQ(quadric({"export", "resnet50-scaling.quadric", "-o", "runs.csv"}).status, 0);
    const CommandResult imported =
        quadric({"import", "runs.csv", "-o", "again.quadric", "--response", "images_per_sec:maximize",
                 "--factor", "gradient_compression:continuous"});
    ASSERT_EQ(imported.status, 0) << imported.err;
    EXPECT_THAT(imported.out, HasSubstr("Box–Behnken design for 3 factors: 12 runs and 3 center runs"));
    EXPECT_THAT(imported.err, HasSubstr("agree in every digit"));
    const Json first = ask({"analyze", "resnet50-scaling.quadric"});
    giveModel("resnet50-scaling.quadric", "quadratic");
    giveModel("again.quadric", "quadratic");
    const Json named = ask({"analyze", "resnet50-scaling.quadric"});
    const Json again = ask({"analyze", "again.quadric"});
    EXPECT_EQ(named["responses"][0]["coefficients"], again["responses"][0]["coefficients"]);
    // Left to the runs, both get the same model, too.
    const auto chosenFor = [&](const std::string& name) {
        giveModel(name);
        return quadric({"analyze", name, "--json", "--response", "images_per_sec"}).json()["responses"][0];
    };
    const Json model = chosenFor("again.quadric");
    EXPECT_EQ(model["transform"], "log");
    EXPECT_EQ(model["coefficients"], chosenFor("resnet50-scaling.quadric")["coefficients"]);
    EXPECT_EQ(quadric({"import", "runs.csv", "-o", "again.quadric"}).status, 2) << "overwrote a study";
}

TEST_F(ExchangeTest, ImportSaysWhatItCannotReadAndKeepsTheRow)
{
    writeText("t.csv",
              "Run #,batch,workers,throughput (img/s),remarks\n1,8,1,\"1,100.5\",\n2,16,1,OOM,node 3\n"
              "3,8,2,n/a,\n4,16,2,fast,\n");
    const CommandResult imported = quadric({"import", "t.csv", "-o", "t.quadric", "--json"});
    ASSERT_EQ(imported.status, 0) << imported.err;
    EXPECT_THAT(imported.err,
                HasSubstr("line 3: column \"throughput (img/s)\" is \"OOM\"; the run counts as failed"));
    EXPECT_THAT(imported.err,
                HasSubstr("line 5: column \"throughput (img/s)\" is \"fast\", expected a number"));
    const Json runs = imported.json()["runs"];
    ASSERT_EQ(runs.size(), 4U);
    EXPECT_EQ(runs[0]["results"]["throughput"], 1100.5);
    EXPECT_EQ(runs[1]["failure"]["kind"], "out-of-memory");
    EXPECT_EQ(runs[2]["status"], "pending");
    EXPECT_EQ(runs[3]["failure"]["kind"], "bad-output");
}

TEST_F(ExchangeTest, DoehelperFilesBecomeAStudy)
{
    const std::string sample = sourcePath("tests/references/doehelper");
    const CommandResult imported = quadric(
        {"import", sample + "/config.json", "--results", sample + "/results", "-o", "d.quadric", "--json"});
    ASSERT_EQ(imported.status, 0) << imported.err;
    const Json json = imported.json();
    EXPECT_EQ(json["runs"].size(), 15U);
    EXPECT_EQ(json["design"]["type"], "box-behnken");
    EXPECT_FALSE(json["import_warnings"].empty());
}

TEST_F(ExchangeTest, AuditHoldsAPublishedPageAgainstItsData)
{
    example("resnet50-scaling.quadric");
    const Json json = ask({"audit", "resnet50-scaling.quadric"});
    EXPECT_TRUE(json["claims"].empty());
    EXPECT_EQ(json["findings"].size(), 1U);
    example("resnet50-scaling-claims.json");
    const CommandResult table =
        quadric({"audit", "resnet50-scaling.quadric", "--claims", "resnet50-scaling-claims.json"});
    EXPECT_EQ(table.status, 1) << "claims that differ are a check that fell short";
    EXPECT_THAT(table.out, HasSubstr("6.1 times too large"));
    EXPECT_EQ(quadric({"audit", "resnet50-scaling.quadric"}).out, table.out) << "the claims beside the study";
}

TEST_F(ExchangeTest, WrongUseIsExplained)
{
    example("resnet50-scaling.quadric");
    writeText("t.csv", "a,y\n1,2\n2,4\n1,2.5\n2,4.5\n");
    expectWrong({"export", "resnet50-scaling.quadric", "-o", "x.doc"},
                {"\"doc\", expected one of: csv, tsv, json, R, py, md, tex"});
    expectWrong({"import", "t.csv", "-o", "t.quadric", "--factor", "b"},
                {"there is no column \"b\", expected one of: a, y"});
    expectWrong({"import", "resnet50-scaling.quadric", "-o", "t.quadric"}, {});
    EXPECT_FALSE(std::filesystem::exists(file("t.quadric")));
}

} // namespace
} // namespace quadric::test
