// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/runner/run_line.h"
#include "core/run/worker/run_outcome.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <unistd.h>

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
    EXPECT_TRUE(isStartFailure(failed(1, "not-found", "x"), exited(0)));
    EXPECT_TRUE(isStartFailure(failed(1, "setup-failed", "x"), exited(0)));
    EXPECT_TRUE(isStartFailure(failed(1, "exit-status", "x"), exited(127)));
    EXPECT_TRUE(isStartFailure(failed(1, "exit-status", "x"), exited(126)));
    EXPECT_FALSE(isStartFailure(failed(1, "exit-status", "x"), exited(1)));
    EXPECT_FALSE(isStartFailure(done(1), exited(0)));
}

} // namespace
} // namespace quadric::run

using namespace quadric;
using run::MemoryKillCounter;
using run::MemoryKills;

namespace {

namespace fs = std::filesystem;

/// A machine made of files, in a folder of its own.
class MemoryKillsOf : public ::testing::Test {
protected:
    void SetUp() override { write("proc/vmstat", "nr_free_pages 9\noom_kill 5\n"); }
    void TearDown() override { fs::remove_all(m_root); }

    void write(const std::string& path, const std::string& text) const
    {
        fs::create_directories((m_root / path).parent_path());
        std::ofstream(m_root / path) << text;
    }

    MemoryKills after(const std::string& path, const std::string& text) const
    {
        const MemoryKillCounter counter(m_root);
        write(path, text);
        return counter.countKillsSinceStart();
    }

    fs::path m_root = fs::temp_directory_path() / ("quadric-kills-" + std::to_string(::getpid()));
};

constexpr const char* kNewGroup = "sys/fs/cgroup/user.slice/session-2.scope/memory.events";
constexpr const char* kOldGroup = "sys/fs/cgroup/memory/jobs/7/memory.oom_control";

} // namespace

TEST_F(MemoryKillsOf, ItsOwnGroupOfVersion2)
{
    write("proc/self/cgroup", "0::/user.slice/session-2.scope\n");
    write(kNewGroup, "low 0\nhigh 2\nmax 8\noom 3\noom_kill 3\noom_group_kill 0\n");
    EXPECT_EQ(MemoryKillCounter(m_root).countKillsSinceStart(), MemoryKills::None);
    // The limit was met, and nobody was ended for it.
    EXPECT_EQ(after(kNewGroup, "low 0\nhigh 9\nmax 9\noom 9\noom_kill 3\n"), MemoryKills::None);
    EXPECT_EQ(after(kNewGroup, "low 0\nhigh 9\nmax 9\noom 9\noom_kill 4\n"), MemoryKills::InGroup);
}

TEST_F(MemoryKillsOf, ItsOwnGroupOfVersion1)
{
    write("proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/jobs/7\n0::/\n");
    write(kOldGroup, "oom_kill_disable 0\nunder_oom 0\noom_kill 0\n");
    EXPECT_EQ(after(kOldGroup, "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n"), MemoryKills::InGroup);
}

TEST_F(MemoryKillsOf, AnotherGroupIsOnlyTheMachine)
{
    write("proc/self/cgroup", "0::/user.slice/session-2.scope\n");
    write(kNewGroup, "oom_kill 3\n");
    EXPECT_EQ(after("proc/vmstat", "nr_free_pages 9\noom_kill 6\n"), MemoryKills::OnMachine);
}

TEST_F(MemoryKillsOf, NothingIsKnownWithoutCounters)
{
    fs::remove_all(m_root);
    EXPECT_EQ(MemoryKillCounter(m_root).countKillsSinceStart(), MemoryKills::None);
    write("proc/self/cgroup", "rubbish\n4:memory\n::\n");
    EXPECT_EQ(MemoryKillCounter(m_root).countKillsSinceStart(), MemoryKills::None);
}
