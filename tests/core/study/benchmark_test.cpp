// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/document/document.h"
#include "core/study/node_size.h"
#include "core/text/secrets.h"

#include <gmock/gmock.h>
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

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Study gpuStudy(double low = 8, double high = 64)
{
    Study study;
    study.factors = {{.name = "gpus", .type = FactorType::Integer, .low = low, .high = high},
                     {.name = "batch", .type = FactorType::Integer, .low = 1, .high = 64}};
    return study;
}

TEST(NodeSize, LeavesPlacesIdleBetweenWholeNodes)
{
    for (const double count : {0.5, 1.0, 3.0, 8.0, 16.0, 56.0, 64.0})
        EXPECT_FALSE(leavesIdle(count, {.ranks = 8})) << count;
    for (const double count : {9.0, 59.0, 60.0})
        EXPECT_TRUE(leavesIdle(count, {.ranks = 8})) << count;
}

TEST(NodeSize, RecommendsCountsOfWholeNodesWhereItIsKnown)
{
    Study study = gpuStudy(8, 64);
    EXPECT_EQ(recommendedValues(study, study.factors[0]).size(), 57U) << "no node is known";
    EXPECT_EQ(snapToRecommended(study, study.factors[0], 58.7), 59.0);
    study.fixed["gpus_per_node"] = 8.0;
    EXPECT_THAT(recommendedValues(study, study.factors[0]), ElementsAre(8, 16, 24, 32, 40, 48, 56, 64));
    EXPECT_EQ(snapToRecommended(study, study.factors[0], 58.7), 56.0);
    EXPECT_EQ(snapToRecommended(study, study.factors[0], 61.0), 64.0);
    EXPECT_EQ(recommendedValues(study, study.factors[1]).size(), 64U) << "batches have no nodes";
    EXPECT_EQ(snapToRecommended(study, study.factors[1], 59.0), 59.0);
    study.factors[0].multipleOf = 12;
    EXPECT_THAT(recommendedValues(study, study.factors[0]), ElementsAre(24, 48));
    study.factors[0].high = 20;
    EXPECT_THAT(recommendedValues(study, study.factors[0]), ElementsAre(12)) << "there is no other";
    EXPECT_EQ(snapToRecommended(study, study.factors[0], 19.0), 12.0);
}

TEST(NodeSize, RecommendsLevelsWithinANodeAndOfWholeOnes)
{
    Study study = gpuStudy(1, 12);
    study.factors[0].type = FactorType::Discrete;
    study.factors[0].levels = {1, 2, 4, 8, 12};
    study.fixed["ranks_per_node"] = 8.0;
    EXPECT_THAT(recommendedValues(study, study.factors[0]), ElementsAre(1, 2, 4, 8));
    EXPECT_EQ(snapToRecommended(study, study.factors[0], 12.0), 8.0);
}

TEST(NodeSize, IsNotKnownWhereItIsVaried)
{
    Study study = gpuStudy();
    study.benchmark.engine = "simulated";
    EXPECT_EQ(knownNodeOf(study, study.factors[0])->ranks, 8);
    EXPECT_FALSE(knownNodeOf(study, study.factors[1]).has_value()) << "batches have no nodes";
    study.factors.push_back(
        {.name = "ranks_per_node", .type = FactorType::Discrete, .low = 4, .high = 8, .levels = {4, 8}});
    EXPECT_FALSE(knownNodeOf(study, study.factors[0]).has_value());
    EXPECT_EQ(knownNodeOf(study, study.factors[0], {{"ranks_per_node", 4.0}})->ranks, 4);
}

TEST(NodeSize, IsWhatTheStudySays)
{
    Study study = gpuStudy();
    EXPECT_EQ(nodeSizeOf(study)->ranks, 8);
    EXPECT_TRUE(nodeSizeOf(study)->isAssumed);
    EXPECT_THAT(nodeSizeOf(study)->source, HasSubstr("assumed"));
    Study cores = study;
    cores.factors[0].name = "ranks";
    EXPECT_FALSE(nodeSizeOf(cores).has_value()) << "no GPUs are counted";
    cores.factors[0].name = "cards";
    cores.factors[0].unit = "GPUs";
    EXPECT_EQ(nodeSizeOf(cores)->ranks, 8) << "by its unit";
    study.fixed["ranks_per_node"] = 4.0;
    EXPECT_EQ(nodeSizeOf(study)->ranks, 4);
    EXPECT_FALSE(nodeSizeOf(study)->isAssumed);
    EXPECT_EQ(nodeSizeOf(study, {{"ranks_per_node", 16.0}})->ranks, 16) << "as a factor of the run";
    study.fixed["ranks_per_node"] = std::string("many");
    EXPECT_TRUE(nodeSizeOf(study)->isAssumed);
    study.benchmark.launcher = LauncherKind::Slurm;
    study.benchmark.slurm.ranksPerNode = 2;
    EXPECT_EQ(nodeSizeOf(study)->ranks, 2);
    Study simulated = gpuStudy();
    simulated.benchmark.engine = "simulated";
    EXPECT_EQ(nodeSizeOf(simulated), (NodeSize{8, "nodes of the simulation"}));
    simulated.benchmark.engine = "auto";
    simulated.fixed["engine"] = std::string("simulated");
    EXPECT_FALSE(nodeSizeOf(simulated)->isAssumed);
}

Study studyWith(const std::string& provenance)
{
    return parseStudy(R"({"quadric": 1, "runs": [{"id": 1, "settings": {}, "provenance": )" + provenance +
                          "}]}",
                      "f.quadric")
        .study;
}

Provenance read(const std::string& provenance)
{
    return studyWith(provenance).runs.at(0).provenance;
}

/// What stands behind "provenance" in the record of the run.
std::string written(const Provenance& provenance)
{
    const std::string text = writeRun({.id = 1, .provenance = provenance});
    const std::string before = "\"provenance\": ";
    const std::size_t start = text.find(before) + before.size();
    return text.substr(start, text.size() - 1 - start);
}

/// As a runner writes the record of a job of the built-in workload, and as a worker of the user's own may.
const std::string kRecord =
    R"j({"source": "measured", "attempt": 2, "baseline": {"from": "settings", "images_per_sec": 12.5, )j"
    R"j("own_because": "it was measured on Old"}, "baseline_conditions": {"launcher": "slurm", "n": [1]}, )j"
    R"j("baseline_run": 16, "code": {"changed": false, "commit": "ab12"}, "command": ["a", "b c"], )j"
    R"j("cpus": "0-3,8", "device": {"cores": 4, "name": "cpu"}, )j"
    R"j("devices": [{"index": 0, "name": "A100", "uuid": "GPU-1"}, {"index": 1, "node": "n1"}], )j"
    R"j("disturbed": true, "disturbed_because": "heat \"here\"\t", "driver": {"cuda": "12.4", "version": "550"}, )j"
    R"j("earlier_failure": {"kind": "crash", "message": "SIGSEGV", "signal": 11}, )j"
    R"j("environment": {"NCCL_DEBUG": "INFO", "PATH": ""}, "file": "run_1.json", "host": "n[1-2]", )j"
    R"j("kernel": "6.1", "log": "a-logs/run-1.log", "no_shared_baseline_because": "failed", )j"
    R"j("repeats": {"asked": 1, "crash": 0}, "samples": 120, "seconds": 12.25, )j"
    R"j("short_look": {"response": "images_per_sec", "worse_than": 1234.5}, )j"
    R"j("slurm": {"job": "77", "job_name": "quadric-x", "nodes": "n1", "request": "1 rank", "settings": "{}"}, )j"
    R"j("spread_is": "half width", "started": "2026-01-02T03:04:05Z", "telemetry": {"nodes": )j"
    R"j([{"cpu": {"busy_pct": {"mean": 50}, "throttled_pct": 0}, "devices": [{"power_w": 300, )j"
    R"j("throttled_pct": {"heat": 1.5}}], "node": "n1"}], "samples": 3}, "throttled_pct": 7, "warnings": []})j";

TEST(ProvenanceTest, IsWrittenAsItWasRead)
{
    EXPECT_EQ(written(read(kRecord)), kRecord);
    EXPECT_EQ(parseStudy(writeStudy(studyWith(kRecord)), "again").study, studyWith(kRecord));
}

TEST(ProvenanceTest, HasAMemberForWhatTheProgramReads)
{
    const Provenance provenance = read(kRecord);
    EXPECT_EQ(provenance.source, Source::Measured);
    EXPECT_EQ(provenance.attempt, 2);
    EXPECT_EQ(provenance.repeats, (std::map<std::string, int>{{"asked", 1}, {"crash", 0}}));
    EXPECT_EQ(provenance.earlierFailure->message, "SIGSEGV");
    EXPECT_EQ(provenance.baseline->ownBecause, "it was measured on Old");
    EXPECT_EQ(provenance.baselineRun, 16);
    EXPECT_EQ(provenance.command, (std::vector<std::string>{"a", "b c"}));
    EXPECT_EQ(provenance.code->isChanged, false);
    EXPECT_EQ(provenance.device->name, "cpu");
    EXPECT_EQ(provenance.devices.at(1).index, 1);
    EXPECT_EQ(provenance.disturbed, true);
    EXPECT_EQ(provenance.disturbedBecause, "heat \"here\"\t");
    EXPECT_EQ(provenance.seconds, 12.25);
    EXPECT_EQ(provenance.shortLook->response, "images_per_sec");
    EXPECT_EQ(provenance.shortLook->worseThan, 1234.5);
    EXPECT_EQ(provenance.slurm->job, "77");
    EXPECT_EQ(provenance.telemetry->nodes.at(0).devices.at(0).throttledPct.at("heat"), 1.5);
    EXPECT_THAT(provenance.unknown,
                ::testing::ElementsAre(::testing::Pair("driver", R"({"cuda": "12.4", "version": "550"})"),
                                       ::testing::Pair("samples", "120"), ::testing::Pair("warnings", "[]")));
}

TEST(ProvenanceTest, ChangesThatNobodyLookedForAreNeitherThereNorNot)
{
    const std::string text = R"j({"source": "measured", "code": {"commit": "ab12"}})j";
    EXPECT_EQ(read(text).code->commit, "ab12");
    EXPECT_EQ(read(text).code->isChanged, std::nullopt);
    EXPECT_EQ(written(read(text)), text);
}

TEST(ProvenanceTest, WhatIsOfAnotherTypeCountsAsNotToldAndIsKept)
{
    const std::string text =
        R"j({"source": "unknown", "attempt": 1.5, "baseline": "switched off", "command": "a b", "cpus": "", )j"
        R"j("devices": [{"index": "a"}, 3], "disturbed": "true", "earlier_failure": {"kind": "x"}, "host": 7, )j"
        R"j("repeats": {"crash": -4}, "seconds": "soon", "slurm": [], "telemetry": "no"})j";
    const Provenance provenance = read(text);
    Provenance nothing;
    nothing.unknown = provenance.unknown;
    EXPECT_EQ(provenance, nothing);
    EXPECT_EQ(provenance.unknown.size(), 12U);
    EXPECT_EQ(written(provenance), text);
}

TEST(ProvenanceTest, AFactReplacesWhatWasKnownUnderItsKey)
{
    Provenance provenance;
    setProvenanceFacts(provenance, {{"seconds", "3"}, {"note", "{\"a\":1}"}, {"source", "\"simulated\""}});
    EXPECT_EQ(provenance.source, Source::Simulated);
    EXPECT_EQ(provenance.seconds, 3.0);
    EXPECT_EQ(provenance.unknown.at("note"), R"({"a": 1})");
    setProvenanceFacts(provenance,
                       {{"seconds", "\"soon\""}, {"note", "no JSON {"}, {"source", "\"guessed\""}});
    EXPECT_EQ(provenance.source, Source::Simulated);
    EXPECT_EQ(provenance.seconds, std::nullopt);
    EXPECT_EQ(provenance.unknown.at("seconds"), "\"soon\"");
    EXPECT_EQ(provenance.unknown.at("note"), "\"no JSON {\"");
    setProvenanceFact(provenance, "seconds", "4");
    EXPECT_EQ(provenance.seconds, 4.0);
    EXPECT_FALSE(provenance.unknown.contains("seconds"));
}

/// By what it looks like; what the study's settings are compared with stays.
TEST(ProvenanceTest, IsWrittenWithoutSecrets)
{
    const std::string jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdW4iOiJhIn0.c2ln";
    const Study study = studyWith(
        R"j({"source": "measured", "command": ["a", "--api-key", ")j" + jwt +
        R"j(", "--seed", "3"], )j"
        R"j("earlier_failure": {"kind": "crash", "message": "Last line: token=)j" +
        jwt +
        R"j("}, )j"
        R"j("environment": {"NCCL_NET": "sk-abcdefghijklmnopqrstuv", "OMP_NUM_THREADS": "2"}, )j"
        R"j("mine": [{"token_count": "1.2e9", "tokens": 5, "deep": "see )j" +
        jwt + R"j("}], "slurm": {"job_name": "q", "settings": "{\"token\": \")j" + jwt + R"j(\"}"}})j");
    const std::string out(text::kLeftOut);
    EXPECT_EQ(written(study.runs[0].provenance),
              R"j({"source": "measured", "command": ["a", "--api-key", ")j" + out +
                  R"j(", "--seed", "3"], )j"
                  R"j("earlier_failure": {"kind": "crash", "message": "Last line: token=)j" +
                  out +
                  R"j("}, )j"
                  R"j("environment": {"NCCL_NET": ")j" +
                  out +
                  R"j(", "OMP_NUM_THREADS": "2"}, )j"
                  R"j("mine": [{"deep": "see )j" +
                  out +
                  R"j(", "token_count": "1.2e9", "tokens": 5}], )j"
                  R"j("slurm": {"job_name": "q", "settings": "{\"token\": \")j" +
                  jwt + R"j(\"}"}})j");
    for (const auto& [key, words] : factsInWords(study.runs[0].provenance))
        EXPECT_EQ(words.find(jwt) != std::string::npos, key == "slurm") << key;
}

TEST(ProvenanceTest, AFailureIsReadAndWrittenWithoutSecrets)
{
    const study::Run run = {.id = 1, .failure = Failure{"crash", "cannot reach https://me:pw@host/"}};
    EXPECT_EQ(writeRun(run).find("me:pw"), std::string::npos);
    const Study old =
        parseStudy(R"({"quadric": 1, "runs": [{"id": 1, "settings": {}, "status": "failed", )"
                   R"("failure": {"kind": "crash", "message": "cannot reach https://me:pw@host/"}}]})",
                   "f.quadric")
            .study;
    EXPECT_EQ(old.runs.at(0).failure.value().message,
              "cannot reach https://" + std::string(text::kLeftOut) + "@host/");
}

TEST(ProvenanceTest, FactsAreReadAsWords)
{
    Provenance provenance;
    setProvenanceFacts(provenance, {{"devices", R"([{"index": 1}, {"index": 2}])"},
                                    {"disturbed", "true"},
                                    {"memory", R"({"gradient_bytes": 2.5, "is_pinned": false})"},
                                    {"spread_is", R"("half\u00a0width\n\"95 %\"")"}});
    EXPECT_THAT(factsInWords(provenance),
                ::testing::ElementsAre(::testing::Pair("devices", "index: 1 index: 2"),
                                       ::testing::Pair("disturbed", "yes"),
                                       ::testing::Pair("memory", "gradient bytes: 2.5, is pinned: no"),
                                       ::testing::Pair("spread_is", "half\u00a0width\n\"95 %\"")));
}

} // namespace
} // namespace quadric::study
