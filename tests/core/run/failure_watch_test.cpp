// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/runner/failure_watch.h"

#include <gtest/gtest.h>

namespace quadric::run {
namespace {

study::Run failed(int id, const std::string& kind, const std::string& message)
{
    study::Run run;
    run.id = id;
    run.status = study::RunStatus::Failed;
    run.failure = study::Failure{kind, message};
    return run;
}

study::Run done(int id)
{
    study::Run run;
    run.id = id;
    run.status = study::RunStatus::Done;
    return run;
}

WorkerExit exited(int code)
{
    return {WorkerExit::Kind::Exited, code, {}, 1.0, {}};
}

TEST(FailureWatch, ThreeAlikeInARowAreEnough)
{
    FailureWatch watch;
    EXPECT_EQ(watch.note(failed(1, "exit-status", "Exit status 1. Last line: KeyError 'lr'"), false), "");
    EXPECT_EQ(watch.note(failed(2, "exit-status", "Exit status 1. Last line: KeyError 'lr'"), false), "");
    EXPECT_EQ(watch.note(failed(3, "exit-status", "Exit status 1. Last line: KeyError 'lr'"), false),
              "3 runs in a row failed in the same way: Exit status 1. Last line: KeyError 'lr'.");
}

TEST(FailureWatch, AddressesAndTimesAreNoDifference)
{
    FailureWatch watch;
    watch.note(failed(1, "crash", "fault at 0x7f01 after 2.5 s"), false);
    watch.note(failed(2, "crash", "fault at 0x8e22 after 3.5 s"), false);
    EXPECT_NE(watch.note(failed(3, "crash", "fault at 0x1111 after 9.5 s"), false), "");
}

TEST(FailureWatch, SuccessAndOtherFailuresBeginAnew)
{
    FailureWatch watch;
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(watch.note(failed(1, "timeout", "no result within 5 s"), false), "");
        EXPECT_EQ(watch.note(failed(2, "timeout", "no result within 5 s"), false), "");
        EXPECT_EQ(watch.note(i == 1 ? done(3) : failed(3, "crash", "no result"), false), "");
    }
}

TEST(FailureWatch, CancelledAndLostRunsSayNothing)
{
    for (const char* kind : {"cancelled", "preempted", "node-lost", "job-lost", "requeued"}) {
        FailureWatch watch;
        for (int id = 1; id < 6; ++id)
            EXPECT_EQ(watch.note(failed(id, kind, "gone"), false), "") << kind;
    }
    FailureWatch watch; // they do not interrupt a series either
    watch.note(failed(1, "crash", "x"), false);
    watch.note(failed(2, "crash", "x"), false);
    watch.note(failed(3, "cancelled", "on request"), false);
    EXPECT_NE(watch.note(failed(4, "crash", "x"), false), "");
}

TEST(FailureWatch, WhatIsCertainIsSaidAtOnceAndAcceptedForGood)
{
    FailureWatch watch;
    const study::Run run = failed(7, "not-found", "cannot start /no/program: there is no such program");
    EXPECT_EQ(watch.note(run, true), "Run 7 failed, and the others would fail in the same way: cannot start "
                                     "/no/program: there is no such program.");
    watch.accept();
    for (int i = 0; i < 5; ++i)
        EXPECT_EQ(watch.note(run, true), "");
    EXPECT_NE(watch.note(failed(8, "not-found", "cannot start in /no/folder: there is no such folder"), true),
              "");
}

TEST(FailureWatch, KnowsWhatIsCertain)
{
    EXPECT_TRUE(isCertainToRepeat(failed(1, "not-found", "x"), exited(0)));
    EXPECT_TRUE(isCertainToRepeat(failed(1, "setup-failed", "x"), exited(0)));
    EXPECT_TRUE(isCertainToRepeat(failed(1, "exit-status", "x"), exited(127)));
    EXPECT_TRUE(isCertainToRepeat(failed(1, "exit-status", "x"), exited(126)));
    EXPECT_FALSE(isCertainToRepeat(failed(1, "exit-status", "x"), exited(1)));
    EXPECT_FALSE(isCertainToRepeat(done(1), exited(0)));
}

} // namespace
} // namespace quadric::run
