// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/worker/run_outcome.h"

#include <gtest/gtest.h>

using namespace quadric;
using run::WorkerExit;

namespace {

study::Study twoResponses()
{
    study::Study study;
    for (const char* name : {"speed", "loss"}) {
        study::Response response;
        response.name = name;
        study.responses.push_back(response);
    }
    return study;
}

run::WorkerReport goodReport()
{
    run::WorkerReport report;
    report.result = run::Result{{{"speed", 3.0}, {"loss", 0.5}, {"extra", 9.0}}, {{"speed", 0.1}}, {}};
    return report;
}

constexpr WorkerExit::Kind kExited = WorkerExit::Kind::Exited;

std::string kindOf(const run::WorkerReport& report, const WorkerExit& exit)
{
    const study::Run run = run::conclude(twoResponses(), {}, report, exit);
    return run.failure ? run.failure->kind : "done";
}

} // namespace

/// As a job of Slurm says it, whose program only the nodes look for.
TEST(RunOutcome, AProgramThatNoNodeFindsIsNotFound)
{
    run::WorkerReport report;
    run::note(report, run::LogText{"slurmstepd: error: execve(): /opt/trainer: No such file or directory"});
    EXPECT_EQ(kindOf(report, {WorkerExit::Kind::Exited, 2, {}, 1.0}), "not-found");
}

TEST(RunOutcome, IsDoneOnlyWithEveryResponseAndACleanEnd)
{
    const study::Run run = run::conclude(twoResponses(), {}, goodReport(), {kExited, 0, {}, 1.0});
    EXPECT_EQ(run.status, study::RunStatus::Done);
    EXPECT_EQ(run.results.size(), 3U);
    EXPECT_EQ(run.spread.at("speed"), 0.1);
    EXPECT_EQ(run.provenance.source, study::Source::Measured);
    EXPECT_EQ(kindOf(goodReport(), {kExited, 1, {}, 1.0}), "exit-status");
    EXPECT_EQ(kindOf(goodReport(), {WorkerExit::Kind::Signalled, 11, {}, 1.0}), "crash");
    EXPECT_EQ(kindOf(goodReport(), {WorkerExit::Kind::TimedOut, 15, {}, 1.0}), "timeout");
    EXPECT_EQ(kindOf(goodReport(), {WorkerExit::Kind::NotStarted, 0, "no", 0.0}), "not-found");
}

/// What `hello` says stays with a run that fails: what memory it was expected to need tells where memory
/// ends.
TEST(RunOutcome, AFailedRunKeepsTheEstimateOfItsMemory)
{
    run::WorkerReport report;
    run::WorkerProtocol protocol;
    for (const run::WorkerMessage& message :
         protocol.feed("{\"event\": \"hello\", \"protocol\": 1, \"memory_estimate_mib\": 2048.5}\n"
                       "{\"event\": \"failure\", \"kind\": \"out-of-memory\", \"message\": \"no\"}\n"))
        run::note(report, message);
    const study::Run run = run::conclude(twoResponses(), {}, report, {kExited, 1, {}, 1.0});
    ASSERT_EQ(run.failure.value().kind, "out-of-memory");
    EXPECT_EQ(run.provenance.memoryEstimateMib, 2048.5);
}

/// Of many ranks only the first prints, and it may be ended before it does, or see only that another is gone.
TEST(RunOutcome, TheCauseThatARankLeftOutranksALostConnection)
{
    WorkerExit exit{kExited, 137, {}, 1.0};
    exit.rankFailures = {{"communication", "rank 2: lost rank 3"}, {"out-of-memory", "rank 3: does not fit"}};
    run::WorkerReport report;
    EXPECT_EQ(kindOf(report, exit), "out-of-memory");
    report.failure = study::Failure{"communication", "lost rank 3"};
    EXPECT_EQ(kindOf(report, exit), "out-of-memory");
    report.failure = study::Failure{"bad-settings", "ranks: 5"};
    EXPECT_EQ(kindOf(report, exit), "bad-settings");
    exit.rankFailures.pop_back();
    EXPECT_EQ(kindOf({}, exit), "communication");
    exit.code = 0;
    EXPECT_EQ(kindOf(goodReport(), exit), "done") << "a step that ended well has no failed ranks";
}

TEST(RunOutcome, LeavesSecretsOut)
{
    run::WorkerReport report = goodReport();
    report.lastLine = "cannot log in with ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    const study::Run failed = run::conclude(twoResponses(), {}, report, {kExited, 1, {}, 1.0});
    EXPECT_EQ(failed.failure->message,
              "Exit status 1. Last line: cannot log in with (left out: may hold a secret)");
    report.lastLine = std::string(280, 'x') + " https://me:" + std::string(40, 'p') + "@host/"; // it is cut
    EXPECT_EQ(run::conclude(twoResponses(), {}, report, {kExited, 1, {}, 1.0}).failure->message.find("ppp"),
              std::string::npos);
    report.result->provenance["environment"] =
        R"({"OMP_NUM_THREADS": "2", "SLURM_JWT": "a", "NCCL_NET": "ghp_16C7e42F292c", "MINE": "b"})";
    const study::Run done = run::conclude(twoResponses(), {}, report, {kExited, 0, {}, 1.0});
    EXPECT_EQ(done.provenance.environment, (std::map<std::string, std::string>{{"OMP_NUM_THREADS", "2"}}));
    report.result->provenance["slurm"] = R"({"settings": "ghp_16C7e42F292c"})"; // not the worker's to tell
    EXPECT_FALSE(run::conclude(twoResponses(), {}, report, {kExited, 0, {}, 1.0}).provenance.slurm);
    report.result->provenance["environment"] = R"({"MINE": 1})";
    EXPECT_FALSE(run::conclude(twoResponses(), {}, report, {kExited, 0, {}, 1.0})
                     .provenance.unknown.contains("environment"));
}

TEST(RunOutcome, KeepsNoResultsOfAFailedRun)
{
    const study::Run run = run::conclude(twoResponses(), {}, goodReport(), {kExited, 1, {}, 1.0});
    EXPECT_EQ(run.status, study::RunStatus::Failed);
    EXPECT_TRUE(run.results.empty());
}

TEST(RunOutcome, NamesWhatIsMissingAndWhatIsThere)
{
    run::WorkerReport report;
    report.result = run::Result{{{"speed", 3.0}, {"pace", 1.0}}, {}, {}};
    const study::Run run = run::conclude(twoResponses(), {}, report, {kExited, 0, {}, 1.0});
    EXPECT_EQ(run.failure->kind, "missing-result");
    EXPECT_EQ(run.failure->message, "No value found for loss (found: pace, speed)");
}

/// A program of the user's own knows of no worker: what was looked for, and where.
TEST(RunOutcome, SaysWhereTheValuesOfAProgramWereLookedFor)
{
    using Kind = study::ParseSpec::Kind;
    study::Study study = twoResponses();
    study.benchmark.workload = "command";
    study.benchmark.argv = {"program"};
    const auto messageWith = [&](const study::ParseSpec& parse, const std::optional<run::Result>& result) {
        study.benchmark.parse = parse;
        run::WorkerReport report;
        report.result = result;
        report.lastLine = "speed is 3";
        const study::Run run = run::conclude(study, {.id = 7}, report, {kExited, 0, {}, 1.0});
        EXPECT_EQ(run.failure->kind, "missing-result");
        EXPECT_EQ(run.failure->message.find("worker"), std::string::npos) << run.failure->message;
        return run.failure->message;
    };
    const run::Result nothing, one{{{"loss", 1.0}}, {}, {}};
    const std::map<std::string, std::string> patterns = {{"speed", "speed: (.*)"}, {"loss", "loss=(.*)"}};
    EXPECT_EQ(messageWith({.kind = Kind::Regex, .patterns = patterns}, nothing),
              R"x(The program printed no value for speed and loss. No line of its output matches )x"
              R"x("speed: (.*)" or "loss=(.*)")x");
    EXPECT_EQ(messageWith({.kind = Kind::Regex, .patterns = patterns}, one),
              R"x(The program printed no value for speed (found: loss). No line of its output matches )x"
              R"x("speed: (.*)")x");
    EXPECT_EQ(
        messageWith({.kind = Kind::LastJson}, one),
        "The program printed no value for speed (found: loss). Looked for in the last JSON object that it "
        "printed");
    EXPECT_EQ(messageWith({.kind = Kind::File, .file = "r_{run_id}.json"}, one),
              "The program wrote no value for speed (found: loss). Looked for in r_7.json");
    EXPECT_EQ(messageWith({}, one), "No value found for speed (found: loss)");
    EXPECT_EQ(messageWith({}, std::nullopt),
              "The program printed no result line of the Quadric protocol ({\"event\": \"result\", …}). Last "
              "line: speed is 3");
}

TEST(RunOutcome, RefusesTwoResultsThatDiffer)
{
    const run::WorkerMessage first = run::WorkerProtocol::parseLine(
        R"({"event": "result", "responses": {"speed": 3, "loss": 1}, "run_id": 0})");
    const run::WorkerMessage second = run::WorkerProtocol::parseLine(
        R"({"event": "result", "responses": {"speed": 4, "loss": 1}, "run_id": 0})");
    run::WorkerReport report;
    note(report, first);
    note(report, first); // every rank may tell the same
    EXPECT_EQ(kindOf(report, {kExited, 0, {}, 1.0}), "done");
    note(report, second);
    EXPECT_EQ(kindOf(report, {kExited, 0, {}, 1.0}), "bad-output");
    note(report, first);
    EXPECT_EQ(kindOf(report, {kExited, 0, {}, 1.0}), "bad-output");
}

TEST(RunOutcome, RefusesTheResultOfAnotherRun)
{
    for (const auto& [id, kind] :
         {std::pair("0", "done"), {"\"0\"", "done"}, {"7", "bad-output"}, {"\"x\"", "bad-output"}}) {
        run::WorkerReport report;
        note(report, run::WorkerProtocol::parseLine(
                         R"({"event": "result", "responses": {"speed": 3, "loss": 1}, "run_id": )" +
                         std::string(id) + "}"));
        EXPECT_EQ(kindOf(report, {kExited, 0, {}, 1.0}), kind) << id;
    }
}

TEST(RunOutcome, PutsTheWorkersOwnReasonBeforeItsEnd)
{
    run::WorkerReport report;
    note(report, run::WorkerFailure{{"out-of-memory", "9 GiB"}});
    EXPECT_EQ(kindOf(report, {WorkerExit::Kind::Signalled, 6, {}, 1.0}), "out-of-memory");
    EXPECT_EQ(kindOf(report, {kExited, 0, {}, 1.0}), "out-of-memory");
}

TEST(RunOutcome, OneBadEventSpoilsTheRun)
{
    run::WorkerReport report = goodReport();
    note(report, run::BadMessage{{"non-finite", "speed"}});
    note(report, run::BadMessage{{"bad-output", "later"}});
    EXPECT_EQ(kindOf(report, {kExited, 0, {}, 1.0}), "non-finite");
}

TEST(RunOutcome, TakesSimulatedOnlyFromTheWorkersWord)
{
    run::WorkerReport report = goodReport();
    report.result->provenance = {{"source", "\"simulated\""}, {"driver", "\"550\""}};
    report.hello = {{"device", "{}"}};
    const study::Run run = run::conclude(twoResponses(), {}, report, {kExited, 0, {}, 1.0});
    EXPECT_EQ(run.provenance.source, study::Source::Simulated);
    EXPECT_EQ(run.provenance.unknown, (study::UnknownKeys{{"driver", "\"550\""}}));
    EXPECT_EQ(run.provenance.device, study::WorkerDevice{});
    report.result->provenance = {{"source", "\"imported\""}};
    EXPECT_EQ(run::conclude(twoResponses(), {}, report, {kExited, 0, {}, 1.0}).provenance.source,
              study::Source::Measured);
}

TEST(RunOutcome, BackToPendingForgetsTheAttempt)
{
    study::Run before;
    before.id = 4;
    before.settings = {{"a", 1.0}};
    const study::Run tried = run::conclude(twoResponses(), before, goodReport(), {kExited, 0, {}, 1.0});
    EXPECT_EQ(run::resetToPending(tried), before);
}

TEST(RunOutcome, BlamesMemoryOnlyWithEvidence)
{
    const WorkerExit killed{WorkerExit::Kind::Signalled, 9, {}, 1.0};
    const auto with = [](WorkerExit exit, run::MemoryKills kills) {
        exit.memoryKills = kills;
        return exit;
    };
    const auto messageOf = [](const WorkerExit& exit) {
        return run::conclude(twoResponses(), {}, {}, exit).failure->message;
    };
    EXPECT_EQ(kindOf({}, killed), "crash");
    EXPECT_EQ(messageOf(killed), "Ended by SIGKILL, by whom is unknown");
    EXPECT_EQ(kindOf({}, with(killed, run::MemoryKills::InGroup)), "out-of-memory");
    const WorkerExit elsewhere = with(killed, run::MemoryKills::OnMachine);
    EXPECT_EQ(kindOf({}, elsewhere), "crash");
    EXPECT_NE(messageOf(elsewhere).find("by whom is unknown; meanwhile memory ran out"), std::string::npos);
    for (const auto& [kind, code] : {std::pair(WorkerExit::Kind::Signalled, 11), std::pair(kExited, 1)})
        EXPECT_NE(kindOf({}, with({kind, code, {}, 1.0}, run::MemoryKills::InGroup)), "out-of-memory");
    EXPECT_EQ(kindOf(goodReport(), with({kExited, 0, {}, 1.0}, run::MemoryKills::InGroup)), "done");
}

TEST(RunOutcome, BlamesMemoryForARankThatTheKernelEnded)
{
    run::WorkerReport report;
    note(report, run::WorkerFailure{{"rank-lost", "rank 1 was ended by signal 9"}});
    WorkerExit exit{kExited, 1, {}, 1.0};
    EXPECT_EQ(kindOf(report, exit), "rank-lost");
    exit.memoryKills = run::MemoryKills::InGroup;
    EXPECT_EQ(kindOf(report, exit), "out-of-memory");
    exit.code = 137; // as a shell tells it
    EXPECT_EQ(kindOf({}, exit), "out-of-memory");
}

TEST(RunOutcome, FindsALostDeviceInWhatTheWorkerSaid)
{
    const WorkerExit failed{kExited, 1, {}, 1.0};
    const auto kindAfter = [&failed](const std::vector<std::string>& lines) {
        run::WorkerReport report;
        for (const std::string& line : lines)
            note(report, run::LogText{line});
        return kindOf(report, failed);
    };
    EXPECT_EQ(kindAfter({"NVRM: Xid (PCI:0000:41:00): 79, pid=812, GPU has fallen off the bus."}),
              "device-lost");
    EXPECT_EQ(kindAfter({"Unable to determine the device handle for GPU0000:41:00.0: GPU is lost.  Reboot "
                         "the system to recover this GPU"}),
              "device-lost");
    EXPECT_EQ(kindAfter({"RuntimeError: CUDA error: uncorrectable ECC error encountered", "Aborted"}),
              "device-lost");
    EXPECT_EQ(kindAfter({"torch.distributed.DistBackendError: NCCL error: ncclRemoteError: A call failed "
                         "possibly due to a network error or a remote process exiting prematurely."}),
              "communication");
    // The ranks that lose each other are a consequence.
    EXPECT_EQ(kindAfter({"NCCL WARN Cuda failure 'uncorrectable ECC error encountered'", "ncclSystemError"}),
              "device-lost");
    EXPECT_EQ(kindAfter({"ncclSystemError", "Xid 79: GPU has fallen off the bus"}), "device-lost");
    EXPECT_EQ(kindAfter({"device found"}), "exit-status");
}

TEST(RunOutcome, LetsNoWorkerTouchWhatTheRunnerCounts)
{
    run::WorkerReport report = goodReport();
    report.hello = {{"repeats", "{}"}, {"device", "1"}};
    report.result->provenance = {{"attempt", "7"}, {"earlier_failure", "{}"}, {"driver", "1"}};
    study::Run before;
    before.provenance.repeats = {{"crash", 1}};
    before.provenance.attempt = 2;
    const study::Run run = run::conclude(twoResponses(), before, report, {kExited, 0, {}, 1.0});
    before.provenance.source = study::Source::Measured;
    before.provenance.unknown = {{"device", "1"}, {"driver", "1"}};
    EXPECT_EQ(run.provenance, before.provenance);
}
