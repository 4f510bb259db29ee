// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_outcome.h"

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
    EXPECT_EQ(run.failure->message, "the worker's result lacks loss; it has pace, speed");
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
    EXPECT_EQ(run.provenance.details.count("source"), 0U);
    EXPECT_EQ(run.provenance.details.at("driver"), "\"550\"");
    EXPECT_EQ(run.provenance.details.at("device"), "{}");
}

TEST(RunOutcome, BackToPendingForgetsTheAttempt)
{
    study::Run before;
    before.id = 4;
    before.settings = {{"a", 1.0}};
    const study::Run tried = run::conclude(twoResponses(), before, goodReport(), {kExited, 0, {}, 1.0});
    EXPECT_EQ(run::backToPending(tried), before);
}
