// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/recipe/approval.h"
#include "core/run/recipe/recipe.h"
#include "core/run/runner/run_line.h"
#include "core/run/words/events.h"
#include "core/run/worker/launcher.h"
#include "core/run/worker/run_policy.h"
#include "core/study/document/document.h"

#include <gmock/gmock.h>

using namespace quadric;
using devices::Need;

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
        known = endedAgain(known.failure ? run::resetForRetry(known) : known, ended);
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
    const study::Run second = run::nextAttempt(run::resetForRetry(ended));
    EXPECT_EQ(second.provenance.attempt, 2);
    EXPECT_TRUE(second.provenance.earlierFailure.has_value());
    // Its runner died: the same attempt once more.
    study::Run running = second;
    running.status = study::RunStatus::Running;
    EXPECT_EQ(run::nextAttempt(running).provenance.attempt, 2);
    // It failed for good, and somebody asks for it.
    const study::Run asked = run::nextAttempt(endedAgain(run::resetForRetry(ended), failedWith("timeout")));
    EXPECT_EQ(asked.provenance.attempt, 3);
}

TEST(RunPolicy, KnowsARepetitionThatNobodyHasMade)
{
    study::Run known = endedAgain(study::Run{.id = 3}, disturbed());
    EXPECT_FALSE(run::needsRepetition(known));
    ASSERT_TRUE(run::grantRepetition(known, {}));
    EXPECT_TRUE(run::needsRepetition(known));
    EXPECT_FALSE(run::needsRepetition(run::cancelRepetition(known)));
    EXPECT_FALSE(run::needsRepetition(endedAgain(known, disturbed())));
}

TEST(RunPolicy, ReadsOnlyCountsThatItMayHaveWritten)
{
    for (const char* text :
         {"[1]", "{\"crash\": -4}", "{\"crash\": 1e300}", "{\"crash\": 99999999999}", "{"}) {
        study::Run run{.id = 3};
        study::setProvenanceFact(run.provenance, "repeats", text);
        EXPECT_EQ(run::nextAttempt(run).provenance.attempt, 1) << text;
    }
}

using testing::HasSubstr;

namespace {

std::string problemOfChoice(const study::Study& study, const run::LauncherChoice& asked = {})
{
    try {
        run::launcherFor(study, "a.quadric", asked);
        return {};
    } catch (const run::RecipeError& error) {
        return error.what();
    }
}

study::Study saying(const std::string& parallel)
{
    return study::parseStudy(R"({"quadric": 1, "benchmark": {"parallel": )" + parallel + "}}", "x").study;
}

} // namespace

TEST(ParallelRuns, AreAsManyAsTheStudySays)
{
    EXPECT_EQ(run::launcherFor({}, "a.quadric")->mostRuns(), 1);
    EXPECT_EQ(run::launcherFor(saying("3"), "a.quadric")->mostRuns(), 3);
    EXPECT_EQ(run::launcherFor(saying("3"), "a.quadric", {.parallel = 2})->mostRuns(), 2); // the option wins
    EXPECT_EQ(run::launcherFor(saying("3"), "a.quadric", {.parallel = 1})->mostRuns(), 1);
}

TEST(ParallelRuns, NonsenseIsRefused)
{
    for (const char* nonsense : {"0", "-2", "1.5", "65", "\"two\"", "1e+300"})
        EXPECT_THAT(problemOfChoice(saying(nonsense)),
                    HasSubstr("benchmark.parallel: found " + std::string(nonsense)));
    EXPECT_THAT(problemOfChoice({}, {.parallel = 0}),
                HasSubstr("--parallel: found 0, expected a whole number from 1 to 64"));
}

TEST(ParallelRuns, SlurmHasALimitOfItsOwn)
{
    const std::string problem = problemOfChoice({}, {.name = "slurm", .parallel = 2});
    EXPECT_THAT(problem, HasSubstr("benchmark.slurm.most_jobs (now 4)"));
    EXPECT_EQ(run::launcherFor(saying("2"), "a.quadric", {.name = "slurm"})->mostRuns(), 4);
    EXPECT_THAT(problemOfChoice({}, {.name = "pbs"}), HasSubstr("expected local or slurm"));
}

TEST(ParallelRuns, GpusThatCannotBeSharedOutAreRefused)
{
    study::Study study = saying("2");
    study.benchmark.env["CUDA_VISIBLE_DEVICES"] = "{gpu}";
    EXPECT_THAT(problemOfChoice(study), HasSubstr("benchmark.env.CUDA_VISIBLE_DEVICES: found \"{gpu}\""));
    EXPECT_THAT(problemOfChoice(saying("2"), {.devices = "MIG-3fa8"}),
                HasSubstr("(MIG) cannot be shared out"));
    EXPECT_EQ(problemOfChoice(saying("1"), {.devices = "MIG-3fa8"}), "");
}

namespace {

/// A machine of 16 cores with two hardware threads each, and as many GPUs.
devices::Inventory machineWith(int gpus)
{
    devices::Inventory inventory;
    for (int i = 0; i < gpus; ++i)
        inventory.gpus.push_back({i, "GPU-" + std::to_string(i), "A100"});
    for (int i = 0; i < 16; ++i)
        inventory.cores.push_back({{i, i + 16}});
    return inventory;
}

study::Study studyOf(const std::string& workload, const std::string& engine = "auto")
{
    study::Study study;
    study.factors = {
        {.name = "processes", .type = study::FactorType::Integer, .low = 1, .high = 64, .binds = "ranks"}};
    study.benchmark.workload = workload;
    study.benchmark.engine = engine;
    return study;
}

Need needOf(const study::Study& study, study::Settings settings, int gpus, int mostRuns = 4)
{
    return run::needOf(study, {.id = 1, .settings = std::move(settings)}, machineWith(gpus), mostRuns);
}

} // namespace

TEST(RunNeed, OfTheTrainerIsAGpuPerRankOrACorePerThread)
{
    EXPECT_EQ(needOf(studyOf("builtin", "cuda"), {{"processes", 2.0}}, 8), (Need{2, 4}));
    EXPECT_EQ(needOf(studyOf("builtin"), {{"processes", 2.0}}, 8), (Need{2, 4}));
    EXPECT_EQ(needOf(studyOf("builtin"), {{"processes", 2.0}}, 0), (Need{0, 2}));
    study::Study study = studyOf("builtin", "cpu");
    EXPECT_EQ(needOf(study, {{"processes", 3.0}}, 8), (Need{0, 3}));
    study.fixed["threads_per_rank"] = 2.0;
    EXPECT_EQ(needOf(study, {{"processes", 3.0}}, 8), (Need{0, 6}));
    EXPECT_EQ(needOf(study, {{"processes", 60.0}}, 8), (Need{0, 16})); // all: alone
    study.benchmark.options["engine"] = std::string("simulated");
    EXPECT_EQ(needOf(study, {{"processes", 60.0}}, 8), (Need{0, 0}));
}

TEST(RunNeed, OfOneRankUnlessSomethingSaysMore)
{
    study::Study study = studyOf("builtin", "cpu");
    study.factors.clear();
    EXPECT_EQ(needOf(study, {}, 0), (Need{0, 1}));
    study.fixed["ranks"] = 4.0;
    EXPECT_EQ(needOf(study, {}, 0), (Need{0, 4}));
}

TEST(RunNeed, OfACommandIsWhatItsFactorCounts)
{
    const study::Study bound = studyOf("command");
    EXPECT_EQ(needOf(bound, {{"processes", 3.0}}, 8), (Need{3, 6}));
    EXPECT_EQ(needOf(bound, {{"processes", 3.0}}, 0), (Need{0, 3}));
    EXPECT_EQ(needOf(bound, {{"processes", 9.0}}, 8), (Need{9, 16})); // more than there is: alone
    study::Study unbound = studyOf("command");
    unbound.factors.clear();
    EXPECT_EQ(needOf(unbound, {}, 8), (Need{1, 2}));
    EXPECT_EQ(needOf(unbound, {}, 0, 3), (Need{0, 5}));
    EXPECT_EQ(needOf(unbound, {}, 0, 64), (Need{0, 1}));
}

TEST(RunNeed, RanksThatAreNoNumberAreRefused)
{
    EXPECT_THROW(needOf(studyOf("command"), {{"processes", 1.5}}, 0), run::RecipeError);
}

TEST(Placement, IsHandedOverRecordedAndRead)
{
    const devices::Inventory inventory = machineWith(4);
    const run::Placement placement = run::makePlacement({{1, 2}, {0, 1, 5}, false}, inventory);
    run::Launch launch(run::requireApproval(study::Study(), "/x.quadric"));
    run::confine(launch, placement);
    EXPECT_EQ(launch.environment.value("CUDA_VISIBLE_DEVICES"), "GPU-1,GPU-2");
    EXPECT_THAT(launch.cpus, testing::ElementsAre(0, 1, 5, 16, 17, 21));
    study::Provenance provenance;
    run::note(placement, provenance);
    EXPECT_EQ(provenance.cpus, "0-1,5,16-17,21");
    EXPECT_THAT(provenance.devices, testing::ElementsAre(study::ReservedGpu{1, "GPU-1", "A100"},
                                                         study::ReservedGpu{2, "GPU-2", "A100"}));
    EXPECT_EQ(run::readRunDevices(provenance), (run::RunDevices{{1, 2}, "0-1,5,16-17,21"}));
    EXPECT_EQ(run::readRunDevices(provenance).inWords(), "GPU 1, 2 · CPU 0-1,5,16-17,21");
}

/// The whole machine is recorded, but nothing is hidden from its run.
TEST(Placement, WhoIsAloneIsNotConfined)
{
    const run::Placement placement = run::makePlacement({{0}, {0}, true}, machineWith(1));
    run::Launch launch(run::requireApproval(study::Study(), "/x.quadric"));
    run::confine(launch, placement);
    EXPECT_FALSE(launch.environment.contains("CUDA_VISIBLE_DEVICES"));
    EXPECT_TRUE(launch.cpus.empty());
    study::Provenance provenance;
    run::note(run::Placement(), provenance);
    EXPECT_EQ(provenance, study::Provenance());
    run::note(placement, provenance);
    EXPECT_EQ(provenance.devices.size(), 1U);
    EXPECT_FALSE(provenance.cpus.empty());
}

/// Whoever wrote it: what is no list of devices is not shown.
TEST(Placement, ReadsAnythingFromARecord)
{
    EXPECT_EQ(run::readRunDevices({}).inWords(), "");
    for (const study::Facts& facts :
         {study::Facts{{"devices", "7"}, {"cpus", "[1]"}}, study::Facts{{"devices", "{"}, {"cpus", ""}},
          study::Facts{{"devices", "[{\"index\":\"a\"},3]"}, {"cpus", "\"<b>all</b>\""}}}) {
        study::Provenance provenance;
        study::setProvenanceFacts(provenance, facts);
        EXPECT_EQ(run::readRunDevices(provenance), run::RunDevices{});
    }
}
