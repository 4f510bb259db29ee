// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_fixture.h"
#include "tests/support/test_paths.h"

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>

namespace quadric::test {
namespace {

using ::testing::HasSubstr;

class ExchangeTest : public CommandTest {
protected:
    void writeText(const std::string& name, const std::string& text) const
    {
        std::ofstream(file(name), std::ios::binary) << text;
    }

    /// Exit status of a program of another language with a script; −1 where it is not installed.
    int runScript(const std::string& probe, const std::string& program, const std::string& script) const
    {
        if (std::system((probe + " > /dev/null 2>&1").c_str()) != 0)
            return -1;
        const std::string command = program + " " + file(script) + " > " + file(script + ".out") + " 2>&1";
        return std::system(command.c_str());
    }

    std::string outputOf(const std::string& script) const
    {
        std::ifstream in(file(script + ".out"));
        return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
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

TEST_F(ExchangeTest, ScriptsForRReproduceTheCoefficients)
{
    write(hardStudy(), "hard.quadric");
    ASSERT_EQ(quadric({"export", "hard.quadric", "-o", "hard.R"}).status, 0);
    const int status = runScript("Rscript --version", "Rscript", "hard.R");
    if (status == -1)
        GTEST_SKIP() << "R is not installed";
    EXPECT_EQ(status, 0) << outputOf("hard.R");
    EXPECT_THAT(outputOf("hard.R"), HasSubstr("== it's \\ loss =="));
}

TEST_F(ExchangeTest, ScriptsForPythonReproduceTheCoefficients)
{
    write(hardStudy(), "hard.quadric");
    ASSERT_EQ(quadric({"export", "hard.quadric", "-o", "hard.py"}).status, 0);
    const int status = runScript("/usr/bin/python3 -c 'import statsmodels'", "/usr/bin/python3", "hard.py");
    if (status == -1)
        GTEST_SKIP() << "Python with statsmodels is not installed";
    EXPECT_EQ(status, 0) << outputOf("hard.py");
    EXPECT_THAT(outputOf("hard.py"), HasSubstr("== it's \\ loss =="));
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
    const Json first = quadric({"analyze", "resnet50-scaling.quadric", "--json"}).json();
    const Json again = quadric({"analyze", "again.quadric", "--json", "--model", "quadratic"}).json();
    EXPECT_EQ(first["responses"][0]["coefficients"], again["responses"][0]["coefficients"]);
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
    const Json json = quadric({"audit", "resnet50-scaling.quadric", "--json"}).json();
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
    const CommandResult format = quadric({"export", "resnet50-scaling.quadric", "-o", "x.doc"});
    EXPECT_EQ(format.status, 2);
    EXPECT_THAT(format.err, HasSubstr("\"doc\", expected one of: csv, tsv, json, R, py, md, tex"));
    const CommandResult column = quadric({"import", "t.csv", "-o", "t.quadric", "--factor", "b"});
    EXPECT_EQ(column.status, 2);
    EXPECT_THAT(column.err, HasSubstr("there is no column \"b\", expected one of: a, y"));
    const CommandResult json = quadric({"import", "resnet50-scaling.quadric", "-o", "t.quadric"});
    EXPECT_EQ(json.status, 2);
    EXPECT_FALSE(std::filesystem::exists(file("t.quadric")));
}

} // namespace
} // namespace quadric::test
