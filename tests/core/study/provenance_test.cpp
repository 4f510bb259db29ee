// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/document/document.h"
#include "core/text/secrets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quadric::study {
namespace {

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
    takeFacts(provenance, {{"seconds", "3"}, {"note", "{\"a\":1}"}, {"source", "\"simulated\""}});
    EXPECT_EQ(provenance.source, Source::Simulated);
    EXPECT_EQ(provenance.seconds, 3.0);
    EXPECT_EQ(provenance.unknown.at("note"), R"({"a": 1})");
    takeFacts(provenance, {{"seconds", "\"soon\""}, {"note", "no JSON {"}, {"source", "\"guessed\""}});
    EXPECT_EQ(provenance.source, Source::Simulated);
    EXPECT_EQ(provenance.seconds, std::nullopt);
    EXPECT_EQ(provenance.unknown.at("seconds"), "\"soon\"");
    EXPECT_EQ(provenance.unknown.at("note"), "\"no JSON {\"");
    takeFact(provenance, "seconds", "4");
    EXPECT_EQ(provenance.seconds, 4.0);
    EXPECT_FALSE(provenance.unknown.contains("seconds"));
}

/// By key, by the option before, and by what it looks like; what the study's settings are compared with
/// stays.
TEST(ProvenanceTest, IsWrittenWithoutSecrets)
{
    const std::string jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdW4iOiJhIn0.c2ln";
    const Study study = studyWith(
        R"j({"source": "measured", "command": ["a", "--api-key", "k", "--seed", "3"], )j"
        R"j("earlier_failure": {"kind": "crash", "message": "Last line: token=abc"}, )j"
        R"j("environment": {"NCCL_NET": "sk-abcdefghijklmnopqrstuv", "OMP_NUM_THREADS": "2", "SLURM_JWT": ")j" +
        jwt + R"j("}, "mine": [{"password": "x", "tokens": 5, "deep": "see )j" + jwt +
        R"j("}], "slurm": {"job_name": "q", "settings": "{\"token\": \"t\"}"}})j");
    const std::string out = "\"" + std::string(text::kLeftOut) + "\"";
    EXPECT_EQ(written(study.runs[0].provenance),
              R"j({"source": "measured", "command": ["a", "--api-key", )j" + out +
                  R"j(, "--seed", "3"], )j"
                  R"j("earlier_failure": {"kind": "crash", "message": "Last line: token=)j" +
                  std::string(text::kLeftOut) + R"j("}, "environment": {"NCCL_NET": )j" + out +
                  R"j(, "OMP_NUM_THREADS": "2", "SLURM_JWT": )j" + out + R"j(}, "mine": [{"deep": "see )j" +
                  std::string(text::kLeftOut) + R"j(", "password": )j" + out +
                  R"j(, "tokens": 5}], "slurm": {"job_name": "q", "settings": "{\"token\": \"t\"}"}})j");
    EXPECT_EQ(writeStudy(study).find(jwt), std::string::npos); // also of a study that has had it for long
    for (const auto& [key, words] : factsInWords(study.runs[0].provenance))
        EXPECT_EQ(words.find(jwt), std::string::npos) << key;
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
    takeFacts(provenance, {{"devices", R"([{"index": 1}, {"index": 2}])"},
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
