// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/worker/run_policy.h"

#include <gtest/gtest.h>

using namespace quadric;

namespace {

study::Run failedWith(const std::string& kind)
{
    study::Run run{.id = 3};
    run.status = study::RunStatus::Failed;
    run.failure = study::Failure{kind, "words"};
    return run;
}

study::Run disturbed()
{
    study::Run run{.id = 3};
    run.status = study::RunStatus::Done;
    run.results = {{"speed", 1.0}};
    run.provenance.disturbed = true;
    return run;
}

/// The next attempt, ended like `ended`.
study::Run endedAgain(const study::Run& before, const study::Run& ended)
{
    study::Run run = ended;
    const study::Run started = run::nextAttempt(before);
    const std::optional<bool> isDisturbed = run.provenance.disturbed;
    run.provenance = started.provenance;
    run.provenance.disturbed = isDisturbed;
    return run;
}

/// How often a run is repeated by itself that ends like this every time, each time by a new runner.
int repetitionsOf(const study::Run& ended, const study::RetryPolicy& policy = {})
{
    study::Run known = endedAgain(study::Run{.id = 3}, ended);
    for (int count = 0; count < 50; ++count) {
        if (!run::grantRepetition(known, policy))
            return count;
        known = endedAgain(known.failure ? run::pendingAgain(known) : known, ended);
    }
    return -1;
}

} // namespace

TEST(RunPolicy, CountsInTheRecordSoThatNoRunnerStartsAgain)
{
    EXPECT_EQ(repetitionsOf(failedWith("crash")), 1);
    EXPECT_EQ(repetitionsOf(failedWith("device-lost"), {.crash = 2}), 2);
    EXPECT_EQ(repetitionsOf(disturbed()), 1);
    EXPECT_EQ(repetitionsOf(disturbed(), {.disturbed = 0}), 0);
    for (const char* kind :
         {"out-of-memory", "timeout", "bad-output", "cancelled", "refused", "not-started", "setup-failed"})
        EXPECT_EQ(repetitionsOf(failedWith(kind)), 0) << kind;
}

TEST(RunPolicy, RepeatsWhatAClusterTookAway)
{
    for (const char* kind : {"node-lost", "requeued", "preempted", "job-lost"}) {
        EXPECT_EQ(repetitionsOf(failedWith(kind)), 3) << kind;
        EXPECT_EQ(repetitionsOf(failedWith(kind), {.cluster = 0}), 0) << kind;
    }
}

TEST(RunPolicy, NumbersTheAttempts)
{
    const study::Run first = run::nextAttempt(study::Run{.id = 3});
    EXPECT_EQ(first.provenance.attempt, 1);
    study::Run ended = endedAgain(study::Run{.id = 3}, failedWith("crash"));
    ASSERT_TRUE(run::grantRepetition(ended, {}));
    const study::Run second = run::nextAttempt(run::pendingAgain(ended));
    EXPECT_EQ(second.provenance.attempt, 2);
    EXPECT_TRUE(second.provenance.earlierFailure.has_value());
    // Its runner died: the same attempt once more.
    study::Run running = second;
    running.status = study::RunStatus::Running;
    EXPECT_EQ(run::nextAttempt(running).provenance.attempt, 2);
    // It failed for good, and somebody asks for it.
    const study::Run asked = run::nextAttempt(endedAgain(run::pendingAgain(ended), failedWith("timeout")));
    EXPECT_EQ(asked.provenance.attempt, 3);
}

TEST(RunPolicy, KnowsARepetitionThatNobodyHasMade)
{
    study::Run known = endedAgain(study::Run{.id = 3}, disturbed());
    EXPECT_FALSE(run::isRepetitionOwed(known));
    ASSERT_TRUE(run::grantRepetition(known, {}));
    EXPECT_TRUE(run::isRepetitionOwed(known));
    EXPECT_FALSE(run::isRepetitionOwed(run::withoutOwed(known)));
    EXPECT_FALSE(run::isRepetitionOwed(endedAgain(known, disturbed())));
}

TEST(RunPolicy, ReadsOnlyCountsThatItMayHaveWritten)
{
    for (const char* text :
         {"[1]", "{\"crash\": -4}", "{\"crash\": 1e300}", "{\"crash\": 99999999999}", "{"}) {
        study::Run run{.id = 3};
        study::takeFact(run.provenance, "repeats", text);
        EXPECT_EQ(run::nextAttempt(run).provenance.attempt, 1) << text;
    }
}
