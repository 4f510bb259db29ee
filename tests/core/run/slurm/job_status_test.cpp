// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/slurm/job_status.h"

#include "core/run/slurm/job_outcome.h"

#include <gtest/gtest.h>

using namespace quadric::run;

namespace {

/// As Slurm 22.05 wrote it, with the fields in its order.
std::string recordText(const std::string& state, const std::string& reason, const std::string& exitCode,
                       int restarts = 0)
{
    return "JobId=2 JobName=q-x UserId=root(0) GroupId=root(0) MCS_label=N/A Priority=4294901758 Nice=0 "
           "Account=(null) QOS=(null) JobState=" +
           state + " Reason=" + reason + " Dependency=(null) Requeue=0 Restarts=" + std::to_string(restarts) +
           " BatchFlag=1 Reboot=0 ExitCode=" + exitCode +
           " RunTime=00:01:03 TimeLimit=00:10:00 TimeMin=N/A SubmitTime=2026-11-21T12:21:19 "
           "StartTime=2026-11-21T12:21:20 EndTime=2026-11-21T12:22:23 "
           "Partition=gpu AllocNode:Sid=localhost:7499 ReqNodeList=(null) ExcNodeList=(null) NodeList=n[1-2] "
           "BatchHost=n1 NumNodes=2 NumCPUs=2 NumTasks=2 Comment=quadric a b  StdErr=/tmp/slurm-2.out "
           "Power= ";
}

JobEvidence evidence(const std::string& state, const std::string& reason = "None",
                     const std::string& exitCode = "0:0", int restarts = 0)
{
    JobEvidence evidence;
    evidence.id = "2";
    evidence.record = parseJobRecord(recordText(state, reason, exitCode, restarts));
    evidence.end = JobEnd{"2", 0, 0, "6.1.0", "n[1-2]"};
    evidence.seconds = 63.0;
    evidence.folder = "/data/job";
    return evidence;
}

std::string kindOf(const JobEvidence& evidence)
{
    const WorkerExit exit = determineJobOutcome(evidence);
    return exit.failure ? exit.failure->kind : "none";
}

} // namespace

TEST(JobState, IsReadFromAllFormsOfTheWord)
{
    EXPECT_EQ(parseJobState("RUNNING"), JobState::Running);
    EXPECT_EQ(parseJobState("CANCELLED by 1000"), JobState::Cancelled);
    EXPECT_EQ(parseJobState("CANCELLED+"), JobState::Cancelled);
    EXPECT_EQ(parseJobState("RUNNING,POWERING_UP_NODE"), JobState::Running);
    EXPECT_EQ(parseJobState("NODE_FAIL"), JobState::NodeFailed);
    EXPECT_EQ(parseJobState("LAUNCH_FAILED_IN_A_NEW_WAY"), JobState::Unknown);
    EXPECT_EQ(parseJobState(""), JobState::Unknown);
    EXPECT_FALSE(isFinal(JobState::Unknown));
    EXPECT_FALSE(isFinal(JobState::Ending));
    EXPECT_TRUE(isFinal(JobState::TimedOut));
}

TEST(Queue, IsReadByName)
{
    const auto queue = parseQueue("2|q-x|RUNNING|1:02:03|n[1-2]|None\n"
                                  "3|q-y|PENDING|0:00||Resources\n"
                                  "no job at all\n"
                                  "4_[1-3]|array|PENDING|0:00||Priority\n"
                                  "5|q-z|FAILED|0:03|n1|NonZeroExitCode\n"
                                  "6|q-z|RUNNING|0:01|n2|None\n");
    ASSERT_EQ(queue.size(), 3U);
    EXPECT_EQ(queue.at("q-x").id, "2");
    EXPECT_EQ(queue.at("q-x").seconds, 3723.0);
    EXPECT_EQ(queue.at("q-x").nodes, "n[1-2]");
    EXPECT_EQ(queue.at("q-x").reason, "");
    EXPECT_EQ(queue.at("q-y").state, JobState::Pending);
    EXPECT_EQ(queue.at("q-y").reason, "Resources");
    EXPECT_EQ(queue.at("q-z").id, "6"); // the one that is at work
    EXPECT_TRUE(parseQueue("").empty());
}

TEST(Duration, IsReadAsSlurmWritesIt)
{
    EXPECT_EQ(parseSlurmDuration("59"), 59.0);
    EXPECT_EQ(parseSlurmDuration("2:03"), 123.0);
    EXPECT_EQ(parseSlurmDuration("00:01:03"), 63.0);
    EXPECT_EQ(parseSlurmDuration("4-01:02:03"), 349323.0);
    EXPECT_EQ(parseSlurmDuration("INVALID"), 0.0);
}

TEST(JobRecord, IsReadFromOneLine)
{
    const auto record = parseJobRecord(recordText("FAILED", "NonZeroExitCode", "7:0"));
    ASSERT_TRUE(record);
    EXPECT_EQ(record->id, "2");
    EXPECT_EQ(record->name, "q-x");
    EXPECT_EQ(record->ended.value() - parseSlurmTime("2026-11-21T12:21:20").value(), 63.0);
    EXPECT_EQ(record->state, JobState::Failed);
    EXPECT_EQ(record->reason, "NonZeroExitCode");
    EXPECT_EQ(record->exitStatus, 7);
    EXPECT_EQ(record->nodes, "n[1-2]"); // not ReqNodeList
    EXPECT_EQ(record->partition, "gpu");
    EXPECT_EQ(record->seconds, 63.0);
    EXPECT_FALSE(parseJobRecord("slurm_load_jobs error: Invalid job id specified\n"));
    EXPECT_FALSE(parseJobRecord(""));
}

TEST(Controller, TellsSinceWhenItIsThere)
{
    const auto start = parseControllerStart("Configuration data as of 2026-11-21T12:30:00\n"
                                            "BatchStartTimeout       = 10 sec\n"
                                            "BOOT_TIME               = 2026-11-21T12:22:03\n"
                                            "BurstBufferType         = (null)\n");
    ASSERT_TRUE(start);
    EXPECT_EQ(parseSlurmTime("2026-11-21T12:22:23").value() - *start, 20.0);
    EXPECT_FALSE(parseControllerStart("slurm_load_ctl_conf error: Unable to contact slurm controller"));
    EXPECT_FALSE(parseSlurmTime("Unknown"));
    EXPECT_FALSE(parseSlurmTime("2026-11-21T12:22:23 and more"));
}

TEST(JobEnd, CountsOnlyWhole)
{
    const auto end = parseJobEnd("job 12\nstatus 137\nrestarts 1\nkernel 6.1.0\nnodes n[1-2]\n");
    ASSERT_TRUE(end);
    EXPECT_EQ(end->id, "12");
    EXPECT_EQ(end->status, 137);
    EXPECT_EQ(end->restarts, 1);
    EXPECT_FALSE(parseJobEnd("job 12\nstatus 0\n"));
    EXPECT_FALSE(parseJobEnd(""));
}

TEST(JobId, IsReadFromTheAnswerOfSbatch)
{
    EXPECT_EQ(parseJobId("12\n"), "12");
    EXPECT_EQ(parseJobId("12;cluster\n"), "12");
    EXPECT_EQ(parseJobId("Welcome to the cluster\n12\n"), "12");
    EXPECT_EQ(parseJobId("sbatch: error\n"), "");
}

TEST(JobOutcome, WhatSlurmSaysComesBeforeTheScript)
{
    // A script can end with status 0 after its node is lost.
    EXPECT_EQ(kindOf(evidence("NODE_FAIL")), "node-lost");
    EXPECT_EQ(kindOf(evidence("TIMEOUT", "TimeLimit")), "timeout");
    EXPECT_EQ(kindOf(evidence("OUT_OF_MEMORY", "OutOfMemory", "0:125")), "out-of-memory");
    EXPECT_EQ(kindOf(evidence("CANCELLED")), "cancelled");
    EXPECT_EQ(kindOf(evidence("PREEMPTED")), "preempted");
    EXPECT_EQ(kindOf(evidence("COMPLETED", "None", "0:0", 1)), "requeued");
    EXPECT_EQ(determineJobOutcome(evidence("NODE_FAIL")).failure->message,
              "a node failed while job 2 on n[1-2] was executing");
}

TEST(JobOutcome, ProgramsThatEndHaveTheirStatus)
{
    EXPECT_EQ(determineJobOutcome(evidence("COMPLETED")).kind, WorkerExit::Kind::Exited);
    EXPECT_EQ(determineJobOutcome(evidence("COMPLETED")).code, 0);
    EXPECT_EQ(determineJobOutcome(evidence("COMPLETED")).seconds, 63.0);
    JobEvidence killed = evidence("FAILED", "NonZeroExitCode", "137:0");
    killed.end->status = 137;
    EXPECT_EQ(determineJobOutcome(killed).kind, WorkerExit::Kind::Signalled);
    EXPECT_EQ(determineJobOutcome(killed).code, 9);
    // srun's own status is that of the ranks which it ended; the first to fail has the reason.
    killed.end->status = 143;
    killed.rankStatus = parseRankStatus("srun: error: n1: task 5: Exited with exit code 7");
    EXPECT_EQ(determineJobOutcome(killed).kind, WorkerExit::Kind::Exited);
    EXPECT_EQ(determineJobOutcome(killed).code, 7);
    EXPECT_FALSE(parseRankStatus("my program: task 5: Exited with exit code 7"));
    EXPECT_FALSE(parseRankStatus("srun: error: n1: task 5: Killed"));
}

TEST(JobOutcome, TellsOfAProgramThatPrintedTooMuch)
{
    JobEvidence flood = evidence("FAILED", "NonZeroExitCode", "143:0");
    flood.tooMuchMib = 64.0;
    EXPECT_EQ(determineJobOutcome(flood).failure->kind, "bad-output");
    EXPECT_EQ(determineJobOutcome(flood).failure->message, "The program printed more than 64 MiB");
}

TEST(JobOutcome, AStartOfTheControllerEndsJobsThatWereThereBefore)
{
    JobRecord record =
        parseJobRecord(recordText("CANCELLED", "None", "0:0")).value(); // from 12:21:19 to 12:22:23
    EXPECT_TRUE(endedByStart(record, parseSlurmTime("2026-11-21T12:22:03")));
    EXPECT_FALSE(endedByStart(record, parseSlurmTime("2026-11-21T12:21:19"))); // before it was submitted
    EXPECT_FALSE(endedByStart(record, std::nullopt));
    record.ended = parseSlurmTime("2026-11-21T13:22:23");
    EXPECT_FALSE(endedByStart(record, parseSlurmTime("2026-11-21T12:22:03"))); // an hour later
    record.ended.reset();
    EXPECT_FALSE(endedByStart(record, parseSlurmTime("2026-11-21T12:22:03")));
}

/// Nobody has cancelled it: the controller was away, or began anew without its jobs.
TEST(JobOutcome, AJobThatTheControllerLostIsNotCancelled)
{
    JobEvidence lost = evidence("CANCELLED");
    lost.wasForsaken = true;
    EXPECT_EQ(kindOf(lost), "job-lost");
    JobEvidence neverBegan = evidence("FAILED", "JobLaunchFailure", "1:0");
    neverBegan.end.reset();
    neverBegan.wasForsaken = true;
    EXPECT_EQ(kindOf(neverBegan), "job-lost");
    JobEvidence notServed = evidence("FAILED", "NonZeroExitCode", "1:0"); // srun could not reach it
    notServed.end->status = 1;
    EXPECT_EQ(kindOf(notServed), "none");
    notServed.wasForsaken = true;
    EXPECT_EQ(kindOf(notServed), "job-lost");
    JobEvidence done = evidence("COMPLETED");
    done.wasForsaken = true;
    EXPECT_EQ(kindOf(done), "none");
    JobEvidence ended = evidence("COMPLETED"); // by the node, for a controller that knows nothing of it
    ended.record.reset();
    ended.end->status = 143;
    EXPECT_EQ(kindOf(ended), "job-lost");
}

TEST(JobOutcome, ASetupThatFailsIsNamed)
{
    JobEvidence failed = evidence("FAILED", "NonZeroExitCode", "1:0");
    failed.end->status = 1;
    failed.setup = SetupStep{"module load nonsense", "slurm_script: line 12: module: command not found\n"};
    EXPECT_EQ(kindOf(failed), "setup-failed");
    EXPECT_EQ(determineJobOutcome(failed).failure->message,
              "the setup line \"module load nonsense\" failed with status 1: slurm_script: line 12: module: "
              "command not found");
    failed.end.reset();
    failed.record->signal = 9;
    EXPECT_EQ(determineJobOutcome(failed).failure->message,
              "the setup line \"module load nonsense\" failed and was ended by "
              "signal 9: slurm_script: line 12: module: command not found");
    failed.setup->line.clear();
    EXPECT_TRUE(determineJobOutcome(failed).failure->message.starts_with(
        "the lines of benchmark.slurm.setup cannot be"));
    failed.record->state = JobState::TimedOut;
    EXPECT_EQ(kindOf(failed), "timeout");
    EXPECT_EQ(findSetupLine({"a", "b"}, 2), "b");
    EXPECT_EQ(findSetupLine({"a", "b"}, 9), "b");
    EXPECT_EQ(findSetupLine({"a", "b"}, 0), "");
    EXPECT_EQ(findSetupLine({}, 1), "");
}

TEST(JobOutcome, AForgottenJobHasItsOwnWord)
{
    JobEvidence forgotten = evidence("COMPLETED");
    forgotten.record.reset();
    EXPECT_EQ(kindOf(forgotten), "none");
    EXPECT_EQ(determineJobOutcome(forgotten).code, 0);
    forgotten.end.reset();
    EXPECT_EQ(kindOf(forgotten), "job-lost");
    JobEvidence unseen = evidence("FAILED", "NonZeroExitCode", "1:0");
    unseen.end.reset();
    EXPECT_EQ(kindOf(unseen), "not-started");
    EXPECT_NE(determineJobOutcome(unseen).failure->message.find("/data/job: all nodes must see"),
              std::string::npos);
}

TEST(EndOfStep, IsKnownByItsLines)
{
    for (const char* line :
         {"srun: error: n2: task 1: Exited with exit code 3", "srun: error: n2: tasks 0-1: Killed",
          "srun: launch/slurm: _step_signal: Terminating StepId=7.0", "srun: Force Terminated StepId=7.1",
          "slurmstepd-n1: error: *** STEP 7.1 ON n1 CANCELLED AT 2026-11-21T13:23:52 ***"})
        EXPECT_TRUE(isJobEndMessage(line)) << line;
    for (const char* line :
         {"no license", "srun: error: Unable to create step for job 7: Invalid Trackable RESource",
          "slurmstepd: error: execve(): /opt/trainer: No such file or directory"})
        EXPECT_FALSE(isJobEndMessage(line)) << line;
}
