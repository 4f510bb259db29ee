// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/document/document.h"

#include <gtest/gtest.h>

namespace quadric::study {
namespace {

LoadedStudy loadedWith(const std::string& benchmark)
{
    return parseStudy("{\"quadric\": 1, \"benchmark\": {" + benchmark + "}}", "f.quadric");
}

/// The line of the benchmark in the document, without the members that always stand in it.
std::string writtenAs(const Study& study)
{
    const std::string text = writeStudy(study);
    const std::string before = R"("benchmark": {"workload": "builtin", "engine": "auto", "options": {})";
    const std::size_t start = text.find(before) + before.size();
    return text.substr(start, text.find("},\n", start) - start);
}

std::string problemWith(const std::string& key, const std::string& value)
{
    const LoadedStudy loaded = loadedWith('"' + key + "\": " + value);
    const std::string problem = findProblem(loaded.study.benchmark, key);
    EXPECT_EQ(loaded.warnings, problem.empty() ? std::vector<std::string>()
                                               : std::vector<std::string>{"f.quadric: " + problem});
    EXPECT_EQ(parseStudy(writeStudy(loaded.study), "f").study, loaded.study);
    return problem;
}

TEST(BenchmarkTest, IsWrittenAsItWasRead)
{
    const std::string text =
        R"j("argv": ["a"], "parse": {"regex": {"y": "y=([0-9]+)"}}, "timeout_seconds": 90, )j"
        R"j("baseline": "own", "color": [1], "launcher": "slurm", "memory_mib": 2047.5, "output_mib": 5, )j"
        R"j("parallel": 3, "retry": {"cluster": 0, "crash": 2, "note": {"b": 1}}, )j"
        R"j("slurm": {"account": "physics", "cpus_per_rank": 6, "gpus_per_rank": 1, "most_jobs": 9, )j"
        R"j("options": ["--exclusive"], "partition": "gpu", "poll_seconds": 0.5, "ranks_per_node": 4, )j"
        R"j("setup": ["module load x"], "start": "once"}, "zone": null)j";
    const LoadedStudy loaded = loadedWith(text);
    EXPECT_EQ(writtenAs(loaded.study), ", " + text);
    EXPECT_EQ(loaded.warnings.size(), 2U) << "of color and zone, which are not known";
    const Benchmark& benchmark = loaded.study.benchmark;
    EXPECT_EQ(benchmark.parse.patterns, (std::map<std::string, std::string>{{"y", "y=([0-9]+)"}}));
    EXPECT_EQ(benchmark.baseline, BaselineMode::Own);
    EXPECT_EQ(benchmark.launcher, LauncherKind::Slurm);
    EXPECT_EQ(benchmark.memoryMib, 2047.5);
    EXPECT_EQ(benchmark.outputMib, 5.0);
    EXPECT_EQ(benchmark.parallel, 3);
    EXPECT_EQ(benchmark.retry.crash, 2);
    EXPECT_EQ(benchmark.retry.disturbed, 1);
    const SlurmOptions slurm = {"gpu",           "physics",         4, 1,  6, SlurmOptions::Start::Once,
                                {"--exclusive"}, {"module load x"}, 9, 0.5};
    EXPECT_EQ(benchmark.slurm, slurm);
}

TEST(BenchmarkTest, DefaultsAreNotWritten)
{
    const LoadedStudy loaded = loadedWith(
        R"("baseline": "shared", "launcher": "local", "parallel": 1, "retry": {}, "slurm": {"most_jobs": 4})");
    EXPECT_EQ(loaded.study, loadedWith("").study);
    EXPECT_EQ(writtenAs(loaded.study), "");
    EXPECT_TRUE(loaded.warnings.empty());
}

TEST(BenchmarkTest, ASettingThatCannotBeReadIsKeptWithFieldValueAndExpectation)
{
    EXPECT_EQ(problemWith("baseline", "\"often\""),
              "benchmark.baseline: found \"often\", expected \"shared\", \"own\" or \"off\"");
    EXPECT_EQ(problemWith("launcher", "\"pbs\""),
              "benchmark.launcher: found \"pbs\", expected \"local\" or \"slurm\"");
    EXPECT_EQ(problemWith("memory_mib", "\"much\""),
              "benchmark.memory_mib: found \"much\", expected a number of MiB above 0");
    EXPECT_EQ(problemWith("output_mib", "0"),
              "benchmark.output_mib: found 0, expected a number of MiB above 0");
    for (const char* parallel : {"0", "-2", "1.5", "65", "\"two\""})
        EXPECT_EQ(problemWith("parallel", parallel), std::string("benchmark.parallel: found ") + parallel +
                                                         ", expected a whole number from 1 to 64");
    EXPECT_EQ(problemWith("retry", "3"), "benchmark.retry: found 3, expected an object with \"crash\", "
                                         "\"cluster\" and \"disturbed\"");
    EXPECT_EQ(problemWith("retry", R"({"crash": 1.5})"),
              "benchmark.retry.crash: found 1.5, expected a whole number from 0 to 100");
    EXPECT_EQ(problemWith("parallel", "null"), "");
}

TEST(BenchmarkTest, AnOptionOfSlurmThatIsNoneIsKept)
{
    EXPECT_EQ(problemWith("slurm", R"({"ranks_per_node": 0})"),
              "benchmark.slurm.ranks_per_node: found 0, expected a whole number from 1");
    EXPECT_EQ(problemWith("slurm", R"({"partitoin": "gpu", "account": "a"})"),
              "benchmark.slurm.partitoin: no such option; docs/slurm.md lists what there is");
    EXPECT_EQ(problemWith("slurm", R"({"partition": "a b"})"),
              "benchmark.slurm.partition: found \"a b\", expected a name of letters, digits and _ - . , +");
    EXPECT_EQ(problemWith("slurm", R"({"options": ["-N 3"]})"),
              "benchmark.slurm.options[0]: found \"-N 3\", expected a list of lines, each of which starts "
              "with --");
    EXPECT_NE(problemWith("slurm", "{\"setup\": [\"a\\nb\"]}").find("benchmark.slurm.setup"),
              std::string::npos);
    EXPECT_NE(problemWith("slurm", R"({"poll_seconds": 0})").find("0.1 to 3600"), std::string::npos);
    EXPECT_NE(problemWith("slurm", "[]").find("expected an object of options"), std::string::npos);
}

TEST(BenchmarkTest, AWayOfReadingThatIsNoneIsKept)
{
    for (const char* text : {"1", "[]", R"({"json": "first"})", R"({"file": 1})", R"({"regex": "y"})",
                             R"({"json": "last", "file": "x"})"})
        EXPECT_NE(problemWith("parse", text).find("benchmark.parse"), std::string::npos) << text;
    EXPECT_EQ(problemWith("parse", R"({"regex": {"speed": 3}})"),
              "benchmark.parse.regex.speed: found 3, expected a regular expression");
    EXPECT_EQ(problemWith("parse", "{}"), ""); // as where it is absent
    EXPECT_EQ(loadedWith(R"("parse": {"file": "a.json"})").study.benchmark.parse.file, "a.json");
    EXPECT_EQ(loadedWith(R"("parse": {"json": "last"})").study.benchmark.parse.kind,
              ParseSpec::Kind::LastJson);
}

} // namespace
} // namespace quadric::study
